"""The line above an answer: what to look at first, made from its numbers."""

from collections.abc import Iterator, Mapping
from typing import Any

from explorer.api.question import Headline, Question
from explorer.document import Document
from explorer.serialise import to_json
from explorer.sessions.log.headline import answer_said, marked
from explorer.text import _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.page import Gesture, Select
from explorer.ui.blocks.page.shown import Shown
from explorer.ui.blocks.text import Text
from explorer.ui.document.gestures import Edit, set_options

BELOW = 4.0
"""Pixels: what follows was made to stand first."""


def in_words(question: Question[Any, Any], result: Any, settings: Mapping[str, Any]) -> str:
    """What a picture of an answer shows, for whoever does not see it.

    Args:
        question: The question.
        result: The answer.
        settings: What its sentence follows.
    """
    sentence = question.headline_of(result, **settings).sentence
    return f"{_(question.title)}. {said(sentence)}".strip()


def place_of(question: Question[Any, Any], first: Headline, seen: Document) -> Edit | None:
    """The gesture of going to the head, the layer or the cell that a sentence names.

    Args:
        question: Whose page it is on.
        first: The sentence.
        seen: The document that the gesture is made in.

    Returns:
        None where it names none.
    """
    known = {option.key: option for option in question.options}
    there = {key: known[key] for key in first.points_at if key in known}
    if not there:
        return None
    values = {key: one.written(first.points_at[key]) for key, one in there.items()}
    return set_options(seen, values, _("go to the largest effect"))


class KeyFinding:
    """The line above the answers to a question; found once for each answer and what it follows.

    A page is drawn anew with every option and while the mouse moves over it, and some sentences
    are read from megabytes.
    """

    def __init__(self, question: Question[Any, Any]) -> None:
        """Nothing is known yet.

        Args:
            question: The question.
        """
        self._question = question
        self._result: Any = None
        self._settings: dict[str, Any] = {}
        self._headline = Headline()

    def forget(self) -> None:
        """Hold no answer any longer."""
        self._result, self._headline = None, Headline()

    def headline(self, shown: Shown) -> Headline:
        """The sentence, by the options of now."""
        settings = shown.settings_of(self._question)
        if shown.result is not self._result or settings != self._settings:
            self._result, self._settings = shown.result, settings
            self._headline = self._question.headline_of(shown.result, **settings)
        return self._headline

    def in_one_line(self, shown: Shown) -> tuple[str, str, str]:
        """The question, the text and the answer, as the log has them."""
        asked, of = shown.asked, self._question
        text = marked(asked.text, asked.pair, to_json(asked.masks)) if of.reads_text else ""
        answer = answer_said(of, shown.result, self.headline(shown).sentence)
        return _(of.title), " ".join(text.split()), answer

    def blocks(self, shown: Shown) -> Iterator[Block]:
        """The sentence in quiet letters; choosing it goes to the place that it names."""
        first = self.headline(shown)
        if not first.sentence:
            return
        act, words = self._act(shown)
        yield Text(said(first.sentence), colour="muted", words=words, act=act, below=BELOW)

    def _act(self, shown: Shown) -> tuple[Gesture | None, str]:
        """Where a choice of the sentence leads, and what a screen reader says of that."""
        first = self._headline
        edit = place_of(self._question, first, shown.now)
        if edit is not None:
            return edit, _("The largest effect in this answer; choose it to go there.")
        if first.position is not None:
            return (
                Select(first.position),
                _("The largest effect in this answer; choose it to turn to its token."),
            )
        return None, _("The largest effect in this answer.")
