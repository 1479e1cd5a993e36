"""What a model expects at masks while some of them are filled already, many fillings at once.

A filling says for every mask of an input which piece stands there, or None where it is still
masked. Everything that fills masks one after the other is built on one question: the
log-probabilities of whole vocabularies at some masks of some fillings.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from explorer.api import Context, LoadedModel, MachineFault, Unavailable, UserMistake
from explorer.hf.cancelling import cancellable
from explorer.hf.encoding import Encoded
from explorer.hf.masked import BLOCK, HEAD_STATES

Filling = tuple[int | None, ...]
"""A piece for each mask of an input, in the order of the input; None where it is still masked."""

Known = dict[tuple[Filling, int], Any]
"""Rows of log-probabilities (vocabulary) by filling and mask."""

READS_LEFT = "reads_left"
"""Key of LoadedModel.extras, for models that read from the left: who they are, as a name."""

TOKENS_AT_ONCE = 4096
"""Tokens of all the inputs of one batch; keeps hidden states and attentions small."""


@dataclass(frozen=True)
class Question:
    """Which masks of which filling.

    Attributes:
        filling: The input.
        masks: Numbers of masks in it (0 for the first one), each still masked.
    """

    filling: Filling
    masks: tuple[int, ...]


class Reader(Protocol):
    """Answers questions about the fillings of one input.

    Attributes:
        masks: How many masks there are.
        from_left: It sees only what stands before a mask: masks are filled in reading order.
        who: What a sentence calls the model.
    """

    masks: int
    from_left: bool
    who: str

    def read(self, questions: Sequence[Question]) -> list[Any]:
        """Log-probabilities (masks x vocabulary, float32, natural) for every question.

        Raises:
            MachineFault: The logits are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """


def reader_of(model: LoadedModel, encoded: Encoded, context: Context) -> Reader:
    """The reader for a model's way to predict.

    Raises:
        Unavailable: The model has no head that predicts tokens.
    """
    if model.masked_lm_head is None:
        raise Unavailable("This model has no masked-LM head.")
    if READS_LEFT in model.extras:
        return LeftReader(model, encoded, context)
    return MaskedReader(model, encoded, context)


class MaskedReader:
    """Reads from both sides: one forward pass for a batch of fillings of the same input."""

    from_left = False

    def __init__(self, model: LoadedModel, encoded: Encoded, context: Context) -> None:
        self.masks = len(encoded.mask_positions)
        self.who = "This model"
        self._model, self._encoded, self._context = model, encoded, context
        self._known: Known = {}

    def read(self, questions: Sequence[Question]) -> list[Any]:
        """As `Reader.read`; what was read before is not read again."""
        import torch

        positions = self._encoded.mask_positions
        answers = dict(self._known)
        wanted: dict[Filling, dict[int, None]] = {}
        for question in questions:
            for mask in question.masks:
                if (question.filling, mask) not in answers:
                    wanted.setdefault(question.filling, {})[mask] = None
        with torch.inference_mode(), cancellable(self._context):
            for batch in _batches(list(wanted), self._encoded.input_ids.shape[1]):
                states = self._states(batch)
                places = [(row, m) for row, one in enumerate(batch) for m in wanted[one]]
                rows = torch.tensor([row for row, _ in places])
                columns = torch.tensor([positions[mask] for _, mask in places])
                for at, logs in _heads(self._model, states[rows, columns], self._context):
                    for (row, mask), one in zip(places[at : at + len(logs)], logs, strict=True):
                        answers[batch[row], mask] = one
        self._known = kept(answers)
        return [
            torch.stack([answers[question.filling, mask] for mask in question.masks])
            for question in questions
        ]

    def _states(self, batch: Sequence[Filling]) -> Any:
        """What the head reads (batch x tokens x hidden)."""
        encoded = self._encoded
        ids = encoded.input_ids.repeat(len(batch), 1)
        for row, filling in enumerate(batch):
            for position, piece in zip(encoded.mask_positions, filling, strict=True):
                if piece is not None:
                    ids[row, position] = piece
        others = {
            name: values.expand(len(batch), *values.shape[1:])
            for name, values in encoded.inputs.items()
            if name != "input_ids"
        }
        states_of = self._model.extras.get(HEAD_STATES, self._model.encoder)
        return states_of(input_ids=ids, **others)


class LeftReader:
    """Reads from the left: what it expects next after everything before a mask."""

    from_left = True

    def __init__(self, model: LoadedModel, encoded: Encoded, context: Context) -> None:
        self.masks = len(encoded.mask_positions)
        self.who = str(model.extras[READS_LEFT])
        self._model, self._encoded, self._context = model, encoded, context
        self._known: Known = {}
        if 0 in encoded.mask_positions:
            raise UserMistake(
                f"{self.who} predicts from what stands before a mask, and before the first token "
                "there is nothing.",
                "Put a word before the mask, or mask a later one.",
            )

    def read(self, questions: Sequence[Question]) -> list[Any]:
        """As `Reader.read`; every mask before one that is asked for must be filled.

        Raises:
            UserMistake: A mask before one that is asked for is still open.
        """
        import torch

        answers = dict(self._known)
        wanted: dict[int, dict[Filling, None]] = {}
        for question in questions:
            for mask in question.masks:
                if None in question.filling[:mask]:
                    raise UserMistake(
                        f"{self.who} reads from the left: it can't see what stands behind a mask.",
                        "Fill the masks from left to right.",
                    )
                if (question.filling[:mask], mask) not in answers:
                    wanted.setdefault(mask, {})[question.filling[:mask]] = None
        with torch.inference_mode(), cancellable(self._context):
            for mask, before in wanted.items():
                length = self._encoded.mask_positions[mask]
                for batch in _batches(list(before), length):
                    states = self._states(batch, length)
                    for at, logs in _heads(self._model, states, self._context):
                        for filling, one in zip(batch[at : at + len(logs)], logs, strict=True):
                            answers[filling, mask] = one
        self._known = kept(answers)
        return [
            torch.stack([answers[question.filling[:mask], mask] for mask in question.masks])
            for question in questions
        ]

    def _states(self, batch: Sequence[Filling], length: int) -> Any:
        """The last hidden state before a mask (batch x hidden)."""
        encoded = self._encoded
        inputs = {
            name: values[:, :length].repeat(len(batch), 1)
            for name, values in encoded.inputs.items()
        }
        for row, filling in enumerate(batch):
            for position, piece in zip(encoded.mask_positions, filling, strict=False):
                inputs["input_ids"][row, position] = piece
        return self._model.encoder(**inputs)[:, -1]


def kept(answers: Known) -> Known:
    """The answers that are kept for the next questions: the latest, as many as BLOCK numbers.

    A search asks again for what it found on its way, and so nothing is read twice.
    """
    width = len(next(iter(answers.values()))) if answers else 1
    most = max(1, BLOCK // width)
    return dict(list(answers.items())[-most:])


def _batches(fillings: Sequence[Filling], length: int) -> Iterator[Sequence[Filling]]:
    size = max(1, TOKENS_AT_ONCE // max(length, 1))
    for start in range(0, len(fillings), size):
        yield fillings[start : start + size]


def _heads(model: LoadedModel, states: Any, context: Context) -> Iterator[tuple[int, Any]]:
    """Log-probabilities of states (n x hidden) in blocks: where a block begins, and its rows.

    Raises:
        MachineFault: The logits are not numbers.
    """
    import torch

    head = model.masked_lm_head
    assert head is not None
    width = int(getattr(model.config, "vocab_size", 0)) or 1
    size = max(1, BLOCK // width)
    for start in range(0, len(states), size):
        context.check()
        logs = torch.log_softmax(head(states[start : start + size]).float(), dim=-1)
        if bool(torch.isnan(logs).any()):
            raise MachineFault(
                f"The model's numbers overflow in {model.stamp.dtype}.", "Load it as float32."
            )
        yield start, logs
