"""Words, hidden tokens, measures and combinations, each against plain loops over numbers."""

import math

import numpy as np
import pytest

from explorer.api.question import Attentions, Cancelled, Context, Token, UserMistake
from explorer.hf.attention.cache import captured_for
from explorer.hf.attention.combined import HeadOrMean, combined, rollout
from explorer.hf.attention.measures import measured
from explorer.hf.attention.weights import AttendingStack
from explorer.numerics.attention_patterns import MEASURES, NAMES
from explorer.questions.attention.attention.compute import places_of, pooled, read_as, separators_of
from explorer.questions.attention.attention.question import AttentionPlace
from tests.hf import tiny

LAYERS, HEADS, TOKENS = 3, 2, 7


def softmax(seed, *shape, causal=False):
    scores = np.random.default_rng(seed).normal(size=shape) * 2
    if causal:
        scores[..., np.triu(np.ones(shape[-2:], dtype=bool), 1)] = -np.inf
    powers = np.exp(scores)
    return (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)


def stack_of(kind="encoder", causal=False, keys=TOKENS):
    token = Token("x", 5, 0, 0, special=False)
    weights = tuple(softmax(n, HEADS, TOKENS, keys, causal=causal) for n in range(LAYERS))
    return AttendingStack(kind, weights, (token,) * TOKENS, (token,) * keys, causal)


@pytest.fixture(scope="module")
def tokenizer():
    return tiny.bert_tokenizer()


TOKENS_OF_A_WORD = (
    Token("[CLS]", 2, 0, 0, special=True),
    Token("cat", 8, 0, 3, special=False),
    Token("##s", 10, 3, 4, special=False, joined=True),
    Token("##ing", 11, 4, 7, special=False, joined=True),
    Token("[MASK]", 4, 8, 11, special=False, masked=True, original=13),
    Token("[SEP]", 3, 11, 11, special=True),
)


def test_tokens_are_places_as_people_read_them(tokenizer):
    places = places_of(tokenizer, TOKENS_OF_A_WORD, words=False, special="shown")
    assert [place.label for place in places] == ["[CLS]", "cat", "##s", "##ing", "[MASK]", "[SEP]"]
    assert [place.first for place in places] == [place.last for place in places] == list(range(6))


def test_the_pieces_of_a_word_are_one_place(tokenizer):
    places = places_of(tokenizer, TOKENS_OF_A_WORD, words=True, special="renormalised")
    assert places == (AttentionPlace("catsing", 1, 3), AttentionPlace("[MASK]", 4, 4))


def test_a_text_of_nothing_but_special_tokens_keeps_them(tokenizer):
    both = (TOKENS_OF_A_WORD[0], TOKENS_OF_A_WORD[-1])
    assert len(places_of(tokenizer, both, words=False, special="hidden")) == 2


def test_separators(tokenizer):
    assert separators_of(tokenizer, TOKENS_OF_A_WORD) == (5,)


def test_to_a_word_is_the_sum_and_from_it_the_mean(tokenizer):
    weights = softmax(1, 2, 6, 6)
    places = places_of(tokenizer, TOKENS_OF_A_WORD, words=True, special="shown")
    found = read_as(weights, places, places)
    spans = [(0, 1), (1, 4), (4, 5), (5, 6)]
    for i, (a, b) in enumerate(spans):
        for j, (c, d) in enumerate(spans):
            expected = weights[:, a:b, c:d].sum(axis=(1, 2)) / (b - a)
            np.testing.assert_allclose(found[:, i, j], expected, rtol=1e-6)
    np.testing.assert_allclose(found.sum(axis=-1), 1, atol=1e-6)
    assert weights.sum() == pytest.approx(12)


def test_hidden_tokens_take_their_weight_with_them(tokenizer):
    weights = softmax(2, 6, 6)
    before = weights.copy()
    places = places_of(tokenizer, TOKENS_OF_A_WORD, words=True, special="hidden")
    hidden = read_as(weights, places, places)
    to_word = weights[1:4, 1:4].sum(axis=1).mean()
    assert hidden[0, 0] == pytest.approx(to_word, rel=1e-6)
    assert (hidden.sum(axis=-1) < 1).all()
    renormalised = read_as(weights, places, places, renormalise=True)
    np.testing.assert_allclose(renormalised, hidden / hidden.sum(axis=-1, keepdims=True))
    np.testing.assert_allclose(renormalised.sum(axis=-1), 1, atol=1e-6)
    np.testing.assert_array_equal(weights, before)


def test_a_row_without_any_weight_stays_without():
    rows = (AttentionPlace("a", 0, 0), AttentionPlace("b", 1, 1))
    found = read_as(np.array([[0.0, 0.0], [0.25, 0.25]]), rows, rows, renormalise=True)
    assert found.tolist() == [[0, 0], [0.5, 0.5]]


def test_all_tokens_as_they_are_is_the_same_attention():
    weights = softmax(3, 2, 5, 5)
    places = tuple(AttentionPlace("x", i, i) for i in range(5))
    found = read_as(weights, places, places)
    np.testing.assert_array_equal(found, weights)


@pytest.mark.parametrize("block", [(1, 1), (2, 2), (3, 2), (10, 10)])
def test_blocks_keep_their_strongest(block):
    weights = softmax(4, 2, 7, 5)
    found = pooled(weights, block)
    high, wide = block
    assert found.shape == (2, math.ceil(7 / high), math.ceil(5 / wide))
    for row in range(found.shape[1]):
        for column in range(found.shape[2]):
            part = weights[
                :, row * high : (row + 1) * high, column * wide : (column + 1) * wide
            ].max(axis=(1, 2))
            np.testing.assert_array_equal(found[:, row, column], part)


def test_every_measure_is_what_its_sentence_says():
    stack = stack_of()
    found = dict(zip(NAMES, measured(stack, (3, 6)), strict=True))
    for layer in range(LAYERS):
        for head in range(HEADS):
            w = stack.weights[layer][head].astype(float)
            n = range(TOKENS)
            expected = {
                "previous": np.mean([w[i, i - 1] for i in n if i > 0]),
                "next": np.mean([w[i, i + 1] for i in n if i < TOKENS - 1]),
                "same": np.mean([w[i, i] for i in n]),
                "first": np.mean([w[i, 0] for i in n]),
                "separator": np.mean([w[i, 3] + w[i, 6] for i in n]),
                "strongest": np.mean([max(w[i]) for i in n]),
                "entropy": np.mean([-sum(p * math.log(p) for p in w[i]) for i in n]),
                "distance": np.mean([sum(w[i, j] * abs(i - j) for j in n) for i in n]),
            }
            assert set(expected) == set(NAMES)
            for name, value in expected.items():
                assert found[name][layer, head] == pytest.approx(value, abs=1e-5), name


def test_weights_of_zero_have_no_entropy():
    token = Token("x", 5, 0, 0, special=False)
    weights = (np.eye(3, dtype=np.float32)[None],)
    stack = AttendingStack("encoder", weights, (token,) * 3, (token,) * 3, False)
    found = dict(zip(NAMES, measured(stack, ()), strict=True))
    assert found["entropy"].item() == 0
    assert found["strongest"].item() == found["same"].item() == 1
    assert math.isnan(found["separator"].item())


def test_what_a_head_cannot_have_is_no_number():
    found = dict(zip(NAMES, measured(stack_of("cross", keys=4), (3,)), strict=True))
    for measure in MEASURES:
        assert bool(np.isnan(found[measure.name]).all()) is measure.within


@pytest.mark.parametrize(
    "written", ["3.5", "0.mean", "1.max", "mean", "max", "rollout", "rollout.2"]
)
def test_choices_are_read_as_they_are_written(written):
    assert str(HeadOrMean.of(written)) == written


@pytest.mark.parametrize("written", ["", "x", "3", "3.", ".5", "-1.2", "mean.1", "3.sum", "3.5.1"])
def test_what_names_no_head_is_refused(written):
    with pytest.raises(UserMistake, match="names no head"):
        HeadOrMean.of(written)


def test_several_heads_as_one():
    stack = stack_of()
    every = np.stack(stack.weights)
    for written, expected in {
        "1.0": every[1, 0],
        "1.mean": every[1].mean(axis=0),
        "2.max": every[2].max(axis=0),
        "mean": every.mean(axis=(0, 1)),
        "max": every.max(axis=(0, 1)),
    }.items():
        found = combined(stack, HeadOrMean.of(written), Context())
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_rollout_multiplies_layers_with_the_way_around_them():
    """Abnar and Zuidema 2020, section 3: A = 0.5 W + 0.5 I, each layer on top of the last."""
    stack = stack_of()
    expected = np.eye(TOKENS)
    for layer in stack.weights:
        mixed = 0.5 * layer.mean(axis=0) + 0.5 * np.eye(TOKENS)
        expected = mixed / mixed.sum(axis=1, keepdims=True) @ expected
    found = combined(stack, HeadOrMean.of("rollout"), Context())
    np.testing.assert_allclose(found, expected, atol=1e-6)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-6)
    first = 0.5 * stack.weights[0].mean(axis=0) + 0.5 * np.eye(TOKENS)
    np.testing.assert_allclose(rollout(stack, 0, Context()), first, atol=1e-6)
    np.testing.assert_allclose(combined(stack, HeadOrMean.of("rollout.2"), Context()), found)


def test_a_causal_rollout_sees_nothing_later():
    found = combined(stack_of("decoder", causal=True), HeadOrMean.of("rollout"), Context())
    assert not np.triu(found, 1).any()


@pytest.mark.parametrize(
    ("kind", "written", "words"),
    [
        ("encoder", "3.0", "no layer 3"),
        ("encoder", "rollout.3", "no layer 3"),
        ("encoder", "0.2", "no head 2"),
        ("cross", "rollout", "from one text to another"),
    ],
)
def test_heads_that_are_not_there(kind, written, words):
    with pytest.raises(UserMistake, match=words):
        combined(stack_of(kind), HeadOrMean.of(written), Context())


def test_combining_can_be_cancelled():
    for written in ("mean", "rollout"):
        with pytest.raises(Cancelled):
            combined(stack_of(), HeadOrMean.of(written), Context(is_cancelled=lambda: True))


def test_a_model_is_run_once_for_a_text(tmp_path, monkeypatch):
    model = tiny.load(tiny.save_bert(tmp_path / "bert"))
    runs = []
    port = model.port(Attentions)
    real = port.capture
    monkeypatch.setattr(port, "capture", lambda *a: runs.append(a) or real(*a))
    ask = captured_for
    for text in ("the cat", "the dog", "the cat"):
        ask(model, text, None, (), "", Context())
    assert len(runs) == 2
