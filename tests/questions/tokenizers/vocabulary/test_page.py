"""A vocabulary on screen: the table, its search, what is near, and the other pages."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QTableView

from explorer.document import Document
from explorer.questions.tokenizers.vocabulary.options import (
    FILE,
    OVERVIEW,
    PAGE_SHOWN,
    PIECE,
    SEARCH,
    SORT,
    USE,
    WHICH,
    SearchMode,
    Sort,
    Which,
)
from explorer.questions.tokenizers.vocabulary.panel import PiecesPanel, PieceTable
from explorer.questions.tokenizers.vocabulary.question import VocabularyRequest, VocabularyRow
from explorer.questions.tokenizers.vocabulary.rows import VocabularyRows, WantedPieces, write_rows
from explorer.ui.blocks.block import page_of
from explorer.ui.blocks.chips import Chips
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.text import Text
from explorer.ui.charts.block import ChartBlock
from explorer.ui.views.frame.view_frame import FrameState
from tests.hf import tiny
from tests.hf.kept import miniature
from tests.ui.pages import kind_of, words_on


@pytest.fixture
def page(shown, ask):
    view = shown(kind_of("vocabulary"), 1100, 700)

    def show(name="bert-miniature", tab="", **fields):
        now = Document().with_option(PAGE_SHOWN.key, tab) if tab else Document()
        view.set_document(now)
        view.show_result(ask(name, loaded=True, **{"partly": True, **fields}), now)
        return view

    return show


def inside(blocks):
    for block in blocks:
        yield block
        for card in getattr(block, "cards", ()):
            yield from card.blocks


def blocks_of(view, kind, **changes):
    now = replace(view.shown(), **changes)
    return [one for one in inside(view.declared.blocks(now)) if isinstance(one, kind)]


def said(view, **changes):
    return "\n".join(one.text for one in blocks_of(view, Text, **changes))


def panel_of(view, qtbot, rows):
    (panel,) = view.findChildren(PiecesPanel)
    qtbot.waitUntil(lambda: panel.model.rowCount() == rows)
    return panel


def cells(panel, row):
    model = panel.model
    return [model.index(row, column).data() for column in range(model.columnCount())]


def test_the_table_has_every_piece_and_how_it_is_read(page, qtbot):
    panel = panel_of(page(), qtbot, 1600)
    titles = [column.title for column in panel.model.rows.columns]
    assert titles == ["Id", "Piece", "Stands for", "Uses", "Characters", "What it is", "Script"]
    row = next(n for n in range(1600) if panel.model.row(n).piece == "##ing")
    assert cells(panel, row)[1:3] == ["##ing", "…ing"]
    assert cells(panel, row)[4:] == ["3", "continues a word", "Latin"]


def test_bytes_and_signs_that_can_t_be_seen_are_written_readably(page, qtbot):
    panel = panel_of(page("roberta-miniature"), qtbot, 2200)
    rows = {panel.model.row(n).piece: cells(panel, n) for n in range(2200)}
    assert rows["Ġ"][2] == "␣"
    assert rows["¡"][2] == "byte A1"
    assert rows["Ā"][2] == "U+0000"
    assert rows["Ġthe"][2] == "the"
    assert "Bytes" in [column.title for column in panel.model.rows.columns]


def test_a_second_vocabulary_adds_a_column(page, qtbot):
    panel = panel_of(page(against="roberta-miniature"), qtbot, 1600)
    assert panel.model.rows.columns[-1].title == "In both"


def test_marks_are_explained(page):
    assert "“##” comes before a piece" in words_on(page())
    assert "“Ġ” is how a space is written" in words_on(page("gpt2-miniature"))
    assert "“▁” is a space" in words_on(page("t5-miniature"))
    assert "“</w>” ends a word" in words_on(page("gpt1-miniature"))


def test_a_click_or_enter_on_a_piece_asks_what_is_near(page, qtbot):
    view = page(search="cooked")
    panel = panel_of(view, qtbot, 1)
    edits = []
    panel.acted.connect(edits.append)
    panel.view.clicked.emit(panel.model.index(0, 2))
    assert PIECE.of(edits[-1].on(Document())) == "cooked"
    assert edits[-1].name == "look near 'cooked'"
    panel.view.setCurrentIndex(panel.model.index(0, 0))
    qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert len(edits) == 2


def test_a_title_sorts_and_again_the_other_way(page, qtbot):
    view = page()
    panel = panel_of(view, qtbot, 1600)
    edits = []
    panel.acted.connect(edits.append)
    panel.view.horizontalHeader().sectionClicked.emit(3)
    assert SORT.of(edits[-1].on(Document())) == Sort.USES_DOWN
    panel = panel_of(page(sort=Sort.USES_DOWN), qtbot, 1600)
    panel.view.horizontalHeader().sectionClicked.emit(3)
    assert SORT.of(edits[-1].on(Document())) == Sort.USES
    assert edits[-1].name == "sort by uses"
    header = panel.view.horizontalHeader()
    qtbot.waitUntil(lambda: header.sortIndicatorSection() == 3)
    assert header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder


def test_the_chosen_piece_is_selected_in_the_table(page, qtbot):
    panel = panel_of(page(piece="cooked"), qtbot, 1600)
    (index,) = {one.row() for one in panel.view.selectedIndexes()}
    assert panel.model.row(index).piece == "cooked"


def test_a_quarter_of_a_million_pieces_are_read_as_they_are_seen(qtbot, tmp_path, monkeypatch):
    made = VocabularyRow(0, "x", "x", "word", "Latin", 1, 1, 0)
    every = ((replace(made, id=n, piece=f"p{n}", text=f"p{n}"), f"p{n}") for n in range(250_000))
    path = write_rows(tmp_path, "large", lambda: every)
    panel = PiecesPanel()
    qtbot.addWidget(panel)
    panel.resize(600, 500)
    panel.show()
    read = []
    rows = VocabularyRows.rows
    monkeypatch.setattr(
        VocabularyRows, "rows", lambda self, ids: read.append(len(ids)) or rows(self, ids)
    )
    panel.show_content(PieceTable(path, WantedPieces(), False, False, None, Document()))
    # Found on a thread: nothing is there yet, and nothing was waited for.
    assert panel.model.rowCount() == 0
    qtbot.waitUntil(lambda: panel.model.rowCount() == 250_000, timeout=60_000)
    assert cells(panel, 249_999)[1] == "p249999"
    qtbot.waitUntil(lambda: panel.work.is_idle, timeout=60_000)
    assert sum(read) < 2_000
    wanted = WantedPieces(r"^p1\d*7$", SearchMode.PATTERN)
    panel.show_content(PieceTable(path, wanted, False, False, None, Document()))
    expected = [n for n in range(250_000) if re.search(r"^p1\d*7$", f"p{n}")]
    qtbot.waitUntil(lambda: panel.model.rowCount() == len(expected), timeout=60_000)
    assert panel.model.row(0).id == expected[0]


def test_what_is_near_is_a_table_to_walk_on_in(page):
    view = page(piece="cooked", top_k=5)
    (near,) = blocks_of(view, BarTable)
    assert len(near.rows) == 5
    assert PIECE.of(near.rows[0].act.on(Document())) == near.rows[0].label
    assert "Nearest to “cooked”" in said(view)
    assert "By the input embeddings, 128 wide" in said(view)
    assert "96 wide, before they are projected to the 192" in said(
        page("albert-miniature", piece="cooked")
    )


def test_a_search_that_is_a_mistake_is_a_sentence_beside_what_is_near(page):
    view = page(search="(", by=SearchMode.PATTERN, piece="cooked")
    assert "is no regular expression" in said(view)
    assert "Nearest to “cooked”" in said(view)
    assert "No piece is so." in said(page(search="xqxqxq"))


def test_lengths_scripts_and_what_pieces_are(page):
    view = page("roberta-miniature", OVERVIEW)
    places, scripts = blocks_of(view, BarTable)
    assert [row.label for row in places.rows[:2]] == ["whole word or sign", "continues a word"]
    assert scripts.rows[0].label == "Latin"
    (charts,) = blocks_of(view, ChartBlock)
    assert [chart.title for chart in charts.charts] == ["Length in characters", "Length in bytes"]
    (only,) = blocks_of(page("bert-miniature", OVERVIEW), ChartBlock)
    assert len(only.charts) == 1


def test_what_is_shared_is_told_by_text(page):
    view = page("bert-miniature", OVERVIEW, against="roberta-miniature")
    overlap = view.result.overlap
    either = overlap.shared + overlap.here + overlap.there
    assert f"{100 * overlap.shared / either:.0f} % of all texts are in both" in said(view)
    assert "not by how it is spelled" in said(view)
    assert overlap.first_there[0] in said(view)
    assert "Load a second model" in said(page("bert-miniature", OVERVIEW))


def test_what_a_text_uses(page, tmp_path):
    view = page("bert-miniature", USE)
    assert "Counted in 1,000 texts of the small world" in said(view)
    (top,) = blocks_of(view, BarTable)
    assert top.rows[0].cells[0] == f"{view.result.counted.top[0].uses:,}"
    (never,) = [one for block in blocks_of(view, Chips) for one in block.chips]
    after = never.act.on(view.shown().now)
    assert (WHICH.of(after), PAGE_SHOWN.of(after)) == (Which.NEVER, "pieces")
    path = tmp_path / "some.txt"
    path.write_text("the chef", "utf-8")
    view = page("bert-miniature", USE, path=str(path))
    now = view.shown().now.with_option(FILE.key, str(path))
    world = next(one for block in blocks_of(view, Chips, now=now) for one in block.chips)
    assert FILE.of(world.act.on(now)) == ""
    assert "Counted in 1 sentence of" in said(view)


def test_a_pinned_answer_is_marked(page, ask, tmp_path):
    path = tmp_path / "some.txt"
    path.write_text("the chef cooked", "utf-8")
    view = page("roberta-miniature", OVERVIEW)
    view.pin()
    view = page("bert-miniature", OVERVIEW, path=str(path))
    places, _scripts = blocks_of(view, BarTable)
    assert places.rows[0].mark == pytest.approx(1307 / 2200)
    (charts,) = blocks_of(view, ChartBlock)
    assert charts.charts[0].series[-1].name == "pinned"
    now = view.shown().now.with_option(PAGE_SHOWN.key, USE)
    every = inside(view.declared.blocks(replace(view.shown(), now=now)))
    names = [one.name for block in every for one in getattr(block, "numbers", ())]
    assert names[0] == "never used, pinned 55 %"


def test_the_whole_table_is_exported_not_what_is_seen(page):
    view = page(search="co", by=SearchMode.BEGINS, piece="cooked")
    tables = view.declared.tables(view.shown())
    assert len(tables["pieces"].rows) == view.result.found
    assert {"pieces", "groups", "ranks", "neighbours"} == set(tables)
    assert len(tables["neighbours"].rows) == 15
    everything = page()
    assert len(everything.declared.tables(everything.shown())["pieces"].rows) == 1600


def test_without_the_file_the_first_pieces_stay(page):
    view = page()
    Path(view.result.rows).rename(Path(view.result.rows).with_suffix(".gone"))
    try:
        (first,) = blocks_of(view, BarTable)
        assert len(first.rows) == 50
        assert "cleared away" in said(view)
        assert len(view.declared.tables(view.shown())["pieces"].rows) == 50
    finally:
        Path(view.result.rows).with_suffix(".gone").rename(view.result.rows)


def test_a_picture_has_the_first_rows(page, qtbot):
    view = page(piece="cooked")
    laid = page_of(view.declared.alone(view.shown()), 900)
    assert 500 < laid.height < 900


def test_the_window_searches_as_is_typed(engine, running, qtbot, context):
    asked = []

    def answer(request, _card):
        asked.append(request)
        return tiny.ask(miniature("bert-miniature"), request, context)

    engine.answers[VocabularyRequest] = answer
    bench = running.bench
    running.window.view_area.bring_forward("vocabulary")
    frame = bench.asking.askers["vocabulary"].frame
    qtbot.waitUntil(lambda: frame.state is FrameState.RESULT)
    view = running.window.view_of("vocabulary")
    field = view.bar.fields[SEARCH.key]
    assert isinstance(field, QLineEdit)
    field.setFocus()
    qtbot.keyClicks(field, "cooked")
    qtbot.waitUntil(lambda: view.result.search == "cooked")
    panel = panel_of(view, qtbot, 1)
    table = panel.findChild(QTableView, "vocabularyPieces")
    assert table.accessibleName() == "Pieces of the vocabulary"
    panel.choose(0)
    qtbot.waitUntil(lambda: view.result.piece is not None)
    assert bench.state.stack.undoText() == "look near 'cooked'"
    assert asked[-1].piece == "cooked"
    # A pattern that is not yet whole leaves the field where it is.
    bench.edits.set_option("vocabulary.by", SearchMode.PATTERN.value)
    bench.edits.set_option("vocabulary.search", "(")
    qtbot.waitUntil(lambda: bool(view.result.no_search))
    assert frame.state is FrameState.RESULT
    assert field.isVisible()
