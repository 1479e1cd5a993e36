"""The document everything on screen is drawn from, and its history."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QUndoCommand, QUndoStack

from explorer.document import Document
from explorer.text import _
from explorer.ui.document.gestures import Edit
from explorer.ui.guarded import guarded

MERGE_PAUSE = 1.2
"""Seconds without a key after which typing starts a new step."""

UNDO_LIMIT = 300


@dataclass(frozen=True)
class Moment:
    """What one step of the history leads to.

    Attributes:
        document: The document.
        run_id: The logged run whose result is shown with it; "" when models are asked.
    """

    document: Document
    run_id: str = ""


@guarded
class _EditStep(QUndoCommand):
    """From one moment to the next; steps of the same group become one."""

    def __init__(
        self,
        show: Callable[[Moment], None],
        name: str,
        before: Moment,
        after: Moment,
        group: int,
    ) -> None:
        super().__init__(name)
        self._show = show
        self._before = before
        self.after = after
        self.group = group

    def id(self) -> int:
        """Steps are tried for merging when this is the same and not -1."""
        return self.group

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take a later step of the same group into this one."""
        if not isinstance(other, _EditStep) or other.group != self.group:
            return False
        self.after = other.after
        self.setText(other.text())
        self.setObsolete(self.after == self._before)
        return True

    def redo(self) -> None:
        """Go to the moment after it."""
        self._show(self.after)

    def undo(self) -> None:
        """Go back to the moment before it."""
        self._show(self._before)


class DocumentState(QObject):
    """The one document of the window, changed by named steps that can be undone.

    Signals:
        changed: The new document.
        refused: An Edit that has no place in the document of now.
        taken_back: A document that is no longer: its step was half of another gesture.
    """

    changed = Signal(object)
    refused = Signal(object)
    taken_back = Signal(object)

    def __init__(self, document: Document | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._moment = Moment(document or Document())
        self._stack = QUndoStack(self)
        self._stack.setUndoLimit(UNDO_LIMIT)
        self._group = 0
        self._group_field = ""
        self._group_time = 0.0
        self._typing = False
        self._before_latest: Moment | None = None
        self._latest = 0
        self.keeps_run: Callable[[Document], bool] = lambda _document: False
        """Whether the logged run that is shown answers another document as well."""

    @property
    def document(self) -> Document:
        """What is looked at now."""
        return self._moment.document

    @property
    def run_id(self) -> str:
        """The logged run whose result is shown, or ""."""
        return self._moment.run_id

    def slot(self, active: str) -> str:
        """Where the model is that is asked about it: the one that answers."""
        return active

    @property
    def is_typing(self) -> bool:
        """The latest change was one of many quick ones, more of which may follow."""
        return self._typing

    @property
    def stack(self) -> QUndoStack:
        """The history, for the Edit menu."""
        return self._stack

    def edit(self, name: str, document: Document, merge: bool = False) -> None:
        """Change the document by a step that can be undone.

        Args:
            name: What the Edit menu says after "Undo ": "mask 'cooked'".
            document: The new one; an equal one changes nothing, unless a logged run is shown,
                which is then left, as it is by any edit that it is no answer to.
            merge: Take it into the step before when that changed the same thing, was
                merged too, came shortly before, and no new word begins.
        """
        kept = document != self.document and self.keeps_run(document)
        self._step(name, Moment(document, self.run_id if kept else ""), merge)

    def apply(self, edit: Edit) -> None:
        """Do what a gesture asks, or say that its place is gone."""
        document = edit.on(self.document)
        if document is None:
            self.refused.emit(edit)
        else:
            self.edit(edit.name, document)

    def take_back(self, edit: Edit) -> None:
        """Undo the latest step where that was this gesture; else do what undoes it, as a step."""
        before = self._before_latest
        latest = before is not None and self._stack.index() == self._latest
        if latest and before is not None and edit.on(before.document) == self.document:
            gone = self.document
            self._stack.undo()
            self.taken_back.emit(gone)
        else:
            self.apply(edit)

    def restore(self, name: str, document: Document, run_id: str) -> None:
        """Go to a logged run's document and show its result instead of asking."""
        self._step(name, Moment(document, run_id), merge=False)

    def undo_action(self, parent: QObject) -> QAction:
        """An action that says what it undoes."""
        return self._stack.createUndoAction(parent, _("&Undo"))

    def redo_action(self, parent: QObject) -> QAction:
        """An action that says what it does again."""
        return self._stack.createRedoAction(parent, _("&Redo"))

    def _step(self, name: str, after: Moment, merge: bool) -> None:
        before = self._moment
        if after == before:
            return
        self._typing = merge
        group = self._next_group(before.document, after.document) if merge else self._closed()
        self._stack.push(_EditStep(self._show, name, before, after, group))
        self._before_latest, self._latest = (None if merge else before), self._stack.index()
        self._typing = False

    def _closed(self) -> int:
        self._group_field = ""
        return -1

    def _next_group(self, old: Document, new: Document) -> int:
        field = _field_of_change(old, new)
        now = time.monotonic()
        same = field == self._group_field and now - self._group_time < MERGE_PAUSE
        if not same or _begins_word(old, new, field):
            self._group += 1
        self._group_field, self._group_time = field, now
        return self._group

    def _show(self, moment: Moment) -> None:
        if moment == self._moment:
            return
        self._moment = moment
        self.changed.emit(moment.document)


def _field_of_change(old: Document, new: Document) -> str:
    """Which attribute of a document a change is about."""
    if old.text != new.text:
        return "text"
    if old.pair != new.pair:
        return "pair"
    if old.options != new.options:
        return " ".join(sorted({key for key, _ in set(old.options) ^ set(new.options)}))
    return "top_k" if old.top_k != new.top_k else "masks"


def _begins_word(old: Document, new: Document, field: str) -> bool:
    """Whether a change of text only adds a letter right behind a space."""
    if field not in {"text", "pair"}:
        return False
    part = 0 if field == "text" else 1
    before, after = old.part(part), new.part(part)
    if len(after) != len(before) + 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), None)
    at = len(before) if at is None else at
    return not after[at].isspace() and at > 0 and after[at - 1].isspace()
