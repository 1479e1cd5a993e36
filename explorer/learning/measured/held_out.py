"""What a model is measured at while it learns: drawn once, asked at every frame.

The places depend on the text, the pieces and the way of reading alone, so that runs of one text are
measured at the same ones, whatever they are trained by.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from explorer.learning.measured.floors import Floats, Measurement, Report, measured
from explorer.learning.measured.places import (
    EACH,
    MASKED,
    EvaluatedPiece,
    next_places_by_rule,
    places_by_rule,
)
from explorer.learning.measured.predictions import Reading, predict, predict_next
from explorer.learning.measured.spans import predict_single, written_pieces
from explorer.learning.texts.training_text import LearningText
from explorer.learning.texts.worlds import GrammarText

TEXTS: Final = 200
"""Held-out texts that places are chosen from."""
SEED: Final = 1
"""Of the choice of places."""
KEPT: Final = 8
"""Choices that this process keeps: those of one text take half a second to several."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Places in texts that nobody is trained on.

    Attributes:
        reading: How the models read that are asked.
        places: Of all rules; none where nobody knows the text's grammar.
    """

    reading: Reading
    places: Sequence[EvaluatedPiece]


def held_out(
    text: LearningText,
    tokenizer: Any,
    reading: Reading = Reading.BOTH_SIDES,
    *,
    share: float = MASKED,
    each: int = EACH,
    end: str | None = None,
) -> HeldOut:
    """Draw the places of a text; the same arguments give the same ones.

    Args:
        text: What is trained on.
        tokenizer: Cuts it.
        reading: How the model reads.
        share: Of the pieces that are masked, for models that see both sides.
        each: Places of a rule.
        end: The piece behind every text, for models that read from the left.
    """
    pieces = getattr(tokenizer, "backend_tokenizer", None)
    known = (
        (type(text), text.grammar) if isinstance(text, GrammarText) else text,
        tokenizer if pieces is None else (type(tokenizer), pieces.to_str()),
        TEXTS,
    )
    return _drawn(HeldOutChoice(known, reading, share, each, end, text, tokenizer))


@dataclass(frozen=True, slots=True)
class HeldOutChoice:
    """What the places of a grammar's text follow from.

    Attributes:
        known: What the text is, by its grammar, all of what cuts it, and how many texts.
        reading: How the model reads.
        share: Of the pieces that are masked.
        each: Places of a rule.
        end: The piece behind every text.
        text: The text; what it is is known already.
        tokenizer: What cuts it; likewise.
    """

    known: tuple[object, ...]
    reading: Reading
    share: float
    each: int
    end: str | None
    text: LearningText = field(compare=False)
    tokenizer: Any = field(compare=False)


@functools.lru_cache(maxsize=KEPT)
def _drawn(choice: HeldOutChoice) -> HeldOut:
    reading, each = choice.reading, choice.each
    reader = choice.text.reader(choice.tokenizer.tokenize)
    if reader is None:
        return HeldOut(reading, ())
    texts = choice.text.held_out(TEXTS)
    if reading is Reading.LEFT:
        found = next_places_by_rule(reader, texts, SEED, each=each, end=choice.end)
        return HeldOut(reading, tuple(found))
    # A sentinel alone says that one span is hidden, and nothing else is.
    hidden = None if reading is Reading.SPANS else choice.share
    found = places_by_rule(reader, texts, SEED, each=each, share=hidden)
    return HeldOut(reading, tuple(found))


def _spans(model: Any, tokenizer: Any, places: Sequence[EvaluatedPiece]) -> Floats:
    return predict_single(model, tokenizer, places, written_pieces(tokenizer))[0]


PREDICT: Final[Mapping[Reading, Callable[[Any, Any, Sequence[EvaluatedPiece]], Floats]]] = {
    Reading.BOTH_SIDES: predict,
    Reading.LEFT: predict_next,
    Reading.SPANS: _spans,
}


def measure(model: Any, tokenizer: Any, asked: HeldOut) -> Measurement:
    """A transformers model at the places, beside the exact floor; its mode is left as it was.

    Of ELECTRA it is the generator that is measured so: a discriminator names no pieces.

    Raises:
        ValueError: There are no places.
    """
    if not asked.places:
        raise ValueError("There is nothing to measure: the grammar of the text is not known.")
    trains = model.training
    model.eval()
    try:
        logs = PREDICT[asked.reading](model, tokenizer, asked.places)
    finally:
        model.train(trains)
    return measured(tokenizer, asked.places, logs)


def as_row(found: Measurement) -> dict[str, Any]:
    """A measurement as JSON has it: of all places, and under "rules" rule by rule."""
    return {
        **numbers(found.whole),
        "rules": {rule: numbers(one) for rule, one in found.rules.items()},
    }


def numbers(report: Report) -> dict[str, float | None]:
    """Averages as JSON has them, with the excess; what is not a number is none."""
    found = {"excess": report.excess, **asdict(report)}
    return {name: _plain(value) for name, value in found.items()}


def _plain(value: float) -> float | None:
    return None if value != value else round(value, 6)
