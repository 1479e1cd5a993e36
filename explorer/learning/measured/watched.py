"""A person's own sentence, asked of a model at a frame: what does it say where [MASK] stands?

The exact answer stands beside it where the text is one of the world, or the beginning of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from explorer.learning.measured.held_out import PREDICT
from explorer.learning.measured.places import EvaluatedPiece
from explorer.learning.measured.predictions import Floats, Reading, reading_of
from explorer.world.exact.truth import Truth

BLANK: Final = "[MASK]"
SHOWN: Final = 5
LONGEST: Final = 64
"""Pieces of a text whose exact answers are looked for."""

Answers = tuple[tuple[str, float], ...]
"""Pieces with their probabilities, the likeliest first."""


class NothingToAsk(ValueError):
    """A text has no [MASK]."""


@dataclass(frozen=True, slots=True)
class ExactBlank:
    """What may stand at a blank for who knows the grammar.

    Attributes:
        place: The blank in its text; its distribution is empty where no text of the world fits.
        is_beginning: The text is one of the world only if it goes on.
    """

    place: EvaluatedPiece
    is_beginning: bool = False

    @property
    def answers(self) -> Answers:
        """Pieces with their exact probabilities, the likeliest first."""
        known = ((piece, share) for piece, share in self.place.exact.items() if share > 0)
        return tuple(sorted(known, key=lambda one: -one[1]))


@dataclass(frozen=True, slots=True)
class AnsweredBlank:
    """A model's answer at a blank, next to the exact one.

    Attributes:
        words: Pieces with the exact probability, the model's and its rank among all pieces, the
            likeliest of the exact ones first; none where no text of the world fits.
        excess: KL of the model from the exact distribution, in nats; None without one.
        is_beginning: The text is one of the world only if it goes on.
    """

    words: tuple[tuple[str, float, float, int], ...]
    excess: float | None
    is_beginning: bool


def watched(model: Any, tokenizer: Any, text: str, count: int = SHOWN) -> list[Answers]:
    """What a model says at each blank of a text, all of them hidden at once.

    A model that reads from the left is asked what stands at the first one, and sees nothing behind
    it; one that writes spans is asked what the span behind the first sentinel begins with.

    Raises:
        NothingToAsk: There is no [MASK].
    """
    import torch

    if BLANK not in text:
        raise NothingToAsk(text)
    reading = reading_of(model)
    if reading is Reading.LEFT:
        before, _, _ = text.partition(BLANK)
        inputs = [tokenizer.convert_tokens_to_ids(tokenizer.tokenize(before))]
        if not inputs[0]:
            return []
        with torch.inference_mode():
            rows = model(input_ids=torch.tensor(inputs)).logits[0, -1:]
    elif reading is Reading.SPANS:
        before, _, behind = text.partition(BLANK)
        rows = _span_begins(model, tokenizer, before, behind.replace(BLANK, ""))
    else:
        masked = text.replace(BLANK, tokenizer.mask_token)
        # What is too long for the model fails there, and is not warned of besides.
        encoded = tokenizer(masked, return_tensors="pt", verbose=False)
        with torch.inference_mode():
            output = model(**encoded)
        scores = getattr(output, "prediction_logits", None)
        scores = output.logits if scores is None else scores
        rows = scores[0, encoded["input_ids"][0] == tokenizer.mask_token_id]
    best = torch.softmax(rows.double(), dim=-1).topk(min(count, rows.shape[-1]))
    return [
        tuple(zip(tokenizer.convert_ids_to_tokens(pieces), shares, strict=True))
        for pieces, shares in zip(best.indices.tolist(), best.values.tolist(), strict=True)
    ]


def _span_begins(model: Any, tokenizer: Any, before: str, behind: str) -> Any:
    import torch

    sentinel = tokenizer.convert_tokens_to_ids("<extra_id_0>")
    pieces = [
        tokenizer.convert_tokens_to_ids(tokenizer.tokenize(part)) for part in (before, behind)
    ]
    inputs = [[*pieces[0], sentinel, *pieces[1], tokenizer.eos_token_id]]
    written = [[model.config.decoder_start_token_id, sentinel]]
    with torch.inference_mode():
        found = model(input_ids=torch.tensor(inputs), decoder_input_ids=torch.tensor(written))
    return found.logits[0, -1:]


def exact_blanks(truth: Truth, tokenizer: Any, text: str, reading: Reading) -> list[ExactBlank]:
    """What may stand at each blank that `watched` asks about; none of too long a text.

    Args:
        truth: Of the world, in the tokenizer's pieces.
        tokenizer: Cuts the text.
        text: With [MASK].
        reading: How the model reads it.
    """
    pattern: list[str | None] = []
    for number, part in enumerate(text.split(BLANK)):
        if number:
            pattern.append(None)
        pattern += tokenizer.tokenize(part)
    blanks = [place for place, piece in enumerate(pattern) if piece is None]
    if reading is Reading.LEFT:
        pattern, blanks = pattern[: blanks[0] + 1], blanks[:1]
        if not blanks[0]:
            return []
    elif reading is Reading.SPANS:
        pattern = [piece for place, piece in enumerate(pattern) if place not in blanks[1:]]
        blanks = blanks[:1]
    if len(pattern) > LONGEST:
        return []
    return [_exact(truth, pattern, blank, reading) for blank in blanks]


def _exact(truth: Truth, pattern: Sequence[str | None], blank: int, reading: Reading) -> ExactBlank:
    found = {} if reading is Reading.LEFT else truth.answer(pattern, blank)
    is_beginning = not found
    if is_beginning:
        found = truth.answer(pattern, blank, open_end=True)
    place = EvaluatedPiece(tuple(pattern), blank, "", found)
    return ExactBlank(place, is_beginning and bool(found))


def beside_exact(
    model: Any, tokenizer: Any, blanks: Sequence[ExactBlank], count: int = SHOWN
) -> list[AnsweredBlank]:
    """A model's answers at blanks of a text next to the exact ones.

    Of a model that writes spans it is asked as at held-out places: how it shares its probability
    among spans of one piece.

    Args:
        model: Of transformers, not in training.
        tokenizer: Its own.
        blanks: Of `exact_blanks`, for its way of reading.
        count: Words of each.
    """
    known = [one.place for one in blanks if one.place.exact]
    logs = iter(PREDICT[reading_of(model)](model, tokenizer, known) if known else ())
    return [
        _answered(tokenizer, one, next(logs), count)
        if one.place.exact
        else AnsweredBlank((), None, is_beginning=False)
        for one in blanks
    ]


def _answered(tokenizer: Any, blank: ExactBlank, logs: Floats, count: int) -> AnsweredBlank:
    answers = blank.answers
    own = logs[tokenizer.convert_tokens_to_ids([piece for piece, _ in answers])]
    exact = np.array([share for _, share in answers])
    excess = float(exact @ (np.log(exact) - own))
    words = tuple(
        (piece, share, float(np.exp(told)), 1 + int((logs > told).sum()))
        for (piece, share), told in zip(answers[:count], own[:count], strict=True)
    )
    return AnsweredBlank(words, excess, blank.is_beginning)
