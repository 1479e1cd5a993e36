"""A notice: its words have room, whatever buttons stand in it."""

import pytest
from PySide6.QtWidgets import QLabel, QToolButton

from explorer.ui.notices.notices import LEAST_TEXT, Notice, Notices

SAID = "GPT-2 XL was not loaded: it takes 13.4 GB as float32, and 7.9 GB are free."
WAYS = ("Load as 8 bit", "Load as 4 bit", "Load with the disk")


@pytest.fixture
def notices(qtbot):
    made = Notices()
    qtbot.addWidget(made)
    actions = tuple((label, lambda: None) for label in WAYS)
    made.tell(Notice("load", SAID, actions=actions, details="a traceback"))
    made.show()
    return made


def test_several_buttons_stand_below_a_text_that_they_would_leave_no_room(notices, qtbot):
    (bar,) = notices.bars
    text = bar.findChild(QLabel, "notice_text")
    names = [*(f"notice_action_{number}" for number in range(3)), "notice_show_details"]
    buttons = [bar.findChild(QToolButton, name) for name in names]

    def are_below():
        return min(one.y() for one in buttons) > text.geometry().bottom()

    def are_beside():
        return min(one.x() for one in buttons) > text.geometry().right()

    for width, are_placed in ((1000, are_beside), (640, are_below), (1000, are_beside)):
        notices.resize(width, 200)
        qtbot.waitUntil(are_placed)
        assert text.width() >= LEAST_TEXT
        assert [one.x() for one in buttons] == sorted(one.x() for one in buttons)
        assert buttons[-1].geometry().right() < bar.width() <= width
