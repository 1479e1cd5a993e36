"""What is asked for an exact answer, as a question of its own and beside another's answer."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import (
    NOTHING_LOADED,
    PREDICTIONS,
    Choice,
    Detail,
    Entry,
    Loaded,
    ModelStamp,
    ReadsEntities,
    Switch,
    WordList,
    asked,
    at_most,
    with_entities,
)
from explorer.api.question.options.passage import PASSAGE_QUESTION
from explorer.document import Document, Mask
from explorer.exact_answers import NAME
from explorer.text import N_

EVERY = Switch(
    N_("Every token"),
    default=False,
    tip=N_("Hide every token in turn, and not the masked ones only"),
)
LANE = "exact-answers"


class About(enum.StrEnum):
    """What an exact answer is of."""

    WORDS = "words"
    """The words at masks, or at every token."""
    PAIR = "pair"
    """Whether the second text follows, or whether both stand in their order: as the model's head
    was trained to tell."""
    ANSWER = "answer"
    """Where in the text the answer to a question stands, or that there is none."""
    NEXT = "next"
    """What comes next behind the text, and behind each piece that was written to it."""


@dataclass(frozen=True)
class ExactAnswersRequest(ReadsEntities, question=NAME):
    """Ask for exact distributions, and the model's beside them.

    Attributes:
        pair: Both texts are read as one.
        about: What the exact answer is of; of a model that predicts no words, an answer always.
        question: What is asked about the text, where it is an answer; the second text where none
            is given.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    every: bool = asked(EVERY)
    top_k: int = asked(PREDICTIONS, 5, made=at_most(20))
    about: About = asked(
        Choice(
            N_("About"),
            About.WORDS.value,
            N_("What the exact answers are of."),
            entries=tuple(Entry(one.value, one.value) for one in About),
        ),
        made=About,
        is_held=False,
    )
    question: str = asked(replace(PASSAGE_QUESTION, in_bar=False), made=str.strip)
    taken: tuple[str, ...] = asked(
        WordList(N_("Words taken"), (), N_("Words of a continuation so far, one a step.")),
        is_held=False,
    )

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """No masks where every token is asked about."""
        found = super().fields_of(document, loaded)
        return {**found, "masks": ()} if found["every"] else found


def exactly(
    document: Document,
    model: ModelStamp,
    *,
    every: bool = False,
    masks: Sequence[Mask] | None = None,
    lane: str = LANE,
    top_k: int = 5,
) -> Detail:
    """The exact answers about what was asked.

    Args:
        document: That asked.
        model: Who predicts.
        every: About every token, each hidden alone.
        masks: What is hidden; None for the document's masks.
        lane: Tells the answers about several models apart.
        top_k: Words of each distribution.
    """
    hidden = () if every else tuple(document.masks if masks is None else masks)
    request = ExactAnswersRequest(document.text, document.pair, hidden, every, top_k)
    return _asked(request, document, model, lane)


def exactly_at_masks(result: Any, document: Document) -> Sequence[Detail]:
    """The exact answers at the masks of an answer, as `Question.beside` has it."""
    return (exactly(document, result.model),)


def exactly_of_pair(document: Document, model: ModelStamp, lane: str = LANE) -> Detail:
    """The exact answer about a pair of texts."""
    request = ExactAnswersRequest(document.text, document.pair, about=About.PAIR)
    return _asked(request, document, model, lane)


def exactly_of_answer(document: Document, question: str, model: ModelStamp) -> Detail:
    """The exact answer to a question about a text."""
    request = ExactAnswersRequest(document.text, about=About.ANSWER, question=question)
    return _asked(request, document, model, LANE)


def exactly_next(document: Document, model: ModelStamp, taken: Sequence[str]) -> Detail:
    """What exactly comes next at each step of a continuation."""
    request = ExactAnswersRequest(
        document.text, masks=tuple(document.masks), about=About.NEXT, taken=tuple(taken)
    )
    return _asked(request, document, model, LANE)


def _asked(
    request: ExactAnswersRequest, document: Document, model: ModelStamp, lane: str
) -> Detail:
    """As `Question.detail` asks."""
    return Detail(with_entities(request, document.entities), model, lane)
