"""Models that belong together, and which of a name's models comes first."""

import dataclasses

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.api.family.checkpoint import Source
from explorer.ui.library.pairs import pairs_of, plain_first
from explorer.ui.library.panel.tree import CHECKPOINT, PAIR
from tests.ui.fake_engine import CACHED, HUB, MINIATURE


def model(title, **fields):
    name = title.lower().replace(" ", "-").replace(",", "")
    return dataclasses.replace(MINIATURE, id=name, title=title, **fields)


TEACHER, STUDENT = model("Teacher"), model("Student", teacher="teacher")
JUDGE = model("Judge", partner="writer", operations=("replaced_tokens",))
WRITER = model("Writer", partner="judge", operations=("masked_tokens",))


def test_a_teacher_and_a_discriminator_come_first_and_each_pair_once():
    found = list(pairs_of([STUDENT, WRITER, TEACHER, JUDGE]))
    assert [(one.first.id, one.second.id, one.is_taught) for one in found] == [
        ("teacher", "student", True),
        ("judge", "writer", False),
    ]


@pytest.mark.parametrize(
    "change", [{"source": Source.HUB}, {"source": Source.CONFIG}, {"problem": "It is cut off."}]
)
def test_a_pair_is_one_only_where_both_can_be_loaded(change):
    assert list(pairs_of([STUDENT, dataclasses.replace(TEACHER, **change)])) == []


def test_the_plain_model_stands_before_those_made_of_it():
    titles = ("BERT, answers", "BERT, labels", "BERT", "ELECTRA, answers", "ELECTRA, judge", "T5")
    given = [model(one, partner="x" if "judge" in one else "") for one in titles]
    assert [one.title for one in plain_first(given)] == [
        *("BERT", "BERT, answers", "BERT, labels"),
        *("ELECTRA, judge", "ELECTRA, answers", "T5"),
    ]


@pytest.fixture
def running(start, engine):
    pupil = dataclasses.replace(CACHED, teacher=MINIATURE.id)
    tuned = dataclasses.replace(MINIATURE, id="tuned", title=MINIATURE.title + ", answers")
    rest = (one for one in engine.catalogue if one is not CACHED)
    engine.catalogue = (tuned, *rest, pupil)
    return start()


def row_of_pair(library):
    model = library.tree.model()
    for group in (model.index(row, 0) for row in range(model.rowCount())):
        for row in range(model.rowCount(group)):
            if model.index(row, 0, group).data(PAIR) is not None:
                return model.index(row, 0, group)
    return None


def test_one_click_loads_both_of_a_pair(running, qtbot):
    window, models = running.window, running.bench.models
    models.unload("A")
    window.open_library()
    row = row_of_pair(window.library)
    assert row.data() == f"{MINIATURE.title} + {CACHED.title}"
    window.library.tree.activated.emit(row)
    qtbot.waitUntil(lambda: len(models.cards) == 2)
    assert {slot: card.stamp.id for slot, card in models.cards.items()} == {
        "A": MINIATURE.id,
        "B": CACHED.id,
    }
    assert window.picker.isHidden()


def test_pairs_are_found_by_what_they_are(running):
    library = running.window.library
    library.filter_box.setText("teacher")
    assert row_of_pair(library) is not None
    library.filter_box.setText("generator")
    assert row_of_pair(library) is None


def test_enter_takes_the_plain_model(running, qtbot):
    window, models = running.window, running.bench.models
    models.unload("A")
    window.open_library()
    QTest.keyClicks(window.library.filter_box, MINIATURE.title.lower())
    assert window.library.tree.currentIndex().data(CHECKPOINT).id == MINIATURE.id
    QTest.keyClick(window.library.filter_box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: models.slots_of(MINIATURE.id) == ("A",))


def test_a_download_leaves_the_picker_open(running, engine):
    engine.held.add("download:")
    window = running.window
    window.open_library()
    window.library.choose(HUB.id)
    window.library.tree.activated.emit(window.library.tree.currentIndex())
    assert window.picker.isVisible()
