"""What happens inside: how far states move, and which entities entities look at."""

from explorer.questions.knowledge.entities.pinned import PinnedEntities
from explorer.questions.knowledge.entities.question import EntitiesResult, Version
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.ui.blocks.shown import Shown
from explorer.ui.matrices.heat_layout import HeatContent
from explorer.ui.matrices.linked import LinkedMatrices, LinkedMatrix
from explorer.ui.matrices.scale import Scale
from explorer.ui.sentence.pieces import from_right, labels


def title_of(result: EntitiesResult, version: Version) -> str:
    """What a version is called."""
    if version is Version.WITHOUT:
        return _("Without entities")
    if version is Version.OTHER and result.other is not None:
        return _("With {name} instead", name=result.other.name)
    names = [one.entity.name for one in result.named]
    return _("With {names}", names=", ".join(names))


def moved_states(shown: Shown, result: EntitiesResult) -> LinkedMatrices:
    """A matrix a version with entities: layers by tokens; with a pinned answer, its change too."""
    tokens = labels(result.tokens, shown.asked)
    rows = (_("emb."), *(f"{layer} {kind}" for layer, kind in enumerate(result.kinds)))
    some = [(one, one.moved) for one in result.versions if one.moved is not None]
    top = max(float(moved.max()) for _one, moved in some) or 1.0
    matrices = [
        LinkedMatrix(
            f"moved {one.version.value}",
            title_of(result, one.version),
            _("against the text without entities"),
            HeatContent(
                moved,
                rows,
                tokens,
                Scale(0.0, top),
                row_title=_("layer"),
                from_right=from_right(result.tokens, shown.asked),
            ),
        )
        for one, moved in some
    ]

    pinned = PinnedEntities.of(shown)
    for one, _share in some:
        change = pinned.moved(one) if pinned is not None else None
        if change is not None:
            matrices.append(
                LinkedMatrix(
                    f"change-moved-{one.version.value}",
                    title_of(result, one.version),
                    _("difference to the pinned answer"),
                    HeatContent(
                        change,
                        rows,
                        tokens,
                        Scale.about_zero(change),
                        row_title=_("layer"),
                        from_right=from_right(result.tokens, shown.asked),
                    ),
                )
            )

    def said(cell: tuple[int, int] | None) -> str:
        if cell is None:
            return _("Point at a cell to read it.")
        shares = ", ".join(
            f"{title_of(result, one.version)}: {percent(float(moved[cell]), 1)}"
            for one, moved in some
        )
        return _(
            "{token} in {layer}: {shares}",
            token=tokens[cell[1]],
            layer=rows[cell[0]],
            shares=shares,
        )

    return LinkedMatrices(matrices, said)


def entity_attention(shown: Shown, result: EntitiesResult) -> LinkedMatrices:
    """A matrix a version and layer in which entities attend; with a pinned answer its change."""
    words = labels(result.tokens, shown.asked)
    names = tuple(words[place] for place in result.counted)
    found = [
        (title_of(result, one.version), layer, one.attention[n].mean(axis=0))
        for one in result.versions
        if one.attention is not None and one.version is not Version.WITHOUT
        for n, layer in enumerate(result.layers)
    ]
    matrices = [
        LinkedMatrix(
            f"entities {title} {layer}",
            title,
            _("layer {layer}, mean over heads", layer=layer),
            HeatContent(
                weights,
                names,
                names,
                Scale(0.0, 1.0),
                row_title=_("from"),
                from_right=from_right(result.tokens, shown.asked),
            ),
        )
        for title, layer, weights in found
    ]

    pinned = PinnedEntities.of(shown)
    for one in result.versions:
        change = pinned.attention(one) if pinned is not None else None
        if change is None or one.version is Version.WITHOUT:
            continue
        for n, layer in enumerate(result.layers):
            of_layer = change[n].mean(axis=0)
            matrices.append(
                LinkedMatrix(
                    f"change-entities-{one.version.value}-{layer}",
                    title_of(result, one.version),
                    _("layer {layer}, difference to the pinned answer", layer=layer),
                    HeatContent(
                        of_layer,
                        names,
                        names,
                        Scale.about_zero(of_layer),
                        row_title=_("from"),
                        from_right=from_right(result.tokens, shown.asked),
                    ),
                )
            )

    def said(cell: tuple[int, int] | None) -> str:
        if cell is None:
            return _("Point at a cell to read it.")
        weights = ", ".join(f"{float(one[cell]):.3f}" for _title, _layer, one in found)
        return _(
            "{one} looks at {other}: {weights}",
            one=names[cell[0]],
            other=names[cell[1]],
            weights=weights,
        )

    return LinkedMatrices(matrices, said)
