"""A picture of an answer without a window: what the command line writes."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication

from explorer.api.question import Detail
from explorer.engine.plugins.border.code import blamed
from explorer.export_choices import Form, PictureChoice
from explorer.headless import AnsweredRun
from explorer.questions import brought
from explorer.sessions.export.tables import write_atomically
from explorer.text import _, language, said
from explorer.text.lists import one_after_another
from explorer.ui.blocks.page.page import Page
from explorer.ui.blocks.page.shown import Origin, Shown
from explorer.ui.export.figure_parts import leaves_of, named, parts_of
from explorer.ui.export.legibility import illegible
from explorer.ui.export.paper import PaperPicture, printed
from explorer.ui.theme.letters import letters_by_script, without_font, words_on_lacking
from explorer.ui.views import listed, page_faults
from explorer.ui.web.block import WebBlock, draw_unseen

Drawn = TypeVar("Drawn")
_KEPT: list[object] = []
DRAFT = 72
"""Dots an inch of a picture that nobody looks at."""


def save_alone(
    answered: AnsweredRun,
    files: Sequence[tuple[Path, Form]],
    choice: PictureChoice,
    parts: Sequence[str] = (),
) -> None:
    """Write pictures of an answer's page; what they lack is told on standard error.

    Args:
        answered: Question and answer, with the details that the page wants.
        files: Each with its form.
        choice: Their size, and what is to be seen.
        parts: Names of the parts that are shown; none for as many as a figure holds.

    Raises:
        UserMistake: The page has no part of such a name.
        MachineFault: A file can't be written, or a part of the page can't be drawn here.
        PluginFault: The page of a plugin's question failed.
    """
    made = raised(answered, lambda: page_alone(answered, choice, parts, whole=False))
    for path, form in files:
        write_atomically(path, raised(answered, partial(made.written, replace(choice, form=form))))
    tell_of_size(made, choice, chosen=bool(parts))
    document = answered.run.document
    tell_of_boxes((document.text, document.pair or ""))


def draw_every_way(answered: AnsweredRun, locale: Path) -> str:
    """Draw the page of an answer light and dark, in every language that there are texts in.

    That of a plugin is drawn as narrow as a column of a journal, too: about the least width that it
    has in a window.

    Args:
        answered: Question and answer, with the details that the page wants.
        locale: The languages' folder.

    Returns:
        What can't be read there; "" where all can.

    Raises:
        MachineFault: A part of it can't be drawn here.
        PluginFault: The page of a plugin's question failed.
        Exception: Whatever else a page raises.
    """
    before = language.current()
    try:
        for code in language.available(locale):
            language.use(language.find(code, locale) or language.ENGLISH)
            for dark in (False, True):
                drawn = PictureChoice(dpi=DRAFT, dark=dark)
                raised(answered, partial(_drawn, answered, drawn))
            if answered.run.operation in brought():
                narrow = page_alone(answered, PictureChoice(size="column", title=False))
                if wrong := illegible(narrow.figure):
                    return _(
                        "{width} mm wide, in {language}: {wrong}",
                        width=f"{narrow.width:.0f}",
                        language=language.name_of(code),
                        wrong=wrong,
                    )
    finally:
        language.use(before)
    return ""


def raised(answered: AnsweredRun, draw: Callable[[], Drawn]) -> Drawn:
    """What draws the page of an answer; what its plugin raises is its own fault."""
    one = brought().get(answered.run.operation)
    with page_faults.raised():
        return draw() if one is None else blamed(one.title, one.folder, draw)


def _drawn(answered: AnsweredRun, choice: PictureChoice) -> bytes:
    return page_alone(answered, choice).written(choice)


def details_wanted(answered: AnsweredRun) -> Sequence[Detail]:
    """What the page of an answer can't be drawn without, by what is there already.

    Raises:
        PluginFault: The page of a plugin's question failed.
    """
    with page_faults.raised():
        return page_of(answered).wanted(shown_of(answered))


def page_alone(
    answered: AnsweredRun, choice: PictureChoice, parts: Sequence[str] = (), *, whole: bool = True
) -> PaperPicture:
    """The page of an answer, laid out as it was chosen.

    Args:
        answered: Question and answer, with the details that the page wants.
        choice: The size, and what is to be seen.
        parts: Names of the parts that are shown.
        whole: Where none are named, all are shown; else as many as a figure holds.

    Raises:
        UserMistake: The page has no part of such a name.
        MachineFault: A part of it can't be drawn here.
    """
    begin_drawing()
    page, shown, run = page_of(answered), shown_of(answered), answered.run
    off: frozenset[str] | None = frozenset() if whole else None
    if parts:
        off = parts_left_out(page, shown, parts)
    draw_web_blocks(page, shown, choice)
    return printed(page, shown, Origin.of_run(run), _(page.of.title), choice, off)


def begin_drawing() -> None:
    """What is to be there before a page is drawn without a window."""
    # A browser on the page needs it; Qt takes it before the first window alone.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    # Kept by Qt to the end: what paints letters asks it for their fonts.
    _KEPT.append(QApplication.instance() or QApplication([]))


def draw_web_blocks(page: Page, shown: Shown, choice: PictureChoice) -> None:
    """Draw what a browser draws of a page."""
    for block in page.alone(shown):
        if isinstance(block, WebBlock):
            draw_unseen(block.web, "dark" if choice.dark else "light")


def parts_left_out(page: Page, shown: Shown, parts: Sequence[str]) -> frozenset[str]:
    """Where the parts stand that a picture leaves out which shows some by their names.

    Raises:
        UserMistake: The page has no part of such a name.
    """
    known = parts_of(page, shown)
    kept = {one.path for one in named(known, parts)}
    return frozenset(one.path for one in leaves_of(known)) - kept


def tell_of_size(made: PaperPicture, choice: PictureChoice, *, chosen: bool = False) -> None:
    """Say on standard error what a figure leaves out, and where it is higher than its place."""
    if made.left_out and not chosen:
        names = one_after_another(made.left_out)
        told = _("The picture leaves out: {parts}.", parts=names)
        what_to_do = _("--part NAME shows a part, --part all every one.")
        sys.stderr.write(f"{told} {what_to_do}\n")
    if not made.fits:
        sys.stderr.write(f"{made.too_high(choice)}\n")


def tell_of_boxes(texts: Iterable[str]) -> None:
    """Say on standard error which script of a picture is drawn as boxes, and what helps."""
    own = language.NAMES.get(language.current().code, "")
    for letter in without_font(letters_by_script((own, *texts)).values()):
        problem, remedy = words_on_lacking(letter)
        sys.stderr.write(f"{said(problem)} {said(remedy)}\n")


def page_of(answered: AnsweredRun) -> Page:
    """How the answers of its question look."""
    return next(one.view.declared for one in listed() if one.of.name == answered.run.operation)


def shown_of(answered: AnsweredRun) -> Shown:
    """An answer as its page shows it."""
    run, details = answered.run, {**answered.beside, **answered.details}
    return Shown(run.result, run.document, run.document, details=details, complete=tuple(details))
