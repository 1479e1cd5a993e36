"""The latest answers of a view, so that undo and redo show them without asking again."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from explorer.api.question import ModelStamp
from explorer.sessions.records import LoggedRun
from explorer.ui.blocks.page.shown import Origin

KEPT = 16


@dataclass(frozen=True)
class AnswerKey:
    """What decides an answer.

    Attributes:
        request: The question's request.
        models: Who plays which role; fingerprint, device and dtype are in a stamp.
    """

    request: Any
    models: tuple[tuple[str, ModelStamp], ...] = ()


@dataclass(frozen=True)
class KeptAnswer:
    """An answer and how it came about.

    Attributes:
        result: The question's.
        origin: For its caption.
        unlogged: Its run, where nobody has opened it yet: the overview asked, and nothing of that
            is in the log before its page is.
    """

    result: Any
    origin: Origin
    unlogged: LoggedRun | None = None


class Answers:
    """The KEPT answers used last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[AnswerKey, Any] = OrderedDict()

    def put(self, question: AnswerKey, result: Any) -> None:
        """Keep an answer; one to a question that can't be hashed is not kept."""
        try:
            self._kept[question] = result
        except TypeError:
            return
        self._kept.move_to_end(question)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def get(self, question: AnswerKey) -> Any | None:
        """The answer, or None when it is not kept."""
        try:
            result = self._kept.get(question)
        except TypeError:
            return None
        if result is not None:
            self._kept.move_to_end(question)
        return result

    def forget(self, question: AnswerKey) -> None:
        """Let an answer go."""
        try:
            self._kept.pop(question, None)
        except TypeError:
            return
