"""A picture of an answer without a window: what the command line writes."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QApplication

from explorer.api.question import Detail, UserMistake
from explorer.engine.plugins.code import blamed
from explorer.export_choices import Form, PictureChoice
from explorer.headless import AnsweredRun
from explorer.questions import brought
from explorer.sessions.export.tables import write_atomically
from explorer.text import N_, _, language, said
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Origin, Shown
from explorer.ui.export.legibility import illegible
from explorer.ui.export.paper import Printed, printed
from explorer.ui.theme.letters import letters_by_script, without_font, words_on_lacking
from explorer.ui.views import listed, page_faults
from explorer.ui.web.block import WebBlock, draw_unseen

_KEPT: list[object] = []
DRAFT = 72
"""Dots an inch of a picture that nobody looks at."""
FORMS: tuple[Form, ...] = ("pdf", "svg", "png")


def choice_of(path: Path, millimetres: float | None, *, dark: bool = False) -> PictureChoice:
    """What a file's ending, a width and a scheme ask for.

    Raises:
        UserMistake: The ending is another.
    """
    ending = path.suffix.lower().removeprefix(".")
    form = next((one for one in FORMS if one == ending), None)
    if form is None:
        raise UserMistake(
            N_("A picture can't be written as {form}."),
            N_("Choose a name that ends in .pdf, .svg or .png."),
            form=ending or _("a file without an ending"),
        )
    if millimetres is None:
        return PictureChoice(form, dark=dark)
    return PictureChoice(form, "own", millimetres, title=False, caption=False, dark=dark)


def save_alone(answered: AnsweredRun, path: Path, choice: PictureChoice) -> None:
    """Write the picture of an answer's page; letters that no font has are told on standard error.

    Args:
        answered: Question and answer, with the details that the page wants.
        path: The file.
        choice: Its form and size.

    Raises:
        MachineFault: The file can't be written, or a part of the page can't be drawn here.
        PluginFault: The page of a plugin's question failed.
    """
    write_atomically(path, _written(answered, choice))
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
                _written(answered, PictureChoice(dpi=DRAFT, dark=dark))
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


def _written(answered: AnsweredRun, choice: PictureChoice) -> bytes:
    """The picture of an answer's page as a file; what its plugin raises is its own fault."""
    one = brought().get(answered.run.operation)

    def picture() -> bytes:
        return page_alone(answered, choice).written(choice)

    with page_faults.raised():
        return picture() if one is None else blamed(one.title, one.folder, picture)


def details_wanted(answered: AnsweredRun) -> Sequence[Detail]:
    """What the page of an answer can't be drawn without, by what is there already.

    Raises:
        PluginFault: The page of a plugin's question failed.
    """
    with page_faults.raised():
        return _page_of(answered).wanted(_shown(answered))


def page_alone(answered: AnsweredRun, choice: PictureChoice) -> Printed:
    """The page of an answer, laid out as it was chosen.

    Args:
        answered: Question and answer, with the details that the page wants.
        choice: The size, and what is to be seen.

    Raises:
        MachineFault: A part of it can't be drawn here.
    """
    # A browser on the page needs it; Qt takes it before the first window alone.
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    # Kept by Qt to the end: what paints letters asks it for their fonts.
    _KEPT.append(QApplication.instance() or QApplication([]))
    page, shown, run = _page_of(answered), _shown(answered), answered.run
    for block in page.alone(shown):
        if isinstance(block, WebBlock):
            draw_unseen(block.web)
    return printed(page, shown, Origin.of_run(run), _(page.of.title), choice)


def tell_of_boxes(texts: Iterable[str]) -> None:
    """Say on standard error which script of a picture is drawn as boxes, and what helps."""
    own = language.NAMES.get(language.current().code, "")
    for letter in without_font(letters_by_script((own, *texts)).values()):
        problem, remedy = words_on_lacking(letter)
        sys.stderr.write(f"{said(problem)} {said(remedy)}\n")


def _page_of(answered: AnsweredRun) -> Page:
    return next(one.view.declared for one in listed() if one.of.name == answered.run.operation)


def _shown(answered: AnsweredRun) -> Shown:
    run, details = answered.run, {**answered.beside, **answered.details}
    return Shown(run.result, run.document, run.document, details=details, complete=tuple(details))
