"""An answer that can be chosen is read whole in a narrow panel."""

from PySide6.QtWidgets import QWidget

from explorer.ui.lectures.asking.choice import ChoiceButton

WORDS = "They have nothing to do with each other, neither here nor in R&D"


def test_words_wrap_in_their_room(qtbot):
    room = QWidget()
    qtbot.addWidget(room)
    choice = ChoiceButton(WORDS, room)
    room.show()
    choice.resize(900, 30)
    assert choice.text().replace("&&", "&") == WORDS
    low = choice.sizeHint().height()
    choice.resize(180, 30)
    assert choice.text().replace("\n", " ").replace("&&", "&") == WORDS
    assert choice.sizeHint().width() <= 180
    assert choice.sizeHint().height() > 2 * low
    assert choice.accessibleName() == WORDS
    choice.resize(900, 30)
    assert choice.sizeHint().height() == low
