"""T5's spans filled together and given words scored, against transformers' own forward."""

import math
from itertools import product

import numpy as np
import pytest

from explorer.api.family import Cancelled, Context, UserMistake
from explorer.document import Mask
from explorer.questions.masking.candidate_words.question import CandidateWordsRequest
from explorer.questions.masking.joint_decoding.question import DecodingMethod, JointDecodingRequest
from tests.hf import tiny
from tests.plugins.test_t5 import WORDS, plain_sum, rows, save, tokenizer

TEXT = "the [MASK] sat on the [MASK]"
READ = "the <extra_id_0> sat on the <extra_id_1>"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "t5"
    return folder, save(folder)


@pytest.fixture(scope="module")
def model(saved):
    return tiny.load(saved[0])


def fill(model, text=TEXT, **options):
    return tiny.ask(model, JointDecodingRequest(text, **options), Context())


def score(model, text, words, masks=()):
    request = CandidateWordsRequest(text, masks=tuple(masks), words=tuple(words))
    return tiny.ask(model, request, Context())


def joint(module, one, two):
    """Both spans' probability, each added up piece by piece from one forward."""
    first = tokenizer().convert_tokens_to_ids("<extra_id_0>")
    return plain_sum(module, READ, [], one) * plain_sum(module, READ, [first, *one], two, 1)


def test_joint_probabilities_equal_transformers_forward(saved, model):
    result = fill(model, width=6, top_k=6)
    assert (result.alone, result.independent, result.dependence) == ((), None, None)
    assert result.order == (0, 1)
    for filling in result.fillings:
        one, two = (chosen.ids for chosen in filling.chosen)
        assert math.exp(filling.log_joint) == pytest.approx(
            joint(saved[1], one, two), rel=1e-3, abs=1e-9
        )
    totals = [filling.log_joint for filling in result.fillings]
    assert totals == sorted(totals, reverse=True)


def test_a_wide_beam_finds_the_best_pair_of_words(saved, model):
    """Brute force over every pair of single pieces; longer spans can only be found besides."""
    cut = tokenizer()
    pieces = [cut.convert_tokens_to_ids(f"▁{word}") for word in WORDS]
    best = max(joint(saved[1], (one,), (two,)) for one, two in product(pieces, pieces))
    result = fill(model, width=24, top_k=3)
    assert math.exp(result.fillings[0].log_joint) >= best * (1 - 1e-3)


def test_left_to_right_takes_the_best_span_every_time(model):
    result = fill(model, method=DecodingMethod.LEFT_TO_RIGHT, top_k=4)
    (filling,) = result.fillings
    for step, chosen in zip(result.steps, filling.chosen, strict=True):
        assert step.predictions[0].ids == chosen.ids
        assert len(step.predictions) == 4
        assert chosen.rank == 1


@pytest.mark.parametrize(
    ("method", "order"),
    [
        (DecodingMethod.CONFIDENT, ()),
        (DecodingMethod.INDEPENDENT, ()),
        (DecodingMethod.BEAM, (1, 0)),
    ],
)
def test_another_order_is_refused(model, method, order):
    with pytest.raises(UserMistake, match="in the order of the text"):
        fill(model, method=method, order=order)


def test_given_words(saved, model):
    result = score(model, "the [MASK] sat on the mat", ["cat", "very great", "dab", "한"])
    (gap,) = result.gaps
    cut = tokenizer()
    read = "the <extra_id_0> sat on the mat"
    first = cut.convert_tokens_to_ids("<extra_id_0>")
    for one in gap.scores[:3]:
        ids = cut(one.word, add_special_tokens=False)["input_ids"]
        assert [piece.id for piece in one.pieces] == ids
        expected = plain_sum(saved[1], read, [], ids)
        assert math.exp(one.log_probability) == pytest.approx(expected, rel=1e-3)
        assert one.log_odds == pytest.approx(math.log(expected / (1 - expected)), rel=1e-3)
        row = np.exp(rows(saved[1], read, [first])[-1])
        assert one.pieces[0].probability == pytest.approx(row[ids[0]], rel=1e-3)
    assert "no pieces" in gap.scores[3].problem
    assert sorted(one.place for one in gap.scores[:3]) == [1, 2, 3]
    assert "span ends there" in result.method


def test_the_hidden_words_and_a_second_range(saved, model):
    result = score(model, "the cat sat on the mat", ["dog"], [Mask(4, 7), Mask(19, 22)])
    assert [gap.original.word for gap in result.gaps] == ["cat", "mat"]
    assert "most probable span" in result.note
    best = result.gaps[0].favourite
    first = tokenizer().convert_tokens_to_ids("<extra_id_0>")
    expected = plain_sum(
        saved[1], READ, [first, *best.ids], [tokenizer().convert_tokens_to_ids("▁dog")], 1
    )
    assert math.exp(result.gaps[1].scores[0].log_probability) == pytest.approx(expected, rel=1e-3)


def test_cancelled(model):
    with pytest.raises(Cancelled):
        tiny.ask(model, JointDecodingRequest(TEXT), Context(is_cancelled=lambda: True))
