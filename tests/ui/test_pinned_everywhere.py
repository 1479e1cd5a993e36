"""Every page can be pinned: rows of the same place, and changes that are now less before."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

from explorer.api.question import Table
from explorer.api.question.rows.compared import CHANGE, PINNED, compared, parts_of
from explorer.document import Document, Mask
from explorer.questions import all_questions
from explorer.sessions.read.reader import SessionReader
from explorer.ui.blocks.page.pins import SEEN
from explorer.ui.blocks.page.shown import Origin, Pinned, Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.text import Text
from explorer.ui.views import page_of_question

pytestmark = pytest.mark.gui

STORED = sorted((Path(__file__).parents[1] / "stored_runs").glob("*-schema-[45].db"))
RUNS = {
    run.operation: (path, run.id)
    for path in STORED
    for run in SessionReader(path).runs()
    if not run.failed
}
"""A logged answer to every question: its file, and its number there."""
BEFORE = "Then "
"""What the pinned text begins with."""


def test_every_question_has_an_answer_here():
    assert {*all_questions()} == {*RUNS}


def answer(name):
    """A logged answer to a question, and its page."""
    path, number = RUNS[name]
    stored = SessionReader(path).run(number)
    return stored, page_of_question(stored.summary.operation)


def later(one, far):
    """A place in a text that has so many characters more at its beginning."""
    if one.part or getattr(one, "special", False):
        return one
    return replace(one, start=one.start + far, end=one.end + far)


def of_longer_text(result, far):
    """An answer's twin about a text with more at its beginning."""
    names = {one.name for one in fields(result)} & {"tokens", "words"}
    parts = {name: getattr(result, name) for name in names}
    return replace(
        result,
        **{
            name: tuple(later(one, far) for one in every)
            for name, every in parts.items()
            if every and all(hasattr(one, "end") and hasattr(one, "part") for one in every)
        },
    )


def moved(table):
    """The same rows with other numbers."""
    _keys, values = parts_of(table, table)
    numbers = {one.name for one in values if one.is_number}
    return replace(
        table,
        rows=tuple(
            tuple(
                cell + 0.25 * (n + 1) if name in numbers and isinstance(cell, int | float) else cell
                for name, cell in zip(table.columns, row, strict=True)
            )
            for n, row in enumerate(table.rows)
        ),
    )


@pytest.mark.parametrize("name", RUNS)
def test_rows_are_matched_by_their_place_in_the_text(name, qapp):
    stored, page = answer(name)
    document = stored.document
    longer = replace(
        document,
        text=BEFORE + document.text,
        masks=tuple(
            Mask(m.start + len(BEFORE), m.end + len(BEFORE)) if not m.part else m
            for m in document.masks
        ),
    )
    then = of_longer_text(stored.result, len(BEFORE))
    pinned = Pinned(then, longer, Origin.of(stored))
    shown = Shown(stored.result, document, document, pinned)
    plain = page.rows(replace(shown, pinned=None))
    if plain is None or not plain.rows:
        return
    table = page.rows(shown)
    assert table.columns[: len(plain.columns)] == plain.columns
    assert len(table.columns) == len(set(table.columns)), "nothing is pinned twice"
    assert len(table.rows) == len(plain.rows)
    _keys, values = parts_of(plain, plain)
    for one in values:
        if not one.is_number:
            continue
        both = zip(table.column(one.name), table.column(f"{PINNED}{one.name}"), strict=True)
        for now, before in both:
            assert before is None if now is None else before == pytest.approx(now, nan_ok=True)


@pytest.mark.parametrize("name", RUNS)
def test_a_change_is_now_less_before_and_the_largest_stand_first(name, qapp, monkeypatch):
    stored, page = answer(name)
    document, result = stored.document, stored.result
    pinned = Pinned(replace(result), document, Origin.of(stored))
    shown = Shown(result, document, document, pinned)
    plain = page.rows(replace(shown, pinned=None))
    if plain is None or not plain.rows:
        return
    before = moved(plain)
    monkeypatch.setattr(type(page), "_rows_before", lambda *_: before)
    table = page.rows(shown)
    _keys, values = parts_of(plain, before)
    numbers = [one.name for one in values if one.is_number]
    for at in numbers:
        for row in table.rows:
            cells = dict(zip(table.columns, row, strict=True))
            now, then, far = cells[at], cells[f"{PINNED}{at}"], cells[f"{CHANGE}{at}"]
            if now is not None and then is not None:
                assert far == pytest.approx(now - then, nan_ok=True)
    if page.draws_pinned or not numbers:
        return
    blocks = page.drawn(shown)
    said = [n for n, one in enumerate(blocks) if isinstance(one, Text)]
    (head,) = [n for n in said if blocks[n].text == "Against the pinned answer"]
    (block,) = [one for one in blocks[head:] if isinstance(one, BarTable)]
    assert 0 < len(block.rows) <= SEEN
    titles = [one.title.partition(" (")[0] for one in block.columns]
    far = [row.cells[titles.index("change")] for row in block.rows]
    assert far[0][0] in "+−"
    assert all(one[0] in "+−±–" for one in far)
    assert block.at(366.0).height > 0


def test_a_row_that_is_there_twice_belongs_to_the_next():
    now = Table(("word", "chance"), (("a", 0.5), ("a", 0.25), ("b", 0.1)))
    before = Table(("word", "chance"), (("A", 0.4), ("a", 0.2)))
    table = compared(now, before, {})
    assert table.column("pinned_chance") == (0.2, 0.2, None)
    assert table.column("change_of_chance") == (pytest.approx(0.3), pytest.approx(0.05), None)


def test_what_is_pinned_is_not_shown_against_itself(qapp):
    stored, page = answer("tokens")
    document = stored.document
    pinned = Pinned(stored.result, document, Origin.of(stored))
    alone = Shown(stored.result, document, document)
    assert len(page.drawn(replace(alone, pinned=pinned))) == len(page.drawn(alone))
    assert Document() != document
