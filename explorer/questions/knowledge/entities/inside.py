"""What happens inside: how far states move, and which entities entities look at."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from explorer.api.question import TOKENS
from explorer.questions.knowledge.entities.parts import title_of
from explorer.questions.knowledge.entities.question import (
    SHOW,
    SHOWN_OF,
    EntitiesResult,
    Floats,
    Version,
    VersionAnswer,
)
from explorer.text import N_, _
from explorer.text.formatting.numbers import percent
from explorer.ui.blocks import (
    Block,
    HeatContent,
    LinkedMatrices,
    LinkedMatrix,
    Scale,
    Shown,
    explanation,
    heading,
    places_between,
    starts_at_right,
    token_labels,
)

MOVED = N_(
    "How far the entities move each token's state, as a share of its length without them. Layers "
    "of kind sim read no entity; what moves there was moved before."
)
ATTENTION = N_(
    "How much each entity looks at each other one, mean over heads. The first token has no entity, "
    "but may be looked at."
)
Cell = tuple[int, int]


@dataclass(frozen=True)
class EntityMatrix:
    """A matrix.

    Attributes:
        about: Below its title.
        change: The same of its difference to the pinned answer.
        values: Its numbers.
    """

    about: str
    change: str
    values: Floats


Maps = Mapping[tuple[Version, int], EntityMatrix]
"""By version and layer; -1 for all layers together."""


def inside(shown: Shown) -> Iterator[Block]:
    """One of both, as is chosen, with what has changed since the pinned answer."""
    result: EntitiesResult = shown.result
    names = token_labels(result.tokens, shown.asked)
    if shown.value(SHOW) == SHOWN_OF:
        words = tuple(names[place] for place in result.counted)
        maps = _attention(result)
        yield heading(_("Entity attention"))
        yield explanation(_(ATTENTION))
        yield _linked(shown, maps, words, words, _("from"), Scale(0.0, 1.0), _looks(maps, words))
    else:
        rows = (_("emb."), *(f"{layer} {kind}" for layer, kind in enumerate(result.kinds)))
        maps = _moved(result)
        top = max(float(one.values.max()) for one in maps.values()) or 1.0
        said = _moves(result, maps, rows, names)
        yield heading(_("Moved states"))
        yield explanation(_(MOVED))
        yield _linked(shown, maps, rows, names, _("layer"), Scale(0.0, top), said)


def _answered(result: EntitiesResult) -> list[VersionAnswer]:
    """The versions with entities."""
    return [one for one in result.versions if one.version is not Version.WITHOUT]


def _moved(result: EntitiesResult) -> Maps:
    about, change = _("against the text without entities"), _("difference to the pinned answer")
    return {
        (one.version, -1): EntityMatrix(about, change, one.moved)
        for one in _answered(result)
        if one.moved is not None
    }


def _attention(result: EntitiesResult) -> Maps:
    return {
        (one.version, layer): EntityMatrix(
            _("layer {layer}, mean over heads", layer=layer),
            _("layer {layer}, difference to the pinned answer", layer=layer),
            one.attention[n].mean(axis=0),
        )
        for one in _answered(result)
        if one.attention is not None
        for n, layer in enumerate(result.layers)
    }


def _linked(
    shown: Shown,
    maps: Maps,
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    row_title: str,
    scale: Scale,
    said: Callable[[Cell], str],
) -> LinkedMatrices:
    """A matrix each, then the change of each where the pinned answer has the same tokens."""
    result: EntitiesResult = shown.result
    turned = starts_at_right(result.tokens, shown.asked)

    def matrix(key: tuple[Version, int], about: str, values: Floats, scale: Scale) -> LinkedMatrix:
        content = HeatContent(values, rows, columns, scale, row_title=row_title, from_right=turned)
        return LinkedMatrix(f"{about} {key}", title_of(result, key[0]).said, about, content)

    matrices = [matrix(key, one.about, one.values, scale) for key, one in maps.items()]
    for key, change in changes(shown, maps).items():
        matrices.append(matrix(key, maps[key].change, change, Scale.about_zero(change)))
    nothing = _("Point at a cell to read it.")
    return LinkedMatrices(matrices, lambda cell: nothing if cell is None else said(cell))


def changes(shown: Shown, maps: Maps) -> Mapping[tuple[Version, int], Floats]:
    """By how much more each number is now; nothing where tokens are others."""
    if shown.pinned is None:
        return {}
    now, then = shown.result, shown.pinned.result
    same = places_between(now, shown.asked, shown.pinned).get(TOKENS, {})
    if not len(same) == len(now.tokens) == len(then.tokens) or now.counted != then.counted:
        return {}
    before = {**_moved(then), **_attention(then)}
    return {
        key: one.values - before[key].values
        for key, one in maps.items()
        if key in before and np.shape(before[key].values) == np.shape(one.values)
    }


def _moves(
    result: EntitiesResult, maps: Maps, rows: tuple[str, ...], names: tuple[str, ...]
) -> Callable[[Cell], str]:
    def said(cell: Cell) -> str:
        shares = ", ".join(
            f"{title_of(result, version).said}: {percent(float(one.values[cell]), 1)}"
            for (version, _layer), one in maps.items()
        )
        return _(
            "{token} in {layer}: {shares}",
            token=names[cell[1]],
            layer=rows[cell[0]],
            shares=shares,
        )

    return said


def _looks(maps: Maps, words: tuple[str, ...]) -> Callable[[Cell], str]:
    def said(cell: Cell) -> str:
        weights = ", ".join(f"{float(one.values[cell]):.3f}" for one in maps.values())
        return _(
            "{one} looks at {other}: {weights}",
            one=words[cell[0]],
            other=words[cell[1]],
            weights=weights,
        )

    return said
