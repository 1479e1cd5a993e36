"""The glossary of a window: each term leads to the page or the lesson that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.lectures import LESSONS, lessons
from explorer.text import _
from explorer.ui.notices.reading_pages import GlossaryPage
from explorer.ui.views import listed

if TYPE_CHECKING:
    from explorer.ui.lectures.actions import LectureActions
    from explorer.ui.window.host import HostWindow

LESSON = "lesson:"
"""What a place begins with that is a lesson, as resources/glossary has it."""


def opened_glossary(window: HostWindow, lectures: LectureActions, filtered: str) -> GlossaryPage:
    """The terms with some words, or all; a link goes there and leaves the glossary open."""
    titles = {one.of.name: _(one.of.title) for one in listed()}
    titles |= {f"{LESSON}{one.name}": one.title() for one in lessons().scenes}

    def go(place: str) -> None:
        if place.startswith(LESSON):
            lectures.open_scene(LESSONS, place.removeprefix(LESSON))
        else:
            window.view_area.bring_forward(place)

    page = GlossaryPage(titles, go, window)
    page.filter.setText(filtered)
    return page
