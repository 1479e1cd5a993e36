"""The comparison sheet comes back at the next start, as it was."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.api.question import Distribution, Failure, UserMistake
from explorer.document import Document
from explorer.sessions.read.reader import SessionReader
from explorer.text import Phrase
from explorer.ui.blocks.page.shown import Origin, Pinned, Shown, Twin
from explorer.ui.sheet import keeping
from explorer.ui.sheet.entry import SheetEntry
from explorer.ui.sheet.files import sheet_image
from explorer.ui.sheet.kept_entries import KeptEntry, line_of
from explorer.ui.theme.schemes import current_theme
from explorer.ui.views import page_of_question
from explorer.ui.views.one_scale import on_one_scale
from tests.ui.pages import said_in

STORED = Path(__file__).parents[2] / "stored_runs" / "every-question-schema-5.db"
RUNS = {run.operation: run.id for run in SessionReader(STORED).runs() if not run.failed}


@pytest.fixture
def filled(running, qtbot):
    """A window whose sheet holds two answers, the second as the difference to the first."""
    sheet, view = running.window.sheet, running.window.view_of("masked_tokens")
    sheet.add(view)
    view.pin()
    running.bench.state.edit("a dog", Document("the dog ate the meal").with_mask(8, 11))
    qtbot.waitUntil(lambda: running.bench.asking.is_idle)
    sheet.add(view)
    sheet.dialog.title.setText("Cooks and dogs")
    return running


def drawn(running):
    dialog = running.window.sheet.dialog
    return sheet_image(dialog.title.text(), dialog.entries, current_theme().scheme, 1.0)


def told(running):
    dialog = running.window.sheet.dialog
    titles = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    return dialog.title.text(), titles, [(one.caption(), one.table) for one in dialog.entries]


def test_entries_order_captions_and_title_come_back(filled, start):
    before, picture = told(filled), drawn(filled)
    assert [one.baseline is not None for one in filled.window.sheet.dialog.entries] == [False, True]
    filled.close()
    again = start()
    assert told(again) == before
    assert drawn(again) == picture
    # And go on from there.
    again.window.sheet.add(again.window.view_of("masked_tokens"))
    dialog = again.window.sheet.dialog
    dialog.list.setCurrentRow(0)
    dialog.remove.click()
    titles = told(again)[1]
    assert len(titles) == 2
    again.close()
    assert told(start())[1] == titles


def test_what_ends_at_once_has_been_kept(filled, paths, qtbot):
    """As when the process is killed: nothing is written at the end."""
    filled.window.sheet.dialog.list.setCurrentRow(1)
    qtbot.waitUntil(lambda: paths.sheet.exists() and len(lines(paths)) == 3)
    filled.window.sheet.dialog.remove.click()
    qtbot.waitUntil(lambda: len(lines(paths)) == 2)
    assert paths.sheet.stat().st_mode & 0o077 == 0


def lines(paths):
    return paths.sheet.read_text("utf-8").split("\n")


def test_an_empty_sheet_leaves_nothing_behind(filled, start, paths, qtbot):
    qtbot.waitUntil(paths.sheet.exists)
    filled.window.sheet.dialog.clear.click()
    filled.window.sheet.dialog.title.setText("Comparison")
    filled.close()
    assert not paths.sheet.exists()
    assert told(start())[1] == []


def test_a_sheet_that_nobody_looks_at_stays(filled, start, paths):
    filled.close()
    before = lines(paths)
    start().close()
    assert lines(paths) == before


def test_what_can_not_be_read_is_told_and_costs_nothing_else(filled, start, paths):
    filled.close()
    head, first, second = lines(paths)
    paths.sheet.write_text("\n".join((head, first[:-40], second)), "utf-8")
    again = start()
    again.window.sheet.open()
    assert len(told(again)[1]) == 1
    assert again.window.sheet.dialog.said.text() == (
        "1 answer that was on the sheet can't be read by this version of the program."
    )
    again.close()
    paths.sheet.write_text("no sheet at all", "utf-8")
    assert told(start())[1] == []


def test_an_answer_keeps_the_scale_of_the_page_beside_it(qapp):
    page, reader = page_of_question("surprisal"), SessionReader(STORED)
    run = reader.run(RUNS["surprisal"])
    surprises = tuple(
        replace(one, log_probability=3 * one.log_probability) for one in run.result.surprises
    )
    result = replace(run.result, surprises=surprises)
    beside = Shown(result, run.document, run.document, alone=True)
    twin = Twin(beside, Origin.of(run), ("one", "other"), on_one_scale)
    alone = Shown(run.result, run.document, run.document, alone=True)
    entry = SheetEntry(page, replace(alone, twin=twin), Origin.of(run))
    again = KeptEntry(line_of(entry)).entry()
    assert again.shown.twin.titles == ("one", "other")
    assert page.alone(again.shown) == page.alone(entry.shown) != page.alone(alone)


def test_the_file_is_bounded(filled, start, paths, monkeypatch, qtbot):
    entries = filled.window.sheet.dialog.entries
    monkeypatch.setattr(keeping, "MOST_BYTES", len(line_of(entries[0])) + 100)
    dialog = filled.window.sheet.dialog
    dialog.title.setText("Large ones")
    said = "1 answer is too large to be on the sheet at the next start."
    qtbot.waitUntil(lambda: dialog.said.text() == said)
    first = dialog.entries[0].title
    filled.close()
    assert told(start())[1] == [first]


@pytest.mark.parametrize("name", RUNS)
def test_an_answer_to_every_question_can_be_kept(name, qapp):
    stored = SessionReader(STORED).run(RUNS[name])
    page = page_of_question(stored.summary.operation)
    then = SessionReader(STORED).run(RUNS[name])
    pinned = Pinned(then.result, then.document, Origin.of(then))
    shown = Shown(stored.result, stored.document, stored.document, pinned, alone=True)
    entry = SheetEntry(page, shown, Origin.of(stored), "A label")
    again = KeptEntry(line_of(entry)).entry()
    assert (again.title, again.caption(), again.table) == (
        entry.title,
        entry.caption(),
        entry.table,
    )
    assert said_in(page, again.shown) == said_in(page, shown)


def test_what_was_looked_at_and_whole_distributions_are_kept(running, qtbot):
    view = running.window.view_of("masked_tokens")
    (mask,) = view.result.masks
    whole = Distribution(np.log(np.full(8, 0.125, np.float32)), "words")
    result = replace(view.result, masks=(replace(mask, distribution=whole),))
    request = view.of.request_of(view.document)
    refused = replace(request, text="the cat")
    details = {request: result, refused: Failure.of(UserMistake("It is gone."))}
    (card,) = view.shown().cards.values()
    card = replace(card, unavailable={"span_boundary": Phrase("It has no such head.")})
    shown = replace(view.shown(alone=True), details=details, selected=3, cards={"A": card})
    again = KeptEntry(line_of(SheetEntry(view.declared, shown, view.origin))).entry().shown
    assert again.selected == 3
    assert again.cards["A"].stamp == card.stamp
    assert again.title_of(card.stamp) == card.title
    assert again.details[refused] == details[refused]
    (kept,) = again.details[request].masks
    np.testing.assert_array_equal(kept.distribution.values, whole.values)
    assert kept.distribution.vocabulary == "words"
