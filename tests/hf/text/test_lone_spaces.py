"""A word's pieces are the same everywhere, the space before it among them where it is a token.

Every bundled tokenizer is asked about words whose first letter has no piece with a space: what is
cut before and behind the word, by the tokenizer alone, says which tokens are the word's.
"""

import pytest

from explorer.api.question import mask_of
from explorer.document import Document, Mask
from explorer.questions.cause.attribution.compute import units_of
from explorer.questions.cause.attribution.options import ScoredUnit
from explorer.questions.cause.edits.places import places_of as edited_places
from explorer.questions.generation.prompt.answers.scoring import places_of as answer_places
from explorer.questions.masking.joint_decoding.compute import gaps_of
from explorer.questions.masking.masking_policy.compute import candidates_of, words_of
from explorer.questions.masking.surprises import word_numbers
from explorer.text.pieces import WORD_MARKS
from tests.hf.kept import MODELS, miniature

BEFORE, BEHIND = "the chef cooked the", " ."
WORDS = {"letters": "zebras", "syllables": "요리사", "emoji": "😀"}
NAMES = sorted(path.parent.name for path in MODELS.glob("*/tokenizer*.json"))
NAMES = sorted({*NAMES} - {"gpt3-175b"})
WITH_LONE_SPACES = {"albert", "gpt2", "roberta", "t5"}
"""Families whose tokenizers write the space before such a word as a token of its own."""


def cut(model, text):
    return model.tokenizer.backend_tokenizer.encode(text, add_special_tokens=False).ids


def own_places(model, word):
    """Positions of the word's tokens, by how much is cut before and behind it."""
    before, whole = cut(model, BEFORE), cut(model, f"{BEFORE} {word}{BEHIND}")
    behind = cut(model, BEFORE + BEHIND)[len(before) :]
    assert whole[: len(before)] == before
    assert whole[len(whole) - len(behind) :] == behind
    tokens = model.encode(f"{BEFORE} {word}{BEHIND}").tokens
    text = [place for place, token in enumerate(tokens) if not token.special]
    return text[len(before) : len(text) - len(behind)]


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS)
@pytest.mark.parametrize("name", NAMES)
def test_whoever_takes_a_word_takes_all_of_its_pieces(name, word):
    model = miniature(name)
    places = own_places(model, word)
    document = Document(f"{BEFORE} {word}{BEHIND}")
    encoded = model.encode(document.text)
    tokens = encoded.tokens
    start = len(BEFORE) + 1
    end = start + len(word)
    lone = tokens[places[0]].text in WORD_MARKS
    assert lone == (name.partition("-")[0] in WITH_LONE_SPACES)
    span = (places[0], places[-1] + 1)
    numbers = word_numbers(tokens)
    syllables_apart = numbers[places[0]] != numbers[places[-1]]
    assert not syllables_apart or name.startswith("xlm")  # which has words of its own for Korean
    assert answer_places(encoded, start, end) == tuple(places)
    assert tokens[places[0]].start == start
    assert tokens[places[-1]].end == end
    if syllables_apart:
        return
    assert [n for n, number in enumerate(numbers) if number == numbers[places[0]]] == places
    assert span in words_of(tokens, candidates_of(tokens))
    special = frozenset(n for n, token in enumerate(tokens) if token.special)
    assert tuple(places) in units_of(tokens, special, ScoredUnit.WORD)
    edited = [one.positions for one in edited_places(document, encoded)]
    assert not word.isalpha() or tuple(places) in edited


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS)
@pytest.mark.parametrize("name", NAMES)
def test_a_masked_word_hides_them_all_and_a_masked_token_itself(name, word):
    model = miniature(name)
    if model.tokenizer.mask_token is None and not name.startswith(("gpt", "t5")):
        pytest.skip("nothing can be masked")
    places = own_places(model, word)
    text = f"{BEFORE} {word}{BEHIND}"
    tokens = model.encode(text).tokens
    start = len(BEFORE) + 1
    whole = model.encode(text, None, (Mask(start, start + len(word)),))
    if name.startswith("t5"):
        assert whole.hidden == (tuple(tokens[place].id for place in places),)
        return
    assert whole.mask_positions == tuple(places)
    if not name.startswith("xlm"):
        assert gaps_of(whole.tokens) == (tuple(range(len(places))),)
    for place in places:
        alone = model.encode(text, None, (mask_of(tokens, place),))
        assert alone.mask_positions == (place,)


@pytest.mark.parametrize("name", ["roberta-miniature", "gpt2-miniature"])
def test_a_mask_of_before_leaves_the_space_visible(name):
    model = miniature(name)
    text = f"{BEFORE} zebras{BEHIND}"
    start = len(BEFORE) + 1
    space, *rest = own_places(model, "zebras")
    encoded = model.encode(text, None, (Mask(start, start + 6, letters=True),))
    assert encoded.mask_positions == tuple(rest)
    assert encoded.tokens[space].text == "Ġ"
