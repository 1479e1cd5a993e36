"""What a model expects at masks while some of them are filled already, many fillings at once.

A filling says for every mask of an input which piece stands there, or None where it is still
masked. Everything that fills masks one after the other is built on one question: the
log-probabilities of whole vocabularies at some masks of some fillings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.family import Context, Direction, Encoded, LoadedModel, Predictor, Query
from explorer.hf.predict.rows import BLOCK

Filling = tuple[int | None, ...]
"""A piece for each mask of an input, in the order of the input; None where it is still masked."""

KnownRows = dict[tuple[Filling, int], Any]
"""Rows of log-probabilities (vocabulary) by filling and mask."""


@dataclass(frozen=True)
class MaskQuery:
    """Which masks of which filling.

    Attributes:
        filling: The input.
        masks: Numbers of masks in it (0 for the first one), each still masked.
    """

    filling: Filling
    masks: tuple[int, ...]


class Reader:
    """Answers questions about the fillings of one input, and none twice.

    Args:
        model: Who predicts.
        encoded: The input.
        context: Can stop it.

    Attributes:
        masks: How many masks there are.
        from_left: It sees only what stands before a mask: masks are filled in reading order.
        who: What a sentence calls the model.

    Raises:
        Unavailable: The model has no head that predicts tokens.
    """

    def __init__(self, model: LoadedModel, encoded: Encoded, context: Context) -> None:
        self._predictor = model.port(Predictor)
        self._encoded, self._context = encoded, context
        self._known: KnownRows = {}
        self.masks = len(encoded.mask_positions)
        self.from_left = self._predictor.direction is Direction.CAUSAL
        self.who = self._predictor.who

    def read(self, questions: Sequence[MaskQuery]) -> list[Any]:
        """Log-probabilities (masks x vocabulary, float32, natural) for every question.

        Raises:
            UserMistake: The model reads from the left, and a mask before one that is asked for is
                still open, or nothing stands before it.
            MachineFault: The logits are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """
        import torch

        answers = dict(self._known)
        wanted: dict[Filling, dict[int, None]] = {}
        for question in questions:
            for mask in question.masks:
                filling = self._seen(question.filling, mask)
                if (filling, mask) not in answers:
                    wanted.setdefault(filling, {})[mask] = None
        positions = self._encoded.mask_positions
        queries = [
            Query(
                self._encoded,
                tuple(positions[mask] for mask in masks),
                {positions[at]: piece for at, piece in enumerate(filling)},
            )
            for filling, masks in wanted.items()
        ]
        found = self._predictor.log_probabilities(queries, self._context)
        for (filling, masks), rows in zip(wanted.items(), found, strict=True):
            answers |= {(filling, mask): row for mask, row in zip(masks, rows, strict=True)}
        self._known = kept(answers)
        return [
            torch.stack([answers[self._seen(one.filling, mask), mask] for mask in one.masks])
            for one in questions
        ]

    def _seen(self, filling: Filling, mask: int) -> Filling:
        """What of a filling the model sees when it predicts a mask."""
        return filling[:mask] if self.from_left else filling


def kept(answers: KnownRows) -> KnownRows:
    """The answers that are kept for the next questions: the latest, as many as BLOCK numbers.

    A search asks again for what it found on its way, and so nothing is read twice.
    """
    width = len(next(iter(answers.values()))) if answers else 1
    most = max(1, BLOCK // width)
    return dict(list(answers.items())[-most:])
