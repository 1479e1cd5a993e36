"""All heads as they are drawn: small maps, differences, their order by a measure."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from explorer.api.question import head_said
from explorer.numerics.attention_patterns import MEASURES, NAMES, PatternMeasure
from explorer.questions.attention.attention.chosen import add_head, choices_of, pinned_grid
from explorer.questions.attention.attention.compared import blocked_small
from explorer.questions.attention.attention.one_head import head_of
from explorer.questions.attention.attention.question import (
    CHANGE,
    HEAD,
    LOGARITHMIC,
    RANK,
    AttentionResult,
)
from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks import (
    AllHeads,
    Block,
    GridContent,
    Head,
    HeadsBlock,
    Move,
    Scale,
    Shown,
    Space,
    Text,
    current_theme,
    head_colours,
    note,
    remembered,
    starts_at_right,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Values = npt.NDArray[np.floating[Any]]


@remembered()
def grid_content(
    result: AttentionResult,
    before: AttentionResult | None,
    logarithmic: bool,
    rank: str,
    from_right: bool,
) -> GridContent:
    """All heads, or what all of them changed since another answer.

    Args:
        result: Of now.
        before: What is taken from it, where both have the same heads and places.
        logarithmic: Colours by powers of ten.
        rank: A measure's name, or CHANGE: heads are in that order, most first.
        from_right: The first token of a map stands at the right.
    """
    import numpy as np

    maps = result.overview.astype(np.float32)
    hidden = blocked_small(result)
    if before is not None:
        maps = maps - before.overview.astype(np.float32)
        scale = Scale.about_zero(maps, logarithmic=logarithmic)
    else:
        if hidden is not None:
            maps[:, :, hidden] = -np.inf
        scale = Scale(logarithmic=logarithmic)
    order, notes = ranked(result, rank, maps if before is not None else None)
    return GridContent(maps[..., ::-1] if from_right else maps, scale, order, notes)


def ranked(
    result: AttentionResult, rank: str, change: "Values | None" = None
) -> tuple[tuple[Head, ...], tuple[str, ...]]:
    """Heads by a measure, most first, and a note for each; nothing where they can't be ranked."""
    import numpy as np

    if rank == CHANGE and change is not None:
        values = np.abs(change).max(axis=(2, 3))
    elif rank in result.measure_names:
        values = result.measures[result.measure_names.index(rank)]
    else:
        return (), ()
    if not np.isfinite(values).any():
        return (), ()
    flat = np.where(np.isfinite(values), values, -np.inf).ravel()
    order = [divmod(int(i), result.heads) for i in np.argsort(-flat, kind="stable")]
    notes = [f"{layer}.{head}  {values[layer, head]:.2f}" for layer, head in order]
    return tuple(order), tuple(notes)


def meaning_of(rank: str) -> str:
    """What a measure is, in one sentence; "" for by layer."""
    if rank == CHANGE:
        return _("Ranked by the largest change of any weight since the pinned answer.")
    for measure in MEASURES:
        if measure.name == rank:
            return _(measure.meaning)
    return ""


def measured(measure: PatternMeasure, value: float) -> str:
    """A head's measure with its unit."""
    places = {"title": _(measure.title), "value": decimal(value, 2)}
    if measure.share:
        return _("{title} {value}", **places)
    if measure.name == "entropy":
        return _("{title} {value} nats", **places)
    return _("{title} {value} tokens", **places)


@remembered()
def descriptions(result: AttentionResult) -> dict[Head, str]:
    """Every head's place, and its measures, a line each."""
    measures = {one.name: one for one in MEASURES}
    lines: dict[Head, list[str]] = {
        (layer, head): [head_said(layer, head).said]
        for layer in range(result.layers)
        for head in range(result.heads)
    }
    for name, values in zip(result.measure_names, result.measures.tolist(), strict=True):
        measure = measures.get(name)
        if measure is None:
            continue
        for (layer, head), said in lines.items():
            value = values[layer][head]
            if math.isfinite(value):
                said.append(measured(measure, value))
    return {head: "\n".join(said) for head, said in lines.items()}


def offered_measures(result: AttentionResult) -> tuple[str, ...]:
    """Names of the measures that these heads can have."""
    import numpy as np

    return tuple(
        name
        for name in NAMES
        if name in result.measure_names
        and bool(np.isfinite(result.measures[result.measure_names.index(name)]).any())
    )


def all_heads_blocks(shown: Shown) -> Iterator[Block]:
    """All heads, small, with what is said of them."""
    result: AttentionResult = shown.result
    before, rank = pinned_grid(shown), shown.value(RANK)
    turned = starts_at_right(result.tokens, shown.asked)
    grid = grid_content(result, before, shown.value(LOGARITHMIC), rank, turned)
    said = [_("{layers} layers × {heads} heads.", layers=result.layers, heads=result.heads)]
    if max(result.block) > 1:
        places = {"rows": result.block[0], "columns": result.block[1]}
        said.append(_("A dot is the strongest of {rows} × {columns} weights.", **places))
    if before is not None:
        said.append(_("Now minus before."))
    if grid.order:
        said.append(meaning_of(rank))
    choices, colours = choices_of(shown), head_colours(current_theme())
    several = zip(map(head_of, choices), colours, strict=False) if len(choices) > 1 else ()
    words = descriptions(result)
    heads = AllHeads(
        grid,
        head_of(choices[0]),
        tuple((head, colour) for head, colour in several if head is not None),
        words.__getitem__,
        lambda head: Move(HEAD, "{}.{}".format(*head)),
        lambda head: add_head(shown, head),
        _("All heads"),
    )
    yield Text(_("All heads"), "strong")
    yield note(" ".join(said), above=Space.TIGHT)
    yield HeadsBlock(heads)
