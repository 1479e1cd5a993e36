"""Words within a sentence are scored as they stand there: with the space before them."""

import pytest

from explorer.questions.pairs.minimal_pairs.question import (
    MinimalPairsRequest,
    SentenceScore,
    share_of,
)
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

GOOD, BAD = "The chef cooked the soup .", "The chef cooked the chef ."
LONGER = "The chef has cooked the soup ."


@pytest.fixture
def scored(tmp_path):
    """Both sentences of one pair, as a miniature scores them."""

    def run(name, good, bad):
        path = tmp_path / "pair.csv"
        path.write_text(f"sentence_good,sentence_bad\n{good},{bad}\n", "utf-8")
        result = tiny.ask(miniature(name), MinimalPairsRequest(str(path)))
        (pair,) = result.scored[0].pairs
        return result, pair

    return run


def tokenizer_of(name):
    return transformers.AutoTokenizer.from_pretrained(MODELS / name)


def of_masked(name, ids):
    """Log-probabilities of all tokens but the special ones, each masked alone."""
    model = transformers.AutoModelForMaskedLM.from_pretrained(MODELS / name).eval()
    mask = tokenizer_of(name).mask_token_id
    rows = torch.tensor([ids] * (len(ids) - 2))
    places = torch.arange(len(ids) - 2)
    rows[places, places + 1] = mask
    with torch.inference_mode():
        found = model(rows).logits.log_softmax(-1)[places, places + 1]
    return found.gather(1, torch.tensor(ids[1:-1])[:, None])[:, 0].tolist()


def of_causal(name, ids):
    """Log-probabilities of all tokens but the first, each after those before it."""
    model = transformers.AutoModelForCausalLM.from_pretrained(MODELS / name).eval()
    with torch.inference_mode():
        rows = model(torch.tensor([ids])).logits[0].log_softmax(-1)
    return rows[:-1].gather(1, torch.tensor(ids[1:])[:, None])[:, 0].tolist()


def ids_in_sentence(name, text):
    """Pieces of the words of a text, each after the first with its space, and what surrounds."""
    tokenizer = tokenizer_of(name)
    first, *rest = text.split(" ")
    ids = tokenizer(first, add_special_tokens=False).input_ids
    for word in rest:
        ids += tokenizer(f" {word}", add_special_tokens=False).input_ids
    if name.startswith("roberta"):
        return [tokenizer.bos_token_id, *ids, tokenizer.eos_token_id]
    return [tokenizer.bos_token_id, *ids]


@pytest.mark.parametrize(
    ("name", "alone"), [("roberta-miniature", of_masked), ("gpt2-miniature", of_causal)]
)
def test_a_word_has_its_space(name, alone, scored):
    _, pair = scored(name, GOOD, BAD)
    tokenizer = tokenizer_of(name)
    for text, sentence in ((GOOD, pair.good), (BAD, pair.bad)):
        expected = alone(name, ids_in_sentence(name, text))
        assert list(sentence.log_probabilities) == pytest.approx(expected, abs=1e-4)
    # Encoded without its space, as StereoSet's loader did, the word is another piece.
    spaced, bare = (tokenizer(one, add_special_tokens=False).input_ids for one in (" soup", "soup"))
    assert spaced != bare
    whole = ids_in_sentence(name, GOOD)
    at = next(n for n in range(len(whole)) if whole[n : n + len(spaced)] == spaced)
    wrong = alone(name, [*whole[:at], *bare, *whole[at + len(spaced) :]])
    assert sum(pair.good.log_probabilities) != pytest.approx(sum(wrong), abs=1e-2)


@pytest.mark.parametrize(
    ("name", "alone"), [("roberta-miniature", of_masked), ("gpt2-miniature", of_causal)]
)
def test_an_added_word_is_scored_over_the_tokens_of_its_own_sentence(name, alone, scored):
    result, pair = scored(name, GOOD, LONGER)
    assert len(pair.bad.tokens) > len(pair.good.tokens)
    for text, sentence in ((GOOD, pair.good), (LONGER, pair.bad)):
        expected = alone(name, ids_in_sentence(name, text))
        assert list(sentence.log_probabilities) == pytest.approx(expected, abs=1e-4)
        assert len(sentence.tokens) == len(expected)
    for score in SentenceScore:
        ends = [
            sum(one.log_probabilities)
            / (len(one.log_probabilities) if score is SentenceScore.MEAN else 1)
            for one in (pair.good, pair.bad)
        ]
        share = share_of(result, result.scored[0], score, None)
        assert share.right == (ends[0] > ends[1])
