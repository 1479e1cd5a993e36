"""The library as a table, through the window: sorted, filtered, measured, copied, compared."""

import csv

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.api.question import FIRST, SECOND
from explorer.choosing.times import SentenceTime
from explorer.engine.messages import LoadModel, MeasureTime
from explorer.paths import Paths
from explorer.program import Program
from explorer.questions.architecture.compare_architectures.question import CHOSEN
from explorer.text.formatting.quantities import measured
from explorer.ui.model_table.dialog import ModelTableDialog
from explorer.ui.model_table.model import NAMES

SECONDS = {"bert-miniature": 0.004, "gpt2-miniature": 0.002}
IDS = (
    *("bert-miniature", "gpt2-miniature", "electra-miniature-discriminator", "gpt3-175b"),
    *("google-bert/bert-large-uncased", "google/electra-large-discriminator"),
)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """Rows of the real library, which are read fast."""
    program = Program(Paths.profile(tmp_path_factory.mktemp("profile")))
    catalogue = program.catalogue(program.plugin_host())
    return tuple(map(catalogue.find, IDS))


def timed(name, parameters):
    seconds = SECONDS[name]
    return SentenceTime(
        checkpoint=name,
        parameters=parameters,
        device="cpu",
        dtype="float32",
        threads=1,
        tokens=9,
        seconds=seconds,
        lower=seconds,
        upper=seconds,
        fastest=seconds,
        runs=7,
        day="2026-01-02",
        share=0.5 if name == "bert-miniature" else 1.0,
    )


@pytest.fixture
def opened(engine, start, library, qtbot):
    """The program with its table open, over the page of masked tokens."""
    sizes = {one.id: one.parameters for one in library}
    engine.catalogue = library
    engine.times = lambda request: timed(request.checkpoint_id, sizes[request.checkpoint_id])
    running = start()
    running.window.view_area.bring_forward("masked_tokens")
    return running, open_table(running, qtbot)


def open_table(running, qtbot):
    running.window.menus.action("model_table").trigger()
    qtbot.waitUntil(lambda: running.window.findChild(ModelTableDialog) is not None)
    dialog = running.window.findChild(ModelTableDialog)
    qtbot.waitUntil(lambda: len(dialog._rows.rows) == len(IDS))
    return dialog


def ids(dialog):
    return [one.id for one in dialog.table.seen]


def test_rows_are_sorted_filtered_and_copied_as_they_are_seen(opened, library, qtbot, tmp_path):
    _running, dialog = opened
    table = dialog.table
    assert ids(dialog) == list(IDS)
    sizes = {one.id: one.parameters for one in library}
    header = table.horizontalHeader()
    place = NAMES.index("parameters")
    for falls in (False, True):
        x = header.sectionViewportPosition(place) + 10
        QTest.mouseClick(
            header.viewport(), Qt.MouseButton.LeftButton, pos=header.rect().center().__class__(x, 8)
        )
        there = sorted((one for one in IDS if sizes[one]), key=sizes.get, reverse=falls)
        assert ids(dialog) == [*there, *(one for one in IDS if not sizes[one])]
    assert table.sorted_by == "-parameters"
    table.sort_by("-flops")
    assert ids(dialog)[:2] == [
        "google/electra-large-discriminator",
        "google-bert/bert-large-uncased",
    ]
    table.sort_by("flops")
    assert ids(dialog)[:2] == [
        "google-bert/bert-large-uncased",
        "google/electra-large-discriminator",
    ]
    # Who can be asked what is in front: as the library has it, once loaded.
    dialog.askable.setChecked(True)
    assert set(ids(dialog)) == {one.id for one in library if "masked_tokens" in one.operations}
    dialog.search.setText("LARGE bert")
    assert ids(dialog) == ["google-bert/bert-large-uncased"]
    dialog.search.setText("nonsense")
    assert table.isHidden()
    assert not dialog.empty.isHidden()
    assert not dialog.export.isEnabled()
    dialog.search.clear()
    dialog.askable.setChecked(False)
    dialog.family.setCurrentIndex(dialog.family.findData("electra"))
    dialog.where.setCurrentIndex(dialog.where.findData("bundled"))
    assert ids(dialog) == ["electra-miniature-discriminator"]
    dialog.head.setCurrentIndex(dialog.head.findData("Masked language model"))
    assert ids(dialog) == []
    dialog.family.setCurrentIndex(0)
    assert ids(dialog) == ["bert-miniature"]
    dialog.head.setCurrentIndex(dialog.head.findData("Replaced-token detection"))
    assert ids(dialog) == ["electra-miniature-discriminator"]
    # The clipboard has the columns that are seen, the file all of them.
    QTest.keyClick(dialog.search, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    names, cells = (
        line.split("\t") for line in QApplication.clipboard().text().strip().split("\n")
    )
    assert tuple(names) == table.shown
    copied = dict(zip(names, cells, strict=True))
    assert copied["parameters"] == str(sizes["electra-miniature-discriminator"])
    assert copied["asked"] == "no"
    assert copied["seconds"] == ""
    dialog._write(tmp_path / "models.csv")
    with (tmp_path / "models.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert tuple(row) == NAMES
    assert {name: row[name] for name in copied} == copied
    assert "predicts tokens" in row["why_not"]


def test_ticked_models_are_measured_loaded_and_compared(opened, engine, qtbot):
    running, dialog = opened
    table = dialog.table
    QTest.keyClick(dialog.search, Qt.Key.Key_Down)
    assert table.current.id == IDS[0]
    # Space ticks where the keyboard is, Enter loads.
    for _one in range(2):
        QTest.keyClick(table, Qt.Key.Key_Space)
        QTest.keyClick(table, Qt.Key.Key_Down)
    assert dialog._rows.ticked == IDS[:2]
    assert table.current.id == IDS[2]
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert engine.requests(LoadModel)[-1].checkpoint_id == IDS[2]
    # One after the other; what came stays when the rest is given up.
    engine.held.add("measure")
    dialog.measure.click()
    assert not dialog.bar.isHidden()
    engine.held.clear()
    engine.release("measure")
    qtbot.waitUntil(lambda: not dialog.times.is_busy)
    assert [one.checkpoint_id for one in engine.requests(MeasureTime)] == list(IDS[:2])
    shown = {one.id: (one.seconds, one.measured_as) for one in table.seen}
    assert {one: shown[one][0] for one in IDS} == {one: SECONDS.get(one) for one in IDS}
    assert shown["gpt2-miniature"][1] == "float32 on cpu"
    # What was measured while other programs were at work does not look like the others.
    at, rows = NAMES.index("seconds"), {one.id: n for n, one in enumerate(dialog._rows.rows)}
    cells = {one: dialog._rows.index(rows[one], at).data() for one in IDS}
    assert cells["bert-miniature"] == f"≈ {measured(SECONDS['bert-miniature'])}"
    assert cells["gpt2-miniature"] == measured(SECONDS["gpt2-miniature"])
    table.sort_by("seconds")
    assert ids(dialog)[:2] == ["gpt2-miniature", "bert-miniature"]
    engine.held.add("measure")
    dialog.measure.click()
    dialog.stop.click()
    qtbot.waitUntil(lambda: not dialog.times.is_busy)
    assert len(engine.requests(MeasureTime)) == 3
    dialog.load_both.click()
    both = engine.requests(LoadModel)[-2:]
    assert [(one.slot, one.checkpoint_id) for one in both] == list(zip("AB", IDS, strict=False))
    dialog.compare.click()
    document = running.bench.state.document
    assert tuple(CHOSEN[role].of(document) for role in (FIRST, SECOND)) == IDS[:2]
    assert running.window.view_area.current.question == "compare_architectures"
    # Three can't be laid side by side by the page: the table does it.
    dialog._rows.tick([IDS[2]], True)
    assert not dialog.compare.isEnabled()
    dialog.ticked_alone.setChecked(True)
    assert sorted(ids(dialog)) == sorted(IDS[:3])
    # Columns, sorting and what was measured are there when it is opened again.
    table._show_column("mnli", True)
    dialog.close()
    qtbot.waitUntil(lambda: running.window.findChild(ModelTableDialog) is None)
    again = open_table(running, qtbot)
    assert "mnli" in again.table.shown
    assert again.table.sorted_by == "seconds"
