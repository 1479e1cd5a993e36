"""The attention of a text: small for all heads, in full for a few, and what is said about it."""

import math
import sys

import numpy as np
import pytest

from explorer.api.question import Attentions, Context, UserMistake
from explorer.document import Mask
from explorer.hf.family.tiny import write_tiny
from explorer.hf.kept import forget
from explorer.questions.attention.attention.compute import run
from explorer.questions.attention.attention.question import (
    AttentionRequest,
    AttentionResult,
    block_of,
    layer_and_head,
    summary,
    table,
)
from explorer.serialise import from_json, to_json
from tests.hf import tiny

TEXT = "the cats sat on the mat"


@pytest.fixture(autouse=True)
def nothing_kept():
    yield
    forget()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny.load(tiny.save_bert(tmp_path_factory.mktemp("models") / "bert"))


@pytest.fixture(scope="module")
def family(tmp_path_factory):
    """A tiny model of a family by its id."""
    host = tiny.families()

    def load(name):
        folder = tmp_path_factory.mktemp(name)
        own = host.family(name)
        write = getattr(sys.modules[type(own).__module__], "tiny", None)
        if write is None:
            write_tiny(own, folder)
        else:
            write(folder)
        return tiny.load(folder)

    return load


def ask(model, text=TEXT, **fields):
    return run(model, AttentionRequest(text, **fields), Context())


def test_all_heads_small_are_all_heads(model):
    stack = model.port(Attentions).capture(model.encode(TEXT), Context())["encoder"]
    result = ask(model)
    assert (result.layers, result.heads) == (3, 4)
    assert result.block == (1, 1)
    assert result.overview.dtype == np.float16
    for layer in range(3):
        np.testing.assert_allclose(result.overview[layer], stack.weights[layer], atol=5e-4)
    assert [place.label for place in result.queries] == [t.text for t in result.tokens]
    assert result.weights.size == 0
    assert result.kinds == ("encoder",)
    assert not result.causal
    assert result.note == ""


def test_a_head_in_full_is_the_models_own(model):
    stack = model.port(Attentions).capture(model.encode(TEXT), Context())["encoder"]
    result = ask(model, heads=("2.1", "0.mean", "mean"))
    assert result.weights.dtype == np.float32
    np.testing.assert_allclose(result.weights[0], stack.weights[2][1], atol=1e-6)
    np.testing.assert_allclose(result.weights[1], stack.weights[0].mean(axis=0), atol=1e-6)
    every = np.stack(stack.weights).mean(axis=(0, 1))
    np.testing.assert_allclose(result.weights[2], every, atol=1e-6)
    assert result.overview.size == 0
    assert result.chosen == ("2.1", "0.mean", "mean")


def test_words_and_hidden_tokens(model):
    result = ask(model, words=True, special="renormalised", heads=("1.2",))
    assert [place.label for place in result.queries] == ["the", "cats", "sat", "on", "the", "mat"]
    assert (result.keys[1].first, result.keys[1].last) == (2, 3)
    np.testing.assert_allclose(result.weights[0].sum(axis=1), 1, atol=1e-6)
    hidden = ask(model, words=True, special="hidden", heads=("1.2",))
    assert (hidden.weights[0].sum(axis=1) < 1).all()
    strongest = ask(model, words=True, special="renormalised", heads=("1.max",))
    every = [ask(model, words=True, special="hidden", heads=("1.max",)).weights]
    np.testing.assert_array_equal(strongest.weights, every[0])


def test_a_large_overview_loses_no_strong_cell(model, monkeypatch):
    from explorer.questions.attention.attention import question as attention

    monkeypatch.setattr(attention, "CELLS", 3 * 4 * 16)
    monkeypatch.setattr(attention, "SMALLEST", 3)
    stack = model.port(Attentions).capture(model.encode(TEXT), Context())["encoder"]
    result = ask(model)
    assert result.block == (3, 3)
    assert result.overview.shape == (3, 4, 3, 3)
    for layer in range(3):
        for head in range(4):
            whole = stack.weights[layer][head]
            for row in range(3):
                for column in range(3):
                    part = whole[3 * row : 3 * row + 3, 3 * column : 3 * column + 3]
                    found = result.overview[layer, head, row, column]
                    assert found == pytest.approx(part.max(), abs=5e-4)


@pytest.mark.parametrize(
    ("heads", "tokens", "side"), [(16, 12, 12), (144, 128, 64), (384, 512, 38), (5000, 512, 16)]
)
def test_overviews_stay_small(heads, tokens, side):
    high, wide = block_of(heads, tokens, tokens)
    assert high == wide
    assert math.ceil(tokens / high) <= side
    assert math.ceil(tokens / high) ** 2 * heads <= max(600_000, heads * 16**2)


def test_a_model_that_reads_from_the_left(family):
    result = ask(family("gpt2"), "the cat sat", masks=(Mask(4, 7),))
    assert result.kind == "decoder"
    assert result.causal
    assert "is replaced by its guess: “" in result.note
    assert result.queries[1].label == "[MASK]"


def test_two_stacks_have_three_kinds(family):
    model = family("t5")
    own = ask(model, "the cat sat", kind="cross", masks=(Mask(4, 7),))
    assert own.kinds == ("encoder", "decoder", "cross")
    assert "wrote itself" in own.note
    told = ask(model, "the cat sat", kind="cross", answer="the mat", heads=("0.0",))
    assert [place.label for place in told.queries][1:] == ["the", "mat"]
    assert told.weights.shape == (1, len(told.queries), len(told.keys))
    assert told.note == ""
    assert ask(model, "the cat sat").kind == "encoder"
    assert ask(model, "the cat sat", kind="decoder", answer="the mat").causal


def test_a_kind_the_model_has_not_is_said(model):
    with pytest.raises(UserMistake, match="has no cross attention") as mistake:
        ask(model, kind="cross")
    assert mistake.value.hint == "It has encoder."


def test_mistakes(model):
    with pytest.raises(UserMistake, match="no text"):
        ask(model, "  ")
    with pytest.raises(UserMistake, match="no layer 3"):
        ask(model, heads=("3.0",))


def test_one_row_a_head_or_a_weight(model):
    result = ask(model)
    rows = table(result)
    assert rows.columns[:3] == ("layer", "head", "previous")
    assert len(rows.rows) == 12
    assert rows.rows[5][:2] == (1, 1)
    index = result.measure_names.index("entropy")
    assert rows.rows[5][2 + index] == pytest.approx(float(result.measures[index, 1, 1]))
    full = ask(model, heads=("1.1",))
    cells = table(full)
    assert len(cells.rows) == len(full.queries) * len(full.keys)
    weight = pytest.approx(float(full.weights[0, 0, 1]))
    assert dict(zip(cells.columns, cells.rows[1], strict=True)) == {
        "layer": 1,
        "head": 1,
        "from_position": 0,
        "from": "[CLS]",
        "to_position": 1,
        "to": "the",
        "weight": weight,
    }


@pytest.mark.parametrize(
    ("choice", "named"),
    [
        ("3.5", (3, 5)),
        ("3.10", (3, 10)),
        ("3.mean", (3, "mean")),
        ("max", (None, "max")),
        ("rollout", (None, "rollout")),
        ("rollout.2", (2, "rollout")),
    ],
)
def test_layer_and_head_stand_apart(choice, named):
    assert layer_and_head(choice) == named


def test_a_summary_names_the_head_that_has_most_of_a_pattern(model):
    result = ask(model)
    said = summary(result)
    index = result.measure_names.index("previous")
    best = np.unravel_index(result.measures[index].argmax(), (3, 4))
    assert said["previous head"] == f"{best[0]}.{best[1]}"
    assert said["previous"] == pytest.approx(float(result.measures[index].max()))
    entropy = result.measure_names.index("entropy")
    assert said["mean entropy"] == pytest.approx(float(result.measures[entropy].mean()), rel=1e-5)


def test_it_goes_into_the_log_and_out_again(model):
    result = ask(model)
    back = from_json(AttentionResult, to_json(result))
    np.testing.assert_array_equal(back.overview, result.overview)
    assert back.queries == result.queries
    request = AttentionRequest(TEXT, heads=("1.1", "rollout"))
    assert from_json(AttentionRequest, to_json(request)) == request
