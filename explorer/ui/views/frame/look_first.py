"""The line above an answer: what to look at first, made from its numbers."""

import logging
from collections.abc import Iterator
from typing import Any

from explorer.api import Effect, Operation
from explorer.text import _, said
from explorer.text.language import for_programs
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Select
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import Text

BELOW = 4.0
"""Pixels: what follows was made to stand first."""

log = logging.getLogger(__name__)


def effect_of(operation: Operation[Any, Any], result: Any, **settings: Any) -> Effect | None:
    """An answer's largest effect, numbers as programs have them; None where it can't be told.

    Args:
        operation: The question.
        result: Its answer.
        settings: What the sentence follows (`Operation.follows`); the defaults without them.
    """
    try:
        with for_programs():
            return operation.largest_effect(result, **settings)
    except Exception:
        # It costs the page a line, and must not cost the answer.
        log.exception("The largest effect of %s", operation.name)
        return None


def in_words(operation: Operation[Any, Any], result: Any) -> str:
    """What a picture of an answer shows, for whoever does not see it."""
    effect = effect_of(operation, result)
    told = "" if effect is None else said(effect.sentence)
    return f"{_(operation.title)}. {told}".strip()


class LookFirst:
    """The line above the answers to a question; found once for each answer and what it follows.

    A page is drawn anew with every option and while the mouse moves over it, and some effects are
    read from megabytes.
    """

    def __init__(self, operation: Operation[Any, Any]) -> None:
        """Nothing is known yet.

        Args:
            operation: The question.
        """
        self._operation = operation
        self._result: Any = None
        self._settings: dict[str, Any] = {}
        self._effect: Effect | None = None

    def forget(self) -> None:
        """Hold no answer any longer."""
        self._result = self._effect = None

    def blocks(self, shown: Shown) -> Iterator[Block]:
        """The sentence in quiet letters; choosing it turns to the token that it names."""
        follows = self._operation.follows.items()
        settings = {name: shown.value(option) for name, option in follows}
        if shown.result is not self._result or settings != self._settings:
            self._result, self._settings = shown.result, settings
            self._effect = effect_of(self._operation, shown.result, **settings)
        effect = self._effect
        if effect is None or not effect.sentence:
            return
        act, words = None, _("The largest effect in this answer.")
        if effect.position is not None:
            act = Select(effect.position)
            words = _("The largest effect in this answer; choose it to turn to its token.")
        yield Text(said(effect.sentence), colour="muted", words=words, act=act, below=BELOW)
