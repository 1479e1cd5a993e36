"""Trained tokenizers on screen."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from explorer.document import Document
from explorer.questions.tokenizers.side_by_side.question import TOKENIZERS
from explorer.questions.tokenizers.train_tokenizer.options import (
    ALGORITHMS,
    FILE,
    FIND,
    ROWS,
    SAVED,
    SHOW,
    START,
    VOCABULARY,
    Algorithm,
)
from explorer.questions.tokenizers.train_tokenizer.question import TrainTokenizerRequest
from explorer.questions.tokenizers.train_tokenizer.trainer.folder import FAMILIES
from explorer.text.formatting.numbers import whole
from explorer.ui.blocks.aligned.block import AlignedRows
from explorer.ui.blocks.chips import Chips
from explorer.ui.blocks.page.page import Run
from explorer.ui.blocks.page.shown import Origin, Pinned
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.charts.block import ChartBlock
from tests.hf import tiny
from tests.ui.pages import kind_of, words_on

TEXT = "The chef cooked unbelievably 한글 😀"


@pytest.fixture(scope="module")
def result():
    return tiny.ask(None, TrainTokenizerRequest(TEXT))


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("mine") / "mine.txt"
    path.write_text("the chef cooked the soup\n", "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def untrained(file):
    return tiny.ask(None, TrainTokenizerRequest(TEXT, path=file, train=False))


@pytest.fixture
def view(shown):
    return shown(kind_of("train_tokenizer"))


def blocks_of(view, kind, now=None, **changes):
    """Blocks of a kind, those in cards too."""
    shown = replace(view.shown(), **({} if now is None else {"now": now}), **changes)
    every = []
    for block in view.declared.blocks(shown):
        every += (
            [one for card in block.cards for one in card.blocks]
            if hasattr(block, "cards")
            else [block]
        )
    return [one for one in every if isinstance(one, kind)]


def chip(view, words, now=None):
    chips = [one for block in blocks_of(view, Chips, now) for one in block.chips]
    return next(one for one in chips if one.words == words)


def set_to(option, value):
    return Document(TEXT).with_option(option.key, option.written(value))


def test_the_text_stands_above_a_row_for_each(view, result):
    view.show_result(result, Document(TEXT))
    (rows,) = blocks_of(view, AlignedRows)
    assert [row.label for row in rows.rows] == ["WordPiece", "byte-level BPE", "BPE", "unigram"]
    said = words_on(view)
    assert "Trained on 3,000 lines of the small world" in said
    assert "the library does not do" in said


def test_of_a_file_it_only_looks_until_train_is_pressed(view, untrained, file):
    document = set_to(FILE, file)
    view.show_result(untrained, document)
    assert "Not trained on this text yet: WordPiece, byte-level BPE" in words_on(view)
    assert not view.request_of(document).train
    assert isinstance(chip(view, "Train").act, Run)
    view.act(Run())
    assert view.request_of(document) == TrainTokenizerRequest(TEXT, path=file)
    assert "Tokenizers are being trained" in words_on(view)
    # A model that is loaded meanwhile has nothing to do with it.
    view.set_models({"A": SimpleNamespace()}, "A")
    assert view.request_of(document).train
    assert not view.saves[0].isEnabled()


def test_the_small_world_is_trained_on_without_being_asked_for(view, result):
    view.show_result(result, Document(TEXT))
    request = view.request_of(set_to(VOCABULARY, 900.0))
    assert request == TrainTokenizerRequest(TEXT, vocabulary=900)


def test_an_algorithm_is_left_out_with_a_click(view, result):
    view.show_result(result, Document(TEXT))
    switches = [chip(view, name) for name in ("WordPiece", "BPE")]
    assert [one.pressed for one in switches] == [True, True]
    left = switches[0].act.on(Document(TEXT))
    assert TrainTokenizerRequest.of(left).algorithms == tuple(Algorithm)[1:]
    assert ALGORITHMS.of(switches[0].act.on(left)) == (*ALGORITHMS.of(left), "wordpiece")


def test_a_file_of_the_users_can_be_left_again(view, untrained, file):
    document = set_to(FILE, file)
    view.show_result(untrained, document)
    view.set_document(document)
    assert "File: mine.txt" in words_on(view)
    act = chip(view, "Use the small world's text", document).act
    assert FILE.of(act.on(document)) == ""


def test_every_merge_is_reached(view, result):
    view.show_result(result, Document(TEXT))
    one = result.trained[0]
    merges = blocks_of(view, BarTable)[-1]
    assert [row.label for row in merges.rows] == [one.pieces[n] for n in one.merges[:ROWS, 2]]
    assert merges.rows[0].cells[1:3] == tuple(one.pieces[n] for n in one.merges[0, :2])
    now, seen = Document(TEXT), []
    while True:
        seen += [row.cells[0] for row in blocks_of(view, BarTable, now)[-1].rows]
        after = chip(view, "Forward", now).act.on(now)
        if START.of(after) == START.of(now):
            break
        now = after
    assert seen == [whole(rank) for rank in range(len(one.merges))]
    assert START.of(chip(view, "Back", now).act.on(now)) == START.of(now) - ROWS
    last = chip(view, "Last").act.on(Document(TEXT))
    assert START.of(last) == START.of(now)
    assert START.of(chip(view, "First", now).act.on(now)) == 0


def test_a_piece_is_found_by_its_letters(view, result):
    view.show_result(result, Document(TEXT))
    one = result.trained[0]
    rows = blocks_of(view, BarTable, set_to(FIND, "chef"))[-1].rows
    assert [row.label for row in rows] == [
        one.pieces[made] for made in one.merges[:, 2] if "chef" in one.pieces[made]
    ]
    assert rows
    view.set_document(set_to(FIND, "qqq"))
    assert "No piece that was learnt has “qqq” in it." in words_on(view)


def test_a_unigram_model_has_probabilities(view, result):
    view.show_result(result, Document(TEXT))
    chips = [one for block in blocks_of(view, Chips) for one in block.chips]
    show = next(one for one in chips if one.key == ("show", "unigram"))
    now = show.act.on(Document(TEXT))
    assert SHOW.of(now) == "unigram"
    pieces = blocks_of(view, BarTable, now)[-1]
    one = result.trained[-1]
    assert pieces.rows[0].label == one.pieces[one.special]
    view.set_document(now)
    assert f"{100 * one.total:.1f} %" in words_on(view)


def test_curves_of_both_parts_and_of_the_pinned_answer(view, result):
    view.show_result(result, Document(TEXT))
    fertility, length = blocks_of(view, ChartBlock)[0].charts
    one = result.trained[0]
    assert fertility.series[0].y == pytest.approx(one.fertility[0])
    assert fertility.series[1].y == pytest.approx(one.fertility[1])
    assert length.series[0].y == pytest.approx(one.length[0])
    pinned = Pinned(result, Document(TEXT), Origin("2026-11-22"))
    with_pinned = blocks_of(view, ChartBlock, pinned=pinned)[0].charts[0]
    assert len(with_pinned.series) == len(fertility.series) + len(result.trained)


def test_it_is_saved_as_a_folder_and_laid_side_by_side(view, result, qtbot, tmp_path):
    document = set_to(SHOW, "unigram")
    view.show_result(result, document)
    view.set_document(document)
    edits, made = [], []
    view.edit_requested.connect(edits.append)
    view.folder_made.connect(made.append)
    (save,) = view.saves
    assert save.isEnabled()
    assert save.declared.file_name(view.shown()) == "unigram-small-world-800"
    place = tmp_path / "mine"
    save.begin(place)
    assert save.said == f"Saved {place}."
    assert (place / "tokenizer.json").is_file()
    now = edits[0].on(document)
    assert SAVED.of(now) == str(place)
    assert made == [str(place)]
    view.set_document(now)
    assert f"Saved in {place}." in words_on(view)
    beside = chip(view, "Add it to “Tokenizers side by side”", now).act.on(now)
    assert TOKENIZERS.of(beside) == (*FAMILIES, str(place))
    view.set_document(beside)
    assert "It is a row of “Tokenizers side by side”." in words_on(view)
    save.begin(place)
    assert save.said.startswith("Not saved: mine is there already")
    (tmp_path / "file").write_text("")
    save.begin(tmp_path / "file" / "inside")
    assert save.said.startswith("Not saved: ")
    assert len(edits) == 1
