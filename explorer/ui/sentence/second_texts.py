"""Where a second sentence comes from: the opened file of sentences, or the small world."""

import itertools
import random
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QObject, Qt, Signal

from explorer.api.question import ExplorerError
from explorer.document import Document
from explorer.files.typed_paths import typed_path
from explorer.files_of_sentences.sentences import FileSentence, read_sentences
from explorer.questions.many.file_of_sentences.options import COLUMN, FILE
from explorer.ui.guarded import guarded
from explorer.world.tasks.continuations import continuations

MOST = 20_000
"""Sentences of a file that are drawn from."""


@dataclass(frozen=True)
class SecondTexts:
    """Sentences, and what follows which.

    Attributes:
        sentences: Those that one is drawn from.
        following: What follows a sentence, by `key_of` it.
    """

    sentences: tuple[str, ...] = ()
    following: Mapping[str, str] | None = None

    def after(self, text: str) -> str | None:
        """What really follows a text; None where that isn't known."""
        return (self.following or {}).get(key_of(text))

    def any_but(self, *texts: str | None) -> str | None:
        """One by chance, none of these and not what follows them; None where there is none."""
        known = {key_of(one) for one in texts if one}
        known |= {key_of(self.after(one) or "") for one in texts if one}
        # Most draws are another one at once.
        for _draw in range(20):
            drawn = random.choice(self.sentences) if self.sentences else ""  # noqa: S311
            if drawn and key_of(drawn) not in known:
                return drawn
        return next((one for one in self.sentences if key_of(one) not in known), None)


def key_of(text: str) -> str:
    """What two spellings of a sentence share."""
    return " ".join(text.casefold().split())


@cache
def of_the_world() -> SecondTexts:
    """Those that are bundled."""
    pairs = continuations()
    return SecondTexts(
        tuple(second for _, second in pairs), {key_of(one): other for one, other in pairs}
    )


def of_sentences(sentences: Iterable[FileSentence]) -> SecondTexts:
    """Those of a file: what stands in the next line follows, or what a row has beside it.

    A row that says what is right may be of two sentences that don't follow each other.
    """
    texts: list[str] = []
    following: dict[str, str] = {}
    before: FileSentence | None = None
    for one in sentences:
        texts.append(one.pair or one.text)
        if one.pair is not None:
            if one.expected is None:
                following.setdefault(key_of(one.text), one.pair)
        elif before is not None and before.number + 1 == one.number:
            following.setdefault(key_of(before.text), one.text)
        before = one
    return SecondTexts(tuple(texts), following)


@guarded
class SecondTextSource(QObject):
    """The second sentences there are for a document; a file is read on a thread of its own.

    Signals:
        changed: There are others now.
    """

    changed = Signal()
    _read = Signal(object, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._file: tuple[str, str] = ("", "")
        self._known = SecondTexts()
        self._read.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def look_at(self, document: Document) -> None:
        """Take the file that a document names, or none."""
        file = (str(FILE.of(document)), str(COLUMN.of(document)))
        if file == self._file:
            return
        self._file, self._known = file, SecondTexts()
        if file[0]:
            threading.Thread(target=self._work, args=file, name="second texts", daemon=True).start()
        self.changed.emit()

    def after(self, text: str) -> str | None:
        """What really follows a text: in the file, or else in the world."""
        return self._known.after(text) or of_the_world().after(text)

    def any_but(self, *texts: str | None) -> str | None:
        """One by chance: of the file, or of the world where there is no file."""
        return self._known.any_but(*texts) or of_the_world().any_but(*texts)

    def _work(self, path: str, column: str) -> None:
        try:
            found = of_sentences(itertools.islice(read_sentences(typed_path(path), column), MOST))
        except ExplorerError:
            # The page about the file says what is wrong with it.
            return
        try:
            self._read.emit((path, column), found)
        except RuntimeError:
            return  # the window is gone

    def _take(self, file: tuple[str, str], known: SecondTexts) -> None:
        if file == self._file:
            self._known = known
            self.changed.emit()
