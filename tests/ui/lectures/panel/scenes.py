"""A lecture for the tests of the panel, and hands that use the panel."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from explorer.ui.lectures.scene_list import SCENE

KEY = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton

CHAPTERS = """
[masks]
en = "Masks"
ko = "마스크"
[pairs]
en = "Two models"
"""
FIRST = """
chapter = "masks"
order = 1
sources = ["Devlin et al. 2019, section 3.1", "Liu et al. 2019, table 1 (not checked)"]
[en]
title = "A mask has many answers"
[ko]
title = "마스크의 답은 여럿이다"
[[steps]]
models = ["bert-miniature"]
question = "masked_tokens"
text = "The gardener dug the garden."
masked = ["dug"]
options = { "surprisal.unit" = "bits" }
claims = ["masks[0].predictions[0].word == 'cooked'", "masks[0].predictions[0].probability < 0.9"]
[steps.en]
look = ["Look at the first bar.", "It is the longest.", "Others follow."]
claim = "The best word is cooked."
[steps.ko]
look = ["첫 막대를 보세요."]
[[steps]]
text = "The teacher read a book."
masked = ["book"]
claims = ["masks[0].predictions[0].probability > before.masks[0].predictions[0].probability"]
[steps.en]
look = ["Another sentence."]
claim = "The best word is likelier than before."
"""
SECOND = """
chapter = "pairs"
order = 1
[en]
title = "A second model stands beside the first"
[[steps]]
models = ["bert-miniature", "google-bert/bert-base-uncased"]
question = "masked_tokens"
text = "The chef ate the meal."
masked = ["meal"]
[steps.en]
look = ["Both are loaded."]
"""
GONE = """
chapter = "pairs"
order = 2
[en]
title = "A model that nobody has"
[[steps]]
models = ["somebody/secret-model"]
question = "masked_tokens"
text = "Nobody answers."
"""
PUBLISHED = GONE.replace("nobody has", "is not here yet").replace(
    "somebody/secret-model", "google-bert/bert-large-uncased"
)
UNKNOWN = """
chapter = "pairs"
order = 3
[en]
title = "A question of a plugin"
[[steps]]
question = "crystal_ball"
text = "What will be?"
"""
SCENES = {
    "chapters": CHAPTERS,
    "first": FIRST,
    "second": SECOND,
    "gone": GONE,
    "published": PUBLISHED,
    "unknown": UNKNOWN,
}


def open_panel(window, qtbot):
    if not window.lecture_dock.isVisible():
        QTest.keyClick(window, KEY.Key_F12)
    qtbot.waitUntil(window.lectures.isVisible)
    qtbot.waitUntil(lambda: window.lecture_actions.lecturing.lecture is not None)


def rows(window):
    """Titles of the chapters with those of their scenes, as they are listed."""
    model = window.lectures.list.tree.model()
    places = [model.index(row, 0) for row in range(model.rowCount())]
    return {
        place.data(): [model.index(at, 0, place).data() for at in range(model.rowCount(place))]
        for place in places
    }


def titles(window):
    return [title for scenes in rows(window).values() for title in scenes]


def row_of(window, name):
    model = window.lectures.list.tree.model()
    for row in range(model.rowCount()):
        place = model.index(row, 0)
        for at in range(model.rowCount(place)):
            index = model.index(at, 0, place)
            if index.data(SCENE).name == name:
                return index
    raise LookupError(name)


def told(window, name):
    return row_of(window, name).data(Qt.ItemDataRole.AccessibleTextRole)


def click(window, name):
    tree = window.lectures.list.tree
    index = row_of(window, name)
    tree.scrollTo(index)
    QTest.mouseClick(tree.viewport(), LEFT, pos=tree.visualRect(index).center())


def shows(running, text):
    bench = running.bench
    return lambda: bench.state.document.text == text and bench.asking.is_idle


def said(window, name):
    label = window.lectures.findChild(QLabel, name)
    return label.text() if label is not None and label.isVisible() else ""


def said_in(widget, name):
    return widget.findChild(QLabel, name).text()
