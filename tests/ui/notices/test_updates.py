"""Help > Check for updates: nothing before the click, one sentence after it."""

import pytest

from explorer import __version__
from explorer.api.question import MachineFault
from explorer.ui.notices.notices import NoticeBar
from explorer.ui.notices.updates import KEY
from explorer.updates import newest as asking
from explorer.updates.newest import Newest


@pytest.fixture
def window(start):
    return start(wait=False).window


@pytest.fixture
def answers(monkeypatch):
    """What the index says; and how often it was asked."""
    asked, answer = [], [Newest(__version__, is_newer=False)]

    def newest(*, offline):
        asked.append(offline)
        if isinstance(answer[0], Exception):
            raise answer[0]
        return answer[0]

    monkeypatch.setattr(asking, "newest", newest)
    return asked, answer


def said(window):
    return " ".join(
        f"{bar.notice.text} {bar.notice.hint}"
        for bar in window.notices.findChildren(NoticeBar, f"notice_{KEY}")
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Newest(__version__, is_newer=False), f"This is the newest version, {__version__}."),
        (Newest("99.1", is_newer=True), f"Version 99.1 is there; this is {__version__}. git pull"),
        (MachineFault("The package index can't be reached."), "can't be reached"),
    ],
)
def test_it_asks_on_a_click_alone_and_says_what_came(window, answers, qtbot, answer, words):
    asked, given = answers
    given[0] = answer
    assert asked == []
    window.menus.action("check_updates").trigger()
    qtbot.waitUntil(lambda: words in said(window))
    assert asked == [False]
    qtbot.waitUntil(lambda: window.updates.is_idle)
