"""Keeps the attention captured last, so that other heads of it are a look-up and no new run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from explorer.api.family import Attentions, Context, Encoded, LoadedModel, Mask
from explorer.hf.attention.weights import AttendingStack, without_masks
from explorer.hf.kept import kept

ROOM = 384 * 2**20
"""Bytes of attention kept at most."""

MOST = 6
"""Captures kept at most."""


@dataclass(frozen=True, eq=False)
class Captured:
    """The attention of one input.

    Attributes:
        encoded: The input.
        stacks: By kind.
    """

    encoded: Encoded
    stacks: Mapping[str, AttendingStack]

    @property
    def nbytes(self) -> int:
        """Memory of the weights."""
        return sum(stack.nbytes for stack in self.stacks.values())


def captured_for(
    model: LoadedModel,
    text: str,
    pair: str | None,
    masks: Sequence[Mask],
    answer: str,
    context: Context,
) -> Captured:
    """The attention of a model for a text, from the last run where that was the same.

    Args:
        model: Who attends.
        text: What it reads.
        pair: The second text, or None.
        masks: Masked ranges of characters.
        answer: What a decoder beside an encoder reads; "" for what it writes itself.
        context: Cancels.

    Raises:
        As explorer.hf.attention.weights.capture does.
    """

    def run() -> Captured:
        encoded = without_masks(model, model.encode(text, pair, masks), context)
        ids = None
        if answer.strip():
            ids = model.tokenizer(answer, add_special_tokens=False)["input_ids"]
        return Captured(encoded, model.port(Attentions).capture(encoded, context, ids))

    asked = (text, pair, tuple(masks), answer.strip())
    return kept("attention", run, of=model, asked=asked, most=MOST, room=ROOM)
