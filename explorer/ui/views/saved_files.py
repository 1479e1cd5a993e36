"""Files of their own kinds that an answer can be saved as: asked where to, written, told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from explorer.api.question import Detail, ExplorerError, Failure
from explorer.text import _
from explorer.ui.blocks.page.page import SavedFile, Writer
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.controls.buttons.shortened_button import ShortenedButton
from explorer.ui.controls.plain_words import plain_tip
from explorer.ui.export.file_dialogs import FileDialogs
from explorer.ui.theme.icon_sizes import icon_in_size
from explorer.ui.theme.icons import icon


class SaveButton(ShortenedButton):
    """Writes one kind of file; of one with parts, one part while the next is brought.

    Args:
        declared: The kind.
        shown: Gives what is on the page; None where there is nothing.
        parent: The page's view.

    Attributes:
        said: How it goes, or went.

    Signals:
        told: The same, whenever it is something else.
        part_wanted: A Detail, to be written next.
        folder_made: The path of one that can be opened as a model.
        acted: A gesture that follows from what was saved.
    """

    told = Signal(str)
    part_wanted = Signal(object)
    folder_made = Signal(str)
    acted = Signal(object)

    def __init__(
        self, declared: SavedFile, shown: Callable[[], Shown | None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.declared = declared
        self.said = ""
        self._shown = shown
        self._dialogs = FileDialogs(parent)
        self._writer: Writer | None = None
        self._path = Path()
        self._parts: list[Detail] = []
        self._count = 0
        self.setObjectName(declared.name)
        self.say_modestly(_(declared.label))
        self.setAccessibleName(_(declared.label))
        self.setToolTip(plain_tip(_(declared.tip)))
        self.setIcon(icon(declared.glyph, "text"))
        icon_in_size(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setEnabled(False)
        self.clicked.connect(self.ask)
        self.hide()

    @property
    def is_busy(self) -> bool:
        """A file is being written."""
        return self._writer is not None

    def enable(self) -> None:
        """Let it be chosen where there is something to save."""
        shown = self._shown()
        self.setEnabled(shown is not None and not self.is_busy and self.declared.when(shown))

    def ask(self) -> None:
        """Ask where to, then begin."""
        shown = self._shown()
        if shown is not None and not self.is_busy:
            name = self.declared.file_name(shown)
            self._dialogs.save(_(self.declared.label), name, self.declared.kind, self.begin)

    def begin(self, path: Path) -> None:
        """Write what is shown now into a file."""
        shown = self._shown()
        if shown is None or self.is_busy:
            return
        self._path = path
        self._parts = list(self.declared.parts(shown))
        self._count = len(self._parts)

        def start() -> None:
            self._writer = self.declared.write(shown, path)

        if self._try(start):
            self._next()

    def take(self, detail: Detail, result: Any) -> bool:
        """Write a part that has come; False for what is none."""
        if self._writer is None or not self._parts or detail != self._parts[0]:
            return False
        writer = self._writer
        if self._try(lambda: writer.take(result)):
            del self._parts[0]
            self._next()
        return True

    def fail(self, detail: Detail, failure: Failure) -> bool:
        """Give up; False for what is none of its own."""
        if self._writer is None or not self._parts or detail != self._parts[0]:
            return False
        self._give_up(failure.said)
        return True

    def _next(self) -> None:
        if self._parts:
            number = self._count - len(self._parts) + 1
            self._say(_(self.declared.writing, number=number, count=self._count))
            self.part_wanted.emit(self._parts[0])
            return
        writer, self._writer = self._writer, None
        if writer is not None and self._try(writer.finish):
            self._say(_("Saved {path}.", path=str(self._path)))
            if self.declared.opens:
                self.folder_made.emit(str(self._path))
            shown = self._shown()
            if shown is not None and self.declared.then is not None:
                self.acted.emit(self.declared.then(shown, self._path))

    def _try(self, work: Callable[[], object]) -> bool:
        try:
            work()
        except OSError as error:
            self._give_up(
                _(
                    "{file} can't be written ({reason}).",
                    file=self._path.name,
                    reason=error.strerror or str(error),
                )
            )
        except ExplorerError as error:
            self._give_up(error.said)
        else:
            return True
        return False

    def _give_up(self, why: str) -> None:
        writer, self._writer = self._writer, None
        self._parts = []
        if writer is not None:
            writer.abandon()
        self._say(_("Not saved: {why}", why=why))

    def _say(self, words: str) -> None:
        self.said = words
        self.setToolTip(plain_tip(words))
        self.enable()
        self.told.emit(words)
