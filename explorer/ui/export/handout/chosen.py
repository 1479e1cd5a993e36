"""What of a page a handout shows of a step: what it is about, and as much as there is room for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from explorer.export_choices import MILLIMETRES, PictureChoice
from explorer.headless import AnsweredRun
from explorer.text import _
from explorer.ui.blocks.page.focus import focused, is_called
from explorer.ui.blocks.page.page import Page
from explorer.ui.blocks.page.shown import Origin, Shown
from explorer.ui.export.alone import begin_drawing, draw_web_blocks, page_of, shown_of
from explorer.ui.export.figure_parts import FigurePart, leaves_of, parts_of
from explorer.ui.export.legibility import illegible
from explorer.ui.export.paper import SPARE, PaperPicture, printed

ON_SCREEN = 150.0
"""Millimetres of height that a step's picture has on a web page."""
NARROWER = (0.86, 0.74, 0.62, 0.5, 0.42)
"""Shares of a sheet's width that are tried where a picture is too high, as a matrix is."""


@dataclass(frozen=True)
class HandoutChoice(PictureChoice):
    """How a page becomes a picture of a handout.

    Attributes:
        room: Millimetres as far as parts are shown where a step names none.
    """

    room: float = ON_SCREEN

    @property
    def figure_height(self) -> float | None:
        """The room that there is."""
        return self.room


CHOICE = HandoutChoice(
    "svg", "own", MILLIMETRES["columns"], title=False, caption=False, explanations=False
)
"""Pictures of a web page, as wide as the text of a sheet of A4."""
ON_PAPER = replace(CHOICE, millimetres=MILLIMETRES["column"], room=88.0)
"""Of a sheet in two columns: two steps stand in each."""
ACROSS = 0.52
"""Of its height in a column, what a picture across both has at most to stand there."""
TALL = 210.0
"""Millimetres from which on a picture leaves no room for another step in its column."""


@dataclass(frozen=True)
class StepFocus:
    """What of an answer's page a step is about.

    Attributes:
        keys: Of the parts that a film shows, in any language; none for as many as there is room
            for.
        titles: Of what alone is shown, in English: of headings, cards, charts, tables or matrices;
            none for as many parts as there is room for.
    """

    keys: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()

    @staticmethod
    def of(answered: AnsweredRun, titles: Sequence[str]) -> "StepFocus":
        """What the page has of some titles.

        Args:
            answered: Question and answer, with the details that the page wants.
            titles: In English.
        """
        begin_drawing()
        page, shown = page_of(answered), shown_of(answered)
        parts = parts_of(page, shown)
        meant = _meant(parts, titles)
        legends = [one for one in leaves_of(parts) if one.is_legend]
        keys = dict.fromkeys(one.key for one in (*meant, *legends)) if meant else ()
        found = bool(focused(page.alone(shown), titles))
        return StepFocus(tuple(keys), tuple(titles) if found else ())


def picture_of(
    answered: AnsweredRun,
    focus: StepFocus,
    choice: HandoutChoice = CHOICE,
    *,
    is_brief: bool = False,
) -> PaperPicture:
    """The picture of a step's page.

    Args:
        answered: Question and answer, with the details that the page wants.
        focus: What is shown of it.
        choice: How wide it is, and how high it may be.
        is_brief: Its caption names models by their ids alone.

    Raises:
        MachineFault: A part of it can't be drawn here.
    """
    begin_drawing()
    page, shown = page_of(answered), shown_of(answered)
    draw_web_blocks(page, shown, choice)
    # With which versions, and when, is said once for all of them.
    origin = replace(Origin.of_run(answered.run), versions={}, created_at="", is_brief=is_brief)
    made = _as_high_as_there_is_room(page, shown, origin, focus, choice)
    if choice.millimetres > MILLIMETRES["column"] or made.height <= choice.room + SPARE:
        return made
    both = replace(choice, millimetres=MILLIMETRES["columns"])
    across = _as_high_as_there_is_room(page, shown, origin, focus, both)
    is_lower = across.height <= ACROSS * made.height
    return across if is_lower or across.height <= TALL < made.height else made


def _as_high_as_there_is_room(
    page: Page, shown: Shown, origin: Origin, focus: StepFocus, choice: HandoutChoice
) -> PaperPicture:
    """As wide as it can be; where none fits, the lowest, and of those the widest."""
    # What a step is about is as on the stage; where it names nothing, as much as there is room for.
    off: frozenset[str] | None = frozenset() if focus.titles else None
    title, tried = _(page.of.title), []
    shares = NARROWER if choice.millimetres > MILLIMETRES["column"] else ()
    for share in (1.0, *shares):
        narrow = replace(choice, millimetres=choice.millimetres * share)
        made = printed(page, shown, origin, title, narrow, off, titles=focus.titles)
        if share < 1 and illegible(made.figure) is not None:
            break
        tried.append(made)
        if made.height <= choice.room + SPARE:
            return made
        # What is narrower shows the same.
        off = made.off
    return min(tried, key=lambda one: round(one.height))


def _meant(parts: Sequence[FigurePart], titles: Sequence[str]) -> tuple[FigurePart, ...]:
    """The leaves of what is called so."""
    found: list[FigurePart] = []
    for one in parts:
        if any(_is_called(one.title, title) for title in titles):
            found += one.leaves
        else:
            found += _meant(one.inside, titles)
    return tuple(found)


def _is_called(name: str, title: str) -> bool:
    """Whether a part has a title that was given in English; a long one may be cut."""
    whole = name.removesuffix("…")
    return is_called(name, title) or (whole != name and _(title).startswith(whole))
