"""A page that is open twice: what the second one is asked in the place of what the window has.

It is an option of the document, so that undo, settings and saved documents have it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QObject, Signal, SignalInstance

from explorer.api.question import Question
from explorer.api.question.roles import other_slot
from explorer.document import Document
from explorer.files.foreign import json_of
from explorer.serialise import from_json, to_json
from explorer.ui.document.gestures import Edit
from explorer.ui.document.state import DocumentState

OPTION, TWICE = ".second_page", "~2"


def second_name(question: str) -> str:
    """What the window calls the second page of a question."""
    return question + TWICE


def question_of(page: str) -> str:
    """The name of a page's question, of a first page or a second one."""
    return page.removesuffix(TWICE)


def is_second(page: str) -> bool:
    """Whether a page is a question's second one."""
    return page.endswith(TWICE)


@dataclass(frozen=True)
class SecondPage:
    """What a question's second page has of its own.

    Attributes:
        other_model: It asks the model that does not answer the first one.
        held: Its texts, with their masks and entities; None where it follows the window's.
        settings: What it is set to; None where it follows the first one.
    """

    other_model: bool = False
    held: Document | None = None
    settings: Document | None = None

    @staticmethod
    def key(question: str) -> str:
        """The option that has it."""
        return question + OPTION

    @staticmethod
    def of(document: Document, question: str) -> "SecondPage | None":
        """That of a question; None where its page is open once."""
        written = dict(document.options).get(question + OPTION)
        return None if written is None else _read(written)

    def put(self, document: Document, question: str) -> Document:
        """The document with this as the second page of a question."""
        return _with_options(
            document, {**dict(document.options), self.key(question): to_json(self)}
        )

    def exchanged(self, document: Document, question: str) -> Document:
        """The document with the text that is held, which is held in its place."""
        if self.held is None:
            return document
        second = replace(self, held=texts_of(document))
        return second.put(_with_texts(document, self.held), question)

    def slot(self, active: str) -> str:
        """Where its model is.

        Args:
            active: The slot that answers the first page.
        """
        return other_slot(active) if self.other_model else active

    def seen(self, document: Document, of: Question[Any, Any]) -> Document:
        """What it is asked while the window has a document."""
        now = without_second_pages(document)
        if self.held is not None:
            now = _with_texts(now, self.held)
        if self.settings is not None:
            own = dict(self.settings.options)
            options = _of_others(now, of) | own
            now = _with_options(replace(now, top_k=self.settings.top_k), options)
        return now

    def changed(self, document: Document, of: Question[Any, Any], now: Document) -> Document:
        """The window's document once what this page is asked has become another.

        Args:
            document: The window's.
            of: The question.
            now: What the page is to be asked.
        """
        second, theirs = self, without_second_pages(document)
        if self.held is not None:
            second = replace(second, held=texts_of(now))
            texts = document
        else:
            texts = now
        if self.settings is not None:
            second = replace(second, settings=settings_of(now, of))
            options, top_k = _of_others(now, of) | _of_question(theirs, of), document.top_k
        else:
            options, top_k = dict(now.options), now.top_k
        changed = replace(_with_texts(document, texts), top_k=top_k)
        changed = carried_second_pages(document, _with_options(changed, options))
        return second.put(changed, of.name)


def open_twice(document: Document) -> list[str]:
    """The questions whose pages are open twice."""
    return [key.removesuffix(OPTION) for key, _written in document.options if key.endswith(OPTION)]


def without_second_pages(document: Document) -> Document:
    """The document as a question knows it."""
    kept = tuple(one for one in document.options if not one[0].endswith(OPTION))
    return document if kept == document.options else replace(document, options=kept)


def carried_second_pages(before: Document, now: Document) -> Document:
    """A document with the second pages of another one."""
    kept = {key: written for key, written in before.options if key.endswith(OPTION)}
    return _with_options(now, dict(without_second_pages(now).options) | kept)


def texts_of(document: Document) -> Document:
    """What a page holds that follows the window's texts no longer."""
    return replace(document, options=(), top_k=Document.top_k)


def settings_of(document: Document, of: Question[Any, Any]) -> Document:
    """What a page is set to that follows the first one's settings no longer."""
    return _with_options(Document(top_k=document.top_k), _of_question(document, of))


class SecondState(QObject):
    """The window's document as a second page sees and changes it.

    Signals:
        taken_back: Never: what a second page changes is undone like all else.
    """

    taken_back = Signal(object)

    def __init__(self, state: DocumentState, of: Question[Any, Any], parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._of = state, of
        self.run_id = ""

    @property
    def changed(self) -> SignalInstance:
        """The window's document is another one."""
        return self._state.changed

    @property
    def page(self) -> SecondPage:
        """What it has of its own; a page that is closed follows the window's in all."""
        return SecondPage.of(self._state.document, self._of.name) or SecondPage()

    @property
    def document(self) -> Document:
        """What the page is asked now."""
        return self.page.seen(self._state.document, self._of)

    def slot(self, active: str) -> str:
        """Where the model is that the page asks."""
        return self.page.slot(active)

    @property
    def is_typing(self) -> bool:
        """The latest change was one of many quick ones."""
        return self._state.is_typing

    def edit(self, name: str, document: Document, merge: bool = False) -> None:
        """Change what the page is asked: its own part of it, and the window's document else."""
        changed = self.page.changed(self._state.document, self._of, document)
        self._state.edit(name, changed, merge)

    def apply(self, edit: Edit) -> None:
        """Do what a gesture on the page asks, or say that its place is gone."""
        document = edit.on(self.document)
        if document is None:
            self._state.refused.emit(edit)
        else:
            self.edit(edit.name, document)

    def take_back(self, edit: Edit) -> None:
        """Do what undoes a gesture."""
        self.apply(edit)


@lru_cache(maxsize=16)
def _read(written: str) -> SecondPage:
    """What an option says; kept, since a page asks for it whenever it asks for its document."""
    try:
        json_of(written)
        return from_json(SecondPage, written)
    except ValueError:
        return SecondPage()


PageState = DocumentState | SecondState
"""What a page asks about, and what its gestures change."""


def _with_texts(document: Document, texts: Document) -> Document:
    return replace(
        document, text=texts.text, pair=texts.pair, masks=texts.masks, entities=texts.entities
    )


def _with_options(document: Document, options: Mapping[str, str]) -> Document:
    return replace(document, options=tuple(sorted(options.items())))


def _of_question(document: Document, of: Question[Any, Any]) -> dict[str, str]:
    known = {one.key for one in of.options}
    own = f"{of.name}."
    pairs = without_second_pages(document).options
    return {key: one for key, one in pairs if key in known or key.startswith(own)}


def _of_others(document: Document, of: Question[Any, Any]) -> dict[str, str]:
    mine = _of_question(document, of)
    return {key: written for key, written in document.options if key not in mine}
