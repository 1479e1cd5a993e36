"""Tokenizers side by side, on screen."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import Context
from explorer.document import Document
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.shelf import CatalogueShelf
from explorer.questions.tokenizers.side_by_side.parts import DRAWN
from explorer.questions.tokenizers.side_by_side.pooling import gather
from explorer.questions.tokenizers.side_by_side.question import (
    QUESTION,
    SideBySideRequest,
    counted,
)
from explorer.questions.tokenizers.side_by_side.wording import around
from explorer.text import Phrase
from explorer.ui.blocks.aligned.block import AlignedRows
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.chips import Chips
from explorer.ui.blocks.page.page import Halt
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.page import blocks_of_all
from tests.hf import tiny
from tests.hf.kept import MODELS
from tests.ui.pages import kind_of, words_on
from tests.ui.screen_reader import calls_in, listening

TEXT = "The chef's Café, 한 [MASK]"
THREE = ("bert-miniature", "gpt2-miniature", "gpt1-miniature")


@pytest.fixture(scope="module")
def ask():
    host = tiny.families()
    context = Context(shelf=CatalogueShelf(host, Catalogue(host, MODELS)))

    def run(text=TEXT, **more):
        return tiny.ask(None, SideBySideRequest(text, **{"tokenizers": THREE, **more}), context)

    return run


@pytest.fixture
def view(shown, ask):
    made = shown(kind_of("side_by_side"))
    made.show_result(ask(), Document(TEXT))
    return made


def blocks_of(view, kind):
    return [block for block in view.declared.blocks(view.shown()) if isinstance(block, kind)]


def row(view, label):
    (block,) = blocks_of(view, AlignedRows)
    return next(one for one in block.rows if one.label == label)


def test_bytes_are_small_and_coloured(view):
    shown = [(p.text, p.ground, p.small) for p in row(view, "GPT-2").pieces if p.small]
    assert shown[-3:] == [(byte, "pair_fill", True) for byte in ("ED", "95", "9C")]


def test_what_was_changed_is_written_as_it_was_read(view):
    first = row(view, "BERT").pieces[0]
    assert (first.text, first.ink) == ("the", "accent")
    assert "lower case" in first.words
    cafe = next(p for p in row(view, "BERT").pieces if "accents left out" in p.words)
    assert cafe.ink == "accent"


def test_unknown_and_added_pieces_say_so(view):
    *_, korean, mask = row(view, "BERT").pieces
    assert korean.dotted
    assert "Unknown" in korean.words
    assert (mask.text, mask.ground) == ("[MASK]", "mask_fill")
    assert "A token of its own" in mask.words


def test_parts_of_one_letter_are_numbered(view):
    parts = [p.text for p in row(view, "GPT-1").pieces if "/" in p.text]
    assert parts[:3] == ["한 1/3", "한 2/3", "한 3/3"]


def test_the_premium_stands_only_beside_an_english_text(view, ask):
    titles = [column.title for column in blocks_of(view, BarTable)[0].columns]
    assert "times English" not in titles
    view.show_result(ask(english="The chef's"), Document(TEXT))
    titles = [column.title for column in blocks_of(view, BarTable)[0].columns]
    assert titles[-1] == "times English"


def test_what_is_missing_is_said(view, ask):
    view.show_result(ask(tokenizers=(*THREE, "nobody")), Document(TEXT))
    assert "no checkpoint named nobody" in words_on(view)


def test_a_long_text_is_drawn_to_a_length_and_counted_whole(view, ask):
    text = "the chef " * 400
    view.show_result(ask(text), Document(text))
    (block,) = blocks_of(view, AlignedRows)
    assert len(block.text) == DRAWN
    assert max(piece.end for one in block.rows for piece in one.pieces) == DRAWN
    assert blocks_of(view, BarTable)[0].rows[0].cells[0] == "800"


def test_rows_for_export(view):
    tables = view.declared.tables(view.shown())
    assert set(tables) == {"pieces", "numbers"}
    assert [line[0] for line in tables["numbers"].rows] == list(THREE)
    first = tables["pieces"].rows[0]
    assert (first[0], first[2], first[6]) == ("bert-miniature", "the", "The")


def test_the_active_model_s_row_is_bold(view, ask):
    result = ask()
    stamp = replace(result.model, id="gpt2-miniature")
    view.show_result(replace(result, model=stamp), Document(TEXT))
    assert [one.strong for one in blocks_of(view, AlignedRows)[0].rows] == [False, True, False]


def test_a_space_that_stands_nowhere_in_the_text_says_so(ask, view):
    view.show_result(ask("דג chef", tokenizers=("t5-miniature",)), Document("דג chef"))
    space, unknown, *_ = row(view, "T5").pieces
    assert (space.start, space.end, unknown.start, unknown.end) == (0, 1, 0, 2)
    assert "puts before the text" in space.words
    assert "rewritten" not in space.words
    assert all("shares characters" in one.words for one in (space, unknown))


@pytest.mark.parametrize("width", [420, 1100])
def test_pieces_that_share_characters_are_drawn_beside_each_other(view, ask, width):
    text = "צטו  naïve chef's 한 😀 e\u0301a\u0306 สวัสดี مرحبا 👩🏽\u200d🚀 [MASK] \u0303 xyz" * 3
    result = ask(text, tokenizers=())
    view.show_result(result, Document(text))
    (block,) = blocks_of(view, AlignedRows)
    laid = block.at(width)
    drawn = [spot for spot in laid.spots if spot.key[0] == "piece"]
    for number, one in enumerate(result.cuttings):
        own = [spot for spot in drawn if spot.key[2] == number]
        seen = {spot.key[3] for spot in own}
        assert seen == {at for at, start in enumerate(one.starts) if start < DRAWN}
        of_lines = {}
        for spot in own:
            assert spot.box.width() > 0
            of_lines.setdefault(spot.key[1], []).append((spot.box.left(), spot.box.right()))
        for edges in of_lines.values():
            edges.sort()
            assert all(a[1] <= b[0] + 0.01 for a, b in pairwise(edges)), one.checkpoint


def chips_of(view):
    return {one.key: one for block in blocks_of(view, Chips) for one in block.chips}


def test_other_tokenizers_of_the_library_are_offered(view):
    away = Checkpoint("big/away", "Away", Source.HUB, family="bert")
    offline = replace(away, id="big/offline", problem=Phrase("The program is offline."))
    here = replace(away, id="big/here", tokenizer_folder="/tokenizer")
    folder = Checkpoint("/models/own", "Own", Source.FOLDER, "/models/own", family="gpt2")
    told = Checkpoint(THREE[0], "BERT", Source.BUNDLED, "/bert", family="bert")
    view.set_library([told, away, offline, here, folder])
    chips = chips_of(view)
    assert set(chips) == {("fetch", "big/away"), ("add", "big/here"), ("add", "/models/own")}
    added = chips[("add", "/models/own")].act.on(Document(TEXT))
    assert added.option("side_by_side.tokenizers", ()) == [*THREE, "/models/own"]
    fetched = chips[("fetch", "big/away")].act
    assert fetched.checkpoint == "big/away"
    assert fetched.then.on(Document(TEXT)).option("side_by_side.tokenizers", ())[-1] == "big/away"
    view.set_transfers({"big/away": 0.42})
    chip = chips_of(view)[("fetch", "big/away")]
    assert (chip.words, chip.act) == ("Away, 42 %", Halt("big/away"))
    # A picture is of the answer alone.
    assert not [b for b in view.declared.alone(view.shown()) if isinstance(b, Chips)]


def test_a_file_s_numbers_and_what_is_not_read_back(qapp, ask):
    lines = ("The chef.", "the chef", "한국어")
    found = gather([list(counted(ask(line)).values()) for line in lines])
    parts = QUESTION.pool.parts_of(found, {})
    shown = Shown(ask(lines[0]), Document(lines[0]), Document(lines[0]))
    page = page_of(list(blocks_of_all(parts, Looking(QUESTION, shown))), 640.0)
    assert "Tokenizers over the file" in " ".join(node.name for node in page.nodes)
    said = [cell.text for spot in page.spots for cell in spot.cells]
    assert any("every sentence exactly" in cell for cell in said)
    first = "0 of 3 sentences exactly; the first other one reads “the chef.” for “The chef.”"
    assert any(first.replace("0 of", "1 of") in cell or first in cell for cell in said)


def test_it_is_asked_again_when_another_tokenizer_has_come(view, qtbot):
    away = Checkpoint("big/away", "Away", Source.HUB, family="bert")
    view.set_library([away])
    with qtbot.assertNotEmitted(view.run_requested):
        view.set_library([away, replace(away, id="big/known", tokenizer_folder="/known")])
    with qtbot.waitSignal(view.run_requested):
        view.set_library([replace(away, tokenizer_folder="/tokenizer")])


@pytest.fixture
def screen_reader(qapp):
    with listening():
        yield


@pytest.mark.usefixtures("screen_reader")
def test_an_arrow_key_costs_a_screen_reader_the_same_on_a_page_of_any_length(view, ask, qtbot):
    sentence = "The chef's unbelievable Café cooked soup, and the waiter liked it. "
    page, calls = view.page, []
    for length in (60, 540):
        text = (sentence * 9)[:length]
        view.show_result(ask(text), Document(text))
        page.setFocus()
        qtbot.keyClick(page, Qt.Key.Key_End)
        told = QAccessible.queryAccessibleInterface(page)
        last = told.focusChild().text(QAccessible.Text.Name)
        calls.append(calls_in(lambda: qtbot.keyClick(page, Qt.Key.Key_Left)))
        assert told.focusChild().text(QAccessible.Text.Name) != last
        calls.append(calls_in(told.focusChild))
    assert len(page.page.spots) > 500
    assert calls[2:] == pytest.approx(calls[:2], abs=30)


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("the chef's Café and a glass of water", 14, "… chef's Café and a glass …"),
        ("the chef", 0, "the chef"),
        ("the chef's Café and all", 8, "the chef's Café and all"),
        ("x" * 90, 40, "… " + "x" * 18 + " …"),
    ],
)
def test_around_a_place_words_are_whole(text, place, said):
    assert around(text, place) == said
