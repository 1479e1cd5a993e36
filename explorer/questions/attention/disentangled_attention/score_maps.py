"""A head's parts as heat maps, and the shares of all heads as grids."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from explorer.document import Document
from explorer.questions.attention.disentangled_attention.question import (
    DisentangledAttentionResult,
    part_name,
)
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.ui.matrices.heads.cells import Heads
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.linked import LinkedMatrix
from explorer.ui.matrices.scale import Scale
from explorer.ui.sentence.pieces import from_right
from explorer.ui.sentence.pieces import labels as labels_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def shared_scale(result: DisentangledAttentionResult) -> Scale:
    """One scale about zero for all parts and for their sum, so that they can be compared."""
    import numpy as np

    return Scale.about_zero(np.stack([part.scores for part in result.parts] + [result.scores]))


def maps_of(
    result: DisentangledAttentionResult, document: Document | None
) -> tuple[LinkedMatrix, ...]:
    """Each part, their sum, and the attention; the attention with parts off where some are."""
    labels, scale = labels_of(result.tokens, document), shared_scale(result)
    turned = from_right(result.tokens, document)
    masked = frozenset(index for index, token in enumerate(result.tokens) if token.masked)

    def map_of(values: "NDArray[np.float32]", scale: Scale, *, signed: bool) -> HeatContent:
        return HeatContent(
            values,
            labels,
            labels,
            scale,
            row_title=_("query"),
            column_title=_("key"),
            signed=signed,
            named=masked,
            from_right=turned,
        )

    def scores_of(name: str, title: str, about: str, values: "NDArray[np.float32]") -> LinkedMatrix:
        return LinkedMatrix(name, title, about, map_of(values, scale, signed=True))

    maps = [scores_of(one.name, one.name, part_name(one.name), one.scores) for one in result.parts]
    about = _("their sum, before the softmax")
    maps.append(scores_of("score", _("Score"), about, result.scores))
    after = result.attention_after
    attentions = [result.attention] if after is None else [result.attention, after]
    highest = Scale(max(float(one.max(initial=0.0)) for one in attentions) or 1.0)
    content = map_of(result.attention, highest, signed=False)
    maps.append(LinkedMatrix("weight", _("Attention"), _("softmax of the score"), content))
    if after is not None:
        content = map_of(after, highest, signed=False)
        title, about = _("Attention, switched off"), _("without the parts")
        maps.append(LinkedMatrix("weightOff", title, about, content))
    return tuple(maps)


def row_labels(result: DisentangledAttentionResult) -> tuple[str, ...]:
    """Layers, and the steps of the mask decoder."""
    steps = tuple(_("step {step}", step=str(step)) for step in range(1, result.steps + 1))
    return (*(str(layer) for layer in range(result.layers)), *steps)


def place_of_row(result: DisentangledAttentionResult, row: int) -> tuple[int, int]:
    """The layer and the step that a row of the shares stands for."""
    if row >= result.layers:
        return result.layers - 1, row - result.layers + 1
    return row, 0


def share_grids(
    result: DisentangledAttentionResult,
    choose: Callable[[int, int], Any] = lambda _row, _head: None,
) -> tuple[Heads, ...]:
    """One grid of layers and heads for each part's shares, all on one scale from 0 to 1.

    Args:
        result: Of one head.
        choose: From a row and a head to the gesture of choosing them.
    """
    row = result.layers + result.step - 1 if result.step else result.layer

    def grid(name: str, values: "NDArray[np.float32]") -> Heads:
        off = {
            (line, head)
            for line in range(result.layers + result.steps)
            for head in range(result.heads)
            if any(one.holds(name, place_of_row(result, line)[0], head) for one in result.off)
        }

        def words(line: int, head: int) -> str:
            layer, step = place_of_row(result, line)
            places = {"head": str(head), "share": percent(float(values[line, head]), 1)}
            if step:
                said = _(
                    "Mask decoder, step {step}, head {head}: {share} {part}",
                    step=str(step),
                    part=part_name(name),
                    **places,
                )
            else:
                said = _(
                    "Layer {layer}, head {head}: {share} {part}",
                    layer=str(layer),
                    part=part_name(name),
                    **places,
                )
            return "\n".join((said, _("Switched off."))) if (line, head) in off else said

        return Heads(
            name=name,
            title=_(
                "{part}: {share} over all heads", part=name, share=percent(float(values.mean()))
            ),
            rows=row_labels(result),
            heads=result.heads,
            words=words,
            values=values,
            scale=Scale(in_percent=True),
            written=lambda value: f"{100 * value:.0f}",
            marked=(row, result.head),
            off=off,
            act=choose,
        )

    return tuple(grid(part.name, part.shares) for part in result.parts)
