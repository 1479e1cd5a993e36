"""One head, or many heads as one: mean, strongest, rollout."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from explorer.api.family import Context, UserMistake
from explorer.hf.attention.weights import AttendingStack
from explorer.text import N_

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]

MEAN, MAX, ROLLOUT = "mean", "max", "rollout"


@dataclass(frozen=True)
class HeadOrMean:
    """A head, or a way to see several as one.

    Attributes:
        layer: Counted from 0; None for all layers.
        head: Counted from 0; None for all heads of the layer, or of all layers.
        over: How several are combined: "mean", "max", or "rollout" (of all layers, or up to and
            with `layer`); "" for a single head.
    """

    layer: int | None = None
    head: int | None = None
    over: str = ""

    @staticmethod
    def of(written: str) -> "HeadOrMean":
        """Read "3.5" (layer and head), "3.mean", "3.max", "mean", "max", "rollout", "rollout.3".

        Raises:
            UserMistake: It is none of these.
        """
        first, _, second = written.partition(".")
        if first == ROLLOUT and (not second or second.isdecimal()):
            return HeadOrMean(int(second) if second else None, None, ROLLOUT)
        if first in (MEAN, MAX) and not second:
            return HeadOrMean(None, None, first)
        if first.isdecimal() and second in (MEAN, MAX):
            return HeadOrMean(int(first), None, second)
        if first.isdecimal() and second.isdecimal():
            return HeadOrMean(int(first), int(second))
        raise UserMistake(
            N_('"{written}" names no head.'),
            N_(
                'Write layer and head, both from 0 on, as in "3.5"; or "3.mean", "mean", "rollout".'
            ),
            written=written,
        )

    def __str__(self) -> str:
        if self.over == ROLLOUT:
            return ROLLOUT if self.layer is None else f"{ROLLOUT}.{self.layer}"
        if self.layer is None:
            return self.over
        return f"{self.layer}.{self.over or self.head}"


def combined(stack: AttendingStack, choice: HeadOrMean, context: Context) -> "Values":
    """The weights of a choice: queries x keys, float32.

    Raises:
        UserMistake: There is no such layer or head, or no rollout of this kind of attention.
        Cancelled: The run was cancelled; checked at every layer.
    """
    import numpy as np

    _check(stack, choice)
    if choice.over == ROLLOUT:
        return rollout(stack, stack.layers - 1 if choice.layer is None else choice.layer, context)
    if choice.head is not None and choice.layer is not None:
        return np.array(stack.weights[choice.layer][choice.head], dtype=np.float32)
    layers = stack.weights if choice.layer is None else (stack.weights[choice.layer],)
    total: Values | None = None
    for layer in layers:
        context.check()
        values = np.asarray(layer, dtype=np.float32)
        one = values.mean(axis=0) if choice.over == MEAN else values.max(axis=0)
        if total is None:
            total = one
        else:
            total = total + one if choice.over == MEAN else np.maximum(total, one)
    assert total is not None
    return total / np.float32(len(layers)) if choice.over == MEAN else total


def rollout(stack: AttendingStack, last: int, context: Context) -> "Values":
    """How much of each input token is in each token's state, by attention alone.

    The mean over a layer's heads, half of it replaced by the identity for what goes around the
    attention, rows again summing to one; the layers up to `last` multiplied (Abnar and Zuidema
    2020, section 3, "attention rollout").
    """
    import numpy as np

    size = stack.weights[0].shape[-1]
    flow = np.eye(size, dtype=np.float64)
    for layer in stack.weights[: last + 1]:
        context.check()
        mean = np.asarray(layer, dtype=np.float32).mean(axis=0, dtype=np.float64)
        mixed = 0.5 * mean + 0.5 * np.eye(size)
        flow = (mixed / mixed.sum(axis=-1, keepdims=True)) @ flow
    return flow.astype(np.float32)


def _check(stack: AttendingStack, choice: HeadOrMean) -> None:
    if choice.over == ROLLOUT and stack.kind == "cross":
        raise UserMistake(
            N_(
                "Rollout follows one text through its own layers; from one text to another there "
                "is none."
            ),
            N_("Choose the encoder's or the decoder's attention."),
        )
    if choice.layer is not None and choice.layer >= stack.layers:
        raise UserMistake(
            N_("There is no layer {layer}: the {kind} attention has {layers}."),
            N_("Layers count from 0 to {last}."),
            layer=choice.layer,
            kind=stack.kind,
            layers=stack.layers,
            last=stack.layers - 1,
        )
    if choice.head is not None and choice.head >= stack.heads:
        raise UserMistake(
            N_("There is no head {head}: a layer has {heads}."),
            N_("Heads count from 0 to {last}."),
            head=choice.head,
            heads=stack.heads,
            last=stack.heads - 1,
        )
