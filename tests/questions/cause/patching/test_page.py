"""Patching on screen: cells that fill, a state looked at, words to swap, and what waits."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.api.question import Answered
from explorer.document import Document
from explorer.questions.cause.patching.page import PAGE
from explorer.questions.cause.patching.question import (
    CELL,
    COMPONENT,
    NOISE,
    QUESTION,
    SWAP,
    PatchingRequest,
)
from explorer.questions.cause.patching.wording import row_label
from explorer.ui.document.gestures import Edit
from explorer.ui.matrices.map_block import MapView
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.fake_engine import MINIATURE, card_of
from tests.ui.pages import choose, kind_of, spot, words_on

TEXT = "I will plant the flower, so I dug the ground. I used a [MASK]."
SWAPS = ("plant > build", "flower > house")
ASKED = Document(TEXT).with_option(SWAP.key, list(SWAPS))


@pytest.fixture(scope="module")
def result():
    return tiny.ask(miniature("bert-miniature"), PatchingRequest(TEXT, swap=SWAPS))


@pytest.fixture(scope="module")
def in_full():
    request = PatchingRequest(TEXT, swap=SWAPS, cell=(0, 0, 3))
    return tiny.ask(miniature("bert-miniature"), request)


def asked_of(view):
    """The details that a page asks for from now on."""
    asked = []
    view.detail_wanted.connect(asked.append)
    return asked


@pytest.fixture
def view(shown, result):
    made = shown(kind_of("patching"))
    made.asked = asked_of(made)
    made.show_result(result, ASKED)
    return made


def half(result, rows=2):
    """What there is of an answer after some rows."""
    grid = result.grids[0]
    effects = grid.effects.copy()
    effects[rows:] = np.nan
    return replace(result, grids=(replace(grid, effects=effects),), correlation=None)


def test_a_reader_of_entities_is_told_apart(view, result):
    said = "Entities have states of their own"
    card = replace(card_of(MINIATURE, "A"), stamp=result.model)
    view.set_models({"A": card}, "A")
    assert said not in words_on(view)
    view.set_models({"A": replace(card, operations=(*card.operations, "entities"))}, "A")
    assert said in words_on(view)


def test_the_texts_the_measure_and_the_checks_are_told(view):
    words = words_on(view)
    assert "“trowel” against “excavator”: 7.19 nats with the first text, 0.28" in words
    assert "putting nothing back restores 0.00000 of it, putting everything back 1.00000" in words
    assert "correlation with the shares above is 0.470" in words
    cell = spot(view, ("effect 0", 0, 3))
    assert "the state of “plant” at “build”" in cell.words
    assert "Restored: 81.6 %" in cell.words
    assert "To first order" in cell.words


def test_the_state_that_restores_most_is_looked_at_first(view, result, in_full):
    (wanted,) = view.asked
    assert wanted.request == PatchingRequest(TEXT, swap=SWAPS, cell=(0, 0, 3))
    assert "on its way" in words_on(view)
    view.show_detail(wanted, in_full)
    words = words_on(view)
    assert "on its way" not in words
    assert "Embeddings: the state of “plant” at “build”" in words
    assert "5.92 nats with the state put back; 81.6 % of the difference" in words


def test_a_click_looks_at_another_state(view):
    edits = []
    view.edit_requested.connect(edits.append)
    choose(view, ("effect 0", 2, 5))
    (edit,) = edits
    assert isinstance(edit, Edit)
    moved = edit.on(ASKED)
    assert CELL.of(moved) == (0, 2, 5)
    view.set_document(moved)
    assert view.asked[-1].request.cell == (0, 2, 5)
    # It is a part of the same answer: nothing is asked anew.
    assert view.request_of(moved) == view.request_of(ASKED)


def test_words_are_offered_and_a_click_swaps(view, result):
    edits = []
    view.edit_requested.connect(edits.append)
    (plant,) = (one for one in result.offers if one.word == "plant")
    choose(view, ("swap", plant.others[0]))
    assert SWAP.of(edits[0].on(ASKED)) == (f"plant > {plant.others[0]}",)
    (ground,) = (one for one in result.offers if one.word == "ground")
    view.show_position(ground.position)
    assert spot(view, ("swap", ground.others[0])).words


def test_another_mask_can_be_measured(view):
    text = "I will plant the [MASK], so I used a [MASK]."
    asked = Document(text).with_option(SWAP.key, ["plant > build"])
    two = tiny.ask(miniature("bert-miniature"), PatchingRequest.of(asked))
    first, second = (n for n, one in enumerate(two.tokens) if one.masked)
    assert two.position == first
    view.show_result(two, asked)
    edits = []
    view.edit_requested.connect(edits.append)
    choose(view, ("mask", second))
    request = view.request_of(edits[0].on(asked))
    assert request.position == second
    assert tiny.ask(miniature("bert-miniature"), request).position == second


def test_what_the_program_chose_is_told(shown, result):
    view = shown(kind_of("patching"))
    chosen = replace(result, swap=("plant > build",), is_chosen=True)
    view.show_result(chosen, Document(TEXT))
    assert "the program swapped “plant” for “build”" in words_on(view)


def test_noising_says_what_is_taken_away(shown, result):
    view = shown(kind_of("patching"))
    view.show_result(replace(result, direction=NOISE), ASKED)
    assert "share of the difference that is taken away" in words_on(view)
    assert "Taken away:" in spot(view, ("effect 0", 0, 3)).words


def test_a_part_shows_the_cells_that_are_there(shown, result):
    view = shown(kind_of("patching"))
    asked = asked_of(view)
    view.show_part(half(result), ASKED)
    assert "Restored: 81.6 %" in spot(view, ("effect 0", 0, 3)).words
    assert "Restored: –" in spot(view, ("effect 0", 4, 3)).words
    assert "correlation" not in words_on(view)
    # Nothing more is asked of the engine until all of it is there.
    assert asked == []
    view.show_result(result, ASKED)
    assert len(asked) == 1


def enlarged(result, rows):
    """The same with many rows, as the heads of a large model."""
    grid = result.grids[0]
    effects = np.resize(grid.effects, (rows, grid.effects.shape[1]))
    names = tuple(f"{row // 12}.{row % 12}" for row in range(rows))
    large = replace(grid, rows=names, effects=effects, first_order=effects)
    return replace(result, component="head", grids=(large,))


def test_the_heads_of_a_large_model_are_a_map(shown, result):
    view = shown(kind_of("patching"))
    view.show_result(enlarged(result, 144), ASKED)
    maps = view.page.findChildren(MapView)
    assert len([one for one in maps if not one.isHidden()]) == 2
    # Thousands of cells have no places of their own, but can be looked at all the same.
    assert not [
        one for one in view.page.page.spots if one.key and str(one.key[0]).startswith("effect")
    ]
    edits = []
    view.edit_requested.connect(edits.append)
    maps[0].clicked.emit(143 - 15, 3)
    assert CELL.of(edits[0].on(ASKED)) == (0, 15, 3)
    assert "Layer 1, head 3" in maps[0].words_at(143 - 15, 3)


def test_a_picture_alone_has_both_texts_and_no_gestures(view, in_full):
    (wanted,) = view.asked
    view.show_detail(wanted, in_full)
    shown = view.shown(alone=True)
    made = [type(one).__name__ for one in PAGE.alone(shown)]
    assert "Tokens" in made
    assert "Chips" not in made
    assert "5.92 nats with the state put back" in words_on(view, alone=True)


def test_a_large_model_waits_for_the_run_button(view):
    small = card_of(MINIATURE, "A")
    large = replace(small, parameters=110_000_000)
    assert not QUESTION.is_expensive(ASKED, small, None)
    assert QUESTION.is_expensive(ASKED, large, None)
    answered = replace(view.shown().result, model=large.stamp)
    shown = Answered(answered, ASKED)
    assert not QUESTION.is_expensive(ASKED.with_option(CELL.key, [0, 1, 2]), large, shown)
    assert QUESTION.is_expensive(ASKED.with_option(COMPONENT.key, "head"), large, shown)


def test_rows_are_called_in_the_reader_s_language(speak):
    speak("de", **{"emb.": "Einb."})
    assert [row_label(name).said for name in ("emb.", "0", "0.3")] == ["Einb.", "0", "0.3"]
