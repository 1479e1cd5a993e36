"""What states restore: the notes' sentence, both directions, every component, and refusals."""

import json

import numpy as np
import pytest

from explorer.api.question import Cancelled, Component, Context, UserMistake
from explorer.document import Mask
from explorer.questions.cause.patching.question import (
    NOISE,
    PatchingRequest,
    derived,
    strongest,
    summary,
    table,
)
from tests.hf import tiny
from tests.hf.kept import miniature

FLOWER = "I will plant the flower, so I dug the ground. I used a [MASK]."
HOUSE = "I will build the house, so I dug the ground. I used a [MASK]."
SWAP = ("plant > build", "flower > house")
TOOLS = ("trowel", "excavator")


def asked(name="bert-miniature", context=None, text=FLOWER, **fields):
    return tiny.ask_within(miniature(name), PatchingRequest(text, **fields), context)


@pytest.fixture(scope="module")
def notes():
    """The notes' sentence in BERT."""
    return asked(swap=SWAP, words=TOOLS)


def test_the_verb_chooses_the_tool_and_the_noun_does_not(notes):
    (grid,) = notes.grids
    verb, noun = ([one.text for one in notes.tokens].index(word) for word in ("plant", "flower"))
    assert grid.rows == ("emb.", "0", "1", "2", "3")
    assert (grid.effects[:4, verb] > 0.8).all()
    assert (abs(grid.effects[:4, noun]) < 0.15).all()
    # It moves to the mask in the last layer.
    assert grid.effects[4, notes.position] == pytest.approx(1.0, abs=1e-5)
    assert abs(grid.effects[4, verb]) < 1e-5
    assert notes.clean > 5 > 1 > notes.corrupt
    assert notes.clean - notes.corrupt == pytest.approx(6.90, abs=0.005)
    assert grid.effects[0, verb] == pytest.approx(0.82, abs=0.005)
    assert strongest(notes) == (0, 0, verb)


def test_everything_restores_all_of_it_and_nothing_none(notes):
    assert notes.everything == pytest.approx(1.0, abs=1e-5)
    assert notes.nothing == pytest.approx(0.0, abs=1e-5)
    (grid,) = notes.grids
    assert grid.effects[:, -1] == pytest.approx(1.0, abs=1e-5)


def test_a_share_is_what_the_formula_says(notes):
    """The measure of the patched run itself, from the prediction in full."""
    cell = asked(swap=SWAP, words=TOOLS, cell=(0, 2, 3)).cell
    expected = (cell.difference - notes.corrupt) / (notes.clean - notes.corrupt)
    assert cell.effect == pytest.approx(expected)
    assert notes.grids[0].effects[2, 3] == pytest.approx(expected, abs=1e-4)
    known = {one.word: one for one in cell.words}
    for chances in ("clean", "corrupt", "patched"):
        first, second = (getattr(known[word], chances) for word in TOOLS)
        measure = {"clean": notes.clean, "corrupt": notes.corrupt, "patched": cell.difference}
        assert np.log(first / second) == pytest.approx(measure[chances], abs=1e-3)


def test_noising_is_the_same_with_the_texts_exchanged(notes):
    back = ("build > plant", "house > flower")
    disturbed = asked(swap=SWAP, words=TOOLS, direction=NOISE)
    exchanged = asked(text=HOUSE, swap=back, words=TOOLS)
    assert disturbed.grids[0].effects == pytest.approx(exchanged.grids[0].effects, abs=1e-4)
    assert (disturbed.clean, disturbed.corrupt) == pytest.approx((notes.clean, notes.corrupt))
    assert disturbed.grids[0].tokens == notes.tokens
    assert disturbed.everything == pytest.approx(1.0, abs=1e-5)
    # Taking the verb away takes most of the difference away.
    assert disturbed.grids[0].effects[0, 3] > 0.5


def test_a_second_text_is_as_good_as_a_swap(notes):
    typed = asked(pair=HOUSE, words=TOOLS)
    assert typed.grids[0].effects == pytest.approx(notes.grids[0].effects, abs=1e-5)
    shown = HOUSE.replace("[MASK]", "trowel")
    same = asked(pair=shown, words=TOOLS)
    assert same.grids[0].effects == pytest.approx(notes.grids[0].effects, abs=1e-5)
    start = FLOWER.replace("[MASK]", "trowel").index("trowel")
    both = asked(
        text=FLOWER.replace("[MASK]", "trowel"),
        pair=shown,
        masks=(Mask(start, start + 6), Mask(start - 1, start + 5, 1)),
        words=TOOLS,
    )
    assert both.clean == pytest.approx(notes.clean, abs=1e-4)


def test_the_words_measured_are_those_that_are_furthest_apart(notes):
    assert asked(swap=SWAP).words == TOOLS


@pytest.mark.parametrize(
    "component", [one.value for one in Component if one is not Component.NEURON]
)
@pytest.mark.parametrize("name", ["bert", "gpt2", "t5", "deberta-v1", "albert"])
def test_every_component_in_models_of_every_shape(name, component):
    result = asked(f"{name}-miniature", swap=SWAP, component=component)
    assert result.found == result.total > 0
    kinds = [one.kind for one in result.grids]
    crossed = ["cross"] if component in ("attention", "head") else []
    assert kinds == {
        "t5": ["encoder", "decoder", *crossed],
        "gpt2": ["decoder"],
    }.get(name, ["encoder"])
    assert result.everything == pytest.approx(1.0, abs=1e-5)
    assert result.nothing == pytest.approx(0.0, abs=1e-5)
    assert result.correlation is not None
    assert -1 <= result.correlation <= 1
    for grid in result.grids:
        assert len(grid.tokens) == len(grid.others) == len(grid.names)
        assert grid.effects.shape == (len(grid.rows), len(grid.tokens) + 1)
        assert grid.first_order.shape == grid.effects.shape
        summed = grid.first_order[:, :-1].sum(axis=1)
        assert grid.first_order[:, -1] == pytest.approx(summed, abs=1e-3)


def test_a_window_puts_neighbouring_layers_back_together():
    alone = asked(swap=SWAP, component="attention")
    every = asked(swap=SWAP, component="attention", window=12)
    two = asked(swap=SWAP, component="attention", window=2)
    # All layers at once, whichever a row is named after.
    effects = every.grids[0].effects
    assert np.abs(effects[0] - effects[2]).max() < 1e-4
    # The last row's window ends with the last layer.
    assert two.grids[0].effects[3] == pytest.approx(alone.grids[0].effects[3], abs=1e-4)
    assert np.abs(two.grids[0].effects[0] - alone.grids[0].effects[0]).max() > 0.001
    assert two.correlation is None
    assert "single layers" in str(two.note)


def test_a_window_of_heads_is_of_the_same_head():
    heads = asked(swap=SWAP, component="head", window=12).grids[0]
    for first in range(4):
        same = [row for row, name in enumerate(heads.rows) if name.endswith(f".{first}")]
        for row in same[1:]:
            assert heads.effects[row] == pytest.approx(heads.effects[same[0]], abs=1e-4)


def test_the_program_chooses_a_swap_where_there_is_no_second_text():
    result = asked()
    assert result.is_chosen
    (written,) = result.swap
    old, new = written.split(" > ")
    assert result.other_text == FLOWER.replace(old, new)
    assert len(result.tokens) == len(result.other_tokens)
    again = asked(swap=result.swap)
    assert not again.is_chosen
    assert again.grids[0].effects == pytest.approx(result.grids[0].effects, abs=1e-5)


@pytest.mark.parametrize("name", ["bert-miniature", "gpt2-miniature", "t5-miniature"])
def test_offered_words_make_texts_of_the_same_length(name):
    result = asked(name, swap=SWAP)
    assert {"plant", "flower", "dug"} <= {one.word for one in result.offers}
    model = miniature(name)
    for one in result.offers:
        assert 0 < len(one.others) <= 5
        assert FLOWER[one.start : one.start + len(one.word)] == one.word
        for word in one.others[:2]:
            text = FLOWER[: one.start] + word + FLOWER[one.start + len(one.word) :]
            assert len(model.encode(text).tokens) == len(result.tokens)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"swap": ("plant > extraordinarily",)}, "tokens long, the second"),
        ({"swap": ("plant > plant",)}, "the same to the model"),
        ({"swap": ("oak > elm",)}, "“oak” is not in the text"),
        ({"pair": "I used a [MASK]."}, "tokens long, the second 7"),
        ({"pair": HOUSE.replace("build", "[MASK]")}, "different places"),
        ({"swap": SWAP, "words": ("trowel",)}, "Two words are compared"),
        ({"swap": SWAP, "words": ("trowel", "trowel")}, "Two words are compared"),
        ({"swap": SWAP, "words": ("trowel", "qwertyish")}, "“qwertyish” is no single piece"),
        ({"text": "I used a trowel.", "swap": ("used > use",)}, "mask"),
        ({"text": ""}, "text"),
        ({"swap": SWAP, "direction": "sideways"}, "direction"),
        ({"swap": SWAP, "cell": (0, 99, 0)}, "no such state"),
    ],
)
def test_what_can_not_be_patched_is_refused(fields, words):
    with pytest.raises(UserMistake, match=words):
        asked(**fields)


def test_nothing_is_divided_by_about_nothing():
    """GPT-2 sees nothing behind the mask: the texts give the same measure to it."""
    text = "I used a [MASK] to dig the ground."
    with pytest.raises(UserMistake, match="nothing that could be restored"):
        asked("gpt2-miniature", text=text, pair=text.replace("ground", "garden"), words=TOOLS)


def test_cells_fill_as_they_come_and_a_cancel_stops_it():
    seen = []

    def show(make):
        seen.append(make())

    result = asked(context=Context(show=show), swap=SWAP, component="head")
    found = [one.found for one in seen]
    assert found == sorted(set(found))
    assert 0 < found[0] < found[-1] == result.total
    first = seen[0].grids[0].effects
    # What was shown stays as it was.
    assert np.isnan(first).sum() == result.total - found[0]
    assert result.grids[0].effects[0] == pytest.approx(first[0], abs=1e-6)
    parts = []
    stopping = Context(show=parts.append, is_cancelled=lambda: len(parts) > 1)
    with pytest.raises(Cancelled):
        asked(context=stopping, swap=SWAP, component="head")
    assert len(parts) == 2


def test_others_are_answered_between_two_rows():
    ways = []
    asked(context=Context(give_way=lambda *_: ways.append(1)), swap=SWAP)
    assert len(ways) == 5


def test_the_table_the_summary_and_the_lists(notes):
    rows = table(notes)
    assert len(rows.rows) == notes.total == 5 * 20
    assert rows.column("effect")[3] == pytest.approx(notes.grids[0].effects[0, 3])
    assert rows.rows[19][3] is None
    row = summary(notes)
    assert (row["row"], row["token"]) == ("embeddings", "plant")
    assert row["effect"] == pytest.approx(0.816, abs=0.002)
    assert row["correlation"] == pytest.approx(notes.correlation)
    (grid,) = json.loads(json.dumps(derived(notes)))["grids"]
    assert np.array(grid["effects"]) == pytest.approx(notes.grids[0].effects)
    assert grid["tokens"][3] == "build"
