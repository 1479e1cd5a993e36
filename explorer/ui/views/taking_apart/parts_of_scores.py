"""A head's parts as heat maps and grids, and what is said of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.document import Document
from explorer.questions.attention.disentangled_attention.question import (
    TOLERANCE,
    DisentangleResult,
)
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.scale import Scale, number
from explorer.ui.sentence.pieces import of_tokens
from explorer.ui.sentence.token_layout import MASK_LABEL
from explorer.ui.views.taking_apart.head_cells import Heads
from explorer.ui.views.taking_apart.map_board import TitledMap
from explorer.ui.views.taking_apart.part_switches import NAMES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHARES = (
    "How much of what tells one key from another comes from each part: from every row of scores "
    "its mean is taken away (softmax does not see it); a part's size is the root of the mean "
    "square of what is left, and its share that size divided by all parts'. Click a head to look "
    "at it."
)
DISTANCES = (
    "What positions add at each distance, whatever stands there: the mean over the words of this "
    "text as the content."
)
PART_TITLES = {
    "c2c": ("c2c", "content to content"),
    "c2p": ("c2p", "content to position"),
    "p2c": ("p2c", "position to content"),
}


def labels_of(result: DisentangleResult, document: Document | None) -> tuple[str, ...]:
    """The tokens as labels."""
    pieces = of_tokens(result.tokens, document)
    return tuple(MASK_LABEL if piece.masked else piece.text for piece in pieces)


def shared_scale(result: DisentangleResult) -> Scale:
    """One scale about zero for all parts and for their sum, so that they can be compared."""
    import numpy as np

    return Scale.about_zero(np.stack([part.scores for part in result.parts] + [result.scores]))


def maps_of(result: DisentangleResult, document: Document | None) -> tuple[TitledMap, ...]:
    """Each part, their sum, and the attention; the attention with parts off where some are."""
    labels, scale = labels_of(result, document), shared_scale(result)

    def map_of(values: "NDArray[np.float32]", scale: Scale, *, signed: bool) -> HeatContent:
        return HeatContent(
            values, labels, labels, scale, row_title="query", column_title="key", signed=signed
        )

    maps = [
        TitledMap(part.name, *PART_TITLES[part.name], map_of(part.scores, scale, signed=True))
        for part in result.parts
    ]
    about = "their sum, before the softmax"
    maps.append(TitledMap("score", "Score", about, map_of(result.scores, scale, signed=True)))
    after = result.attention_after
    attentions = [result.attention] if after is None else [result.attention, after]
    highest = Scale(max(float(one.max(initial=0.0)) for one in attentions) or 1.0)
    content = map_of(result.attention, highest, signed=False)
    maps.append(TitledMap("weight", "Attention", "softmax of the score", content))
    if after is not None:
        content = map_of(after, highest, signed=False)
        maps.append(TitledMap("weightOff", "Attention, switched off", "without the parts", content))
    return tuple(maps)


def sum_said(result: DisentangleResult) -> str:
    """The check of the parts against the model's own scores."""
    names = " + ".join(part.name for part in result.parts)
    return (
        f"✓ {names} is the model's own score: off by at most {number(result.sum_error)} in this "
        f"head, {number(result.largest_error)} in any (allowed: {number(TOLERANCE)})."
    )


def place_said(result: DisentangleResult) -> str:
    """Which head this is."""
    if result.step:
        where = f"Mask decoder, step {result.step} of {result.steps} (layer {result.layer} again)"
    else:
        where = f"Layer {result.layer} of 0 to {result.layers - 1}"
    return f"{where}, head {result.head} of 0 to {result.heads - 1}"


def pair_said(
    result: DisentangleResult, labels: Sequence[str], cell: tuple[int, int] | None
) -> str:
    """The sum of one pair of tokens, in numbers."""
    if cell is None:
        return "Point at a cell: its parts are added up here."
    query, key = cell
    distance = key - query
    side = "right" if distance > 0 else "left"
    far = f"{abs(distance)} to the {side}" if distance else "itself"
    terms = ", ".join(
        f"{part.name} {number(float(part.scores[query, key]), signed=True)}"
        for part in result.parts
    )
    said = (
        f"{labels[query]} → {labels[key]} ({far}): {terms}; score "
        f"{number(float(result.scores[query, key]), signed=True)}, attention "
        f"{number(float(result.attention[query, key]))}"
    )
    if result.attention_after is not None:
        said += f", switched off {number(float(result.attention_after[query, key]))}"
    return f"{said}."


def row_labels(result: DisentangleResult) -> tuple[str, ...]:
    """Layers, and the steps of the mask decoder."""
    steps = tuple(f"step {step}" for step in range(1, result.steps + 1))
    return (*(str(layer) for layer in range(result.layers)), *steps)


def place_of_row(result: DisentangleResult, row: int) -> tuple[int, int]:
    """The layer and the step that a row of the shares stands for."""
    if row >= result.layers:
        return result.layers - 1, row - result.layers + 1
    return row, 0


def share_grids(result: DisentangleResult) -> tuple[Heads, ...]:
    """One grid of layers and heads for each part's shares, all on one scale from 0 to 1."""
    row = result.layers + result.step - 1 if result.step else result.layer
    off = {
        part.name: {
            (line, head)
            for line in range(result.layers + result.steps)
            for head in range(result.heads)
            if any(one.holds(part.name, place_of_row(result, line)[0], head) for one in result.off)
        }
        for part in result.parts
    }

    def grid(name: str, values: "NDArray[np.float32]") -> Heads:
        def words(line: int, head: int) -> str:
            layer, step = place_of_row(result, line)
            where = f"Mask decoder, step {step}" if step else f"Layer {layer}"
            state = "\nSwitched off." if (line, head) in off[name] else ""
            return f"{where}, head {head}: {values[line, head]:.1%} {NAMES[name]}{state}"

        return Heads(
            name=name,
            title=f"{name}: {float(values.mean()):.0%} over all heads",
            rows=row_labels(result),
            heads=result.heads,
            words=words,
            values=values,
            written=lambda value: f"{100 * value:.0f}",
            marked=(row, result.head),
            off=off[name],
        )

    return tuple(grid(part.name, part.shares) for part in result.parts)
