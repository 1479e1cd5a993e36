"""Models and samples, as they are found by words."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.questions import all_questions
from explorer.samples.samples import samples
from explorer.text import _, said
from explorer.text.every_language import EveryLanguage
from explorer.ui.theme.icons import icon
from explorer.ui.window.menus.ranking import EntryKind, MenuCommand

if TYPE_CHECKING:
    from explorer.ui.window.host import HostWindow


def models_of(window: "HostWindow", parent: QObject) -> Iterator[MenuCommand]:
    """The library's models: one that is here is loaded, another shown where it can be fetched.

    Nothing is downloaded by it.
    """
    for checkpoint in window.bench.checkpoints.all:
        done, does = _done_with(window, checkpoint)
        yield MenuCommand(
            _action(parent, does),
            checkpoint.title,
            done,
            said(checkpoint.architecture),
            EntryKind.MODEL,
            (checkpoint.id,),
            (),
            icon("cube-outline"),
        )


def samples_of(
    window: "HostWindow", parent: QObject, everywhere: EveryLanguage
) -> Iterator[MenuCommand]:
    """The sentences to begin with, by their titles and their words."""
    for sample in samples():
        action = _action(parent, partial(window.sentence.take_sample, sample))
        title = _(sample.title)
        page = _(all_questions()[sample.view].title) if sample.view else _("Samples")
        about = "\n".join(text for text in (sample.text, sample.pair) if text)
        names = everywhere.of(title)
        yield MenuCommand(
            action, title, page, about, EntryKind.SAMPLE, names, (), icon("playlist-star")
        )


def _done_with(window: "HostWindow", checkpoint: Checkpoint) -> tuple[str, Callable[[], object]]:
    actions = window.bench.actions
    if checkpoint.source is Source.CONFIG and checkpoint.architecture:
        return _("Show its architecture"), partial(actions.activate, checkpoint)
    if checkpoint.source is Source.HUB or checkpoint.problem:
        return _("Show in the library"), partial(_show, window, checkpoint)
    slot = window.bench.models.active
    return _("Load as {slot}", slot=slot), partial(actions.activate, checkpoint, slot)


def _show(window: "HostWindow", checkpoint: Checkpoint) -> None:
    window.open_library()
    window.library.choose(checkpoint.id)


def _action(parent: QObject, does: Callable[[], object]) -> QAction:
    action = QAction(parent)
    action.triggered.connect(lambda _checked=False: does())
    return action
