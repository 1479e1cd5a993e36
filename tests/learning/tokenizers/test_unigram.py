import itertools
import math

import pytest

from explorer.learning.tokenizers.unigram import (
    ALPHABET,
    SPECIAL_TOKENS,
    pretrained_tokenizer,
    train_unigram,
    units,
)
from explorer.world.language.spelling import as_typed


@pytest.fixture(scope="module")
def trained(texts):
    return train_unigram(("".join(as_typed(*numbered)) for numbered in enumerate(texts)), 600)


@pytest.fixture(scope="module")
def unigram(trained):
    return pretrained_tokenizer(trained, 128)


def test_units_are_words_with_their_space_and_marks():
    assert units("the shop, closed . (no)") == [
        "▁the", "▁shop", ",", "▁closed", "▁.", "▁(", "no", ")",
    ]  # fmt: skip


def test_the_vocabulary_is_special_tokens_then_pieces_by_score(trained):
    pieces = dict(trained)
    assert len(pieces) == len(trained) == 600
    assert [piece for piece, _ in trained[:5]] == list(SPECIAL_TOKENS)
    scores = [score for _, score in trained[5:]]
    assert scores == sorted(scores, reverse=True)
    assert set(ALPHABET) <= set(pieces)
    assert math.fsum(map(math.exp, scores)) == pytest.approx(1.0)
    assert "▁the" in pieces
    assert not any(len(piece) > 1 and "." in piece[1:] and piece != "▁." for piece in pieces)


def test_training_twice_gives_the_same(texts, trained):
    again = train_unigram(("".join(as_typed(*numbered)) for numbered in enumerate(texts)), 600)
    assert again == trained


def test_a_word_is_cut_into_its_likeliest_pieces(trained, unigram):
    scores = dict(trained[5:])

    def likeliest(word):
        """Every way to cut the word, by brute force."""
        best = (-math.inf, ())
        for cuts in itertools.product((False, True), repeat=len(word) - 1):
            places = [0, *(i + 1 for i, cut in enumerate(cuts) if cut), len(word)]
            pieces = tuple(word[a:b] for a, b in itertools.pairwise(places))
            if all(piece in scores for piece in pieces):
                best = max(best, (sum(scores[piece] for piece in pieces), pieces))
        return best[0]

    for word in ("kitchen", "engineers", "zebras", "telescopes", "thedog"):
        cut = unigram.tokenize(word)
        assert "".join(cut) == f"▁{word}"
        assert sum(scores[piece] for piece in cut) == pytest.approx(likeliest(f"▁{word}"))


def test_it_reads_as_the_published_one_does(unigram):
    plain = unigram("The chef cooked the [MASK].")["input_ids"]
    assert unigram("the chef cooked the[MASK].")["input_ids"] == plain
    pieces = unigram.convert_ids_to_tokens(plain)
    assert (pieces[0], pieces[-1]) == ("[CLS]", "[SEP]")
    assert "[MASK]" in pieces
    pair = unigram("one", "two", return_token_type_ids=True)
    assert pair["token_type_ids"][0] == 0
    assert pair["token_type_ids"][-1] == 1
    assert unigram.unk_token_id not in unigram("Zoo quiz, 42 (fjord)!")["input_ids"]
