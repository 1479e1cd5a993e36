"""What is drawn of an architecture: shapes from below, in columns, without any pixels.

As a person would on a board: tables, layers that are alike as one with a number, the shape of
what flows between them, and whatever makes the family different where it belongs.
"""

from collections.abc import Iterator

from explorer.api.family import Blueprint, Role
from explorer.architecture.shapes import (
    Arrow,
    Column,
    Item,
    Repeat,
    Shape,
    Sketch,
    states,
)
from explorer.architecture.sketch_heads import above
from explorer.text import _


def sketch_of(
    blueprint: Blueprint, companion: Blueprint | None = None, *, mine_first: bool = True
) -> Sketch:
    """Draw a blueprint.

    Args:
        blueprint: The model's.
        companion: The other half, where two models were trained together.
        mine_first: The model stands left of its companion.
    """
    widest = max(blueprint.hidden_size, blueprint.feed_forward_size, blueprint.bottleneck_size, 1)
    if blueprint.decoder_layers:
        columns = (
            Column(_("Encoder"), tuple(_stack(blueprint, "encoder")), "encoder"),
            Column(_("Decoder"), tuple(_stack(blueprint, "decoder")), "decoder"),
        )
        return Sketch(columns, "cross", widest)
    mine = tuple(_single(blueprint))
    if companion is None:
        return Sketch((Column("", mine),), "", widest)
    other = tuple(_single(companion))
    below, above = (mine, other) if mine_first else (other, mine)
    below = (Shape("input", _("n tokens, some masked")), *below[1:])
    above = (Shape("input", _("n tokens, some replaced")), *above[1:])
    return Sketch(
        (
            Column(_("Generator"), below, mine=mine_first),
            Column(_("Discriminator"), above, mine=not mine_first),
        ),
        "replaced",
        max(widest, companion.hidden_size, companion.feed_forward_size),
    )


def _single(blueprint: Blueprint) -> Iterator[Item]:
    """A model with one stack of layers."""
    yield Shape("input", _("n tokens"))
    yield Arrow()
    yield from _below(blueprint)
    yield _layers(blueprint)
    yield states(blueprint.hidden_size)
    if blueprint.final_norm:
        yield Shape("norm", _("norm"), roles=(Role.NORMS,))
        yield Arrow()
    yield from above(blueprint)


def _below(blueprint: Blueprint) -> Iterator[Item]:
    inner, width = blueprint.embedding_size, blueprint.hidden_size
    joined = blueprint.joined
    tables = [(_("tokens"), blueprint.vocabulary, inner)]
    if blueprint.positions and not blueprint.decoder_positions and joined == 1:
        tables.append((_("positions"), blueprint.positions, inner))
    if blueprint.token_types and joined == 1:
        tables.append((_("segments"), blueprint.token_types, inner))
    if blueprint.extra_embeddings:
        tables.append((_(blueprint.extra_name), blueprint.extra_embeddings, inner))
    roles: tuple[str, ...] = (Role.PIECES, Role.POSITIONS, Role.SEGMENTS)
    roles += (Role.EXTRA, Role.EMBEDDING_NORM)
    yield Shape("tables", "", high=inner, roles=roles, tables=tuple(tables), where="embeddings")
    if joined > 1:
        yield Arrow(_("n × {inner}, and both neighbours", inner=inner))
        yield Shape(
            "widen",
            _("{joined} × {inner} to {width}", joined=joined, inner=inner, width=width),
            low=joined * inner,
            high=width,
            roles=(Role.WIDEN,),
            where="embeddings",
        )
        more = [
            (_("positions"), blueprint.positions, width),
            (_("segments"), blueprint.token_types, width),
        ]
        yield Arrow()
        yield Shape("tables", "", high=width, roles=roles[1:], tables=tuple(more))
    elif blueprint.widened:
        yield states(inner)
        yield Shape(
            "widen",
            _("{inner} to {width}", inner=inner, width=width),
            low=inner,
            high=width,
            roles=(Role.WIDEN,),
            where="embeddings",
        )
    yield states(width)


def _layers(blueprint: Blueprint) -> Repeat:
    attention = blueprint.attention_sets or blueprint.layers
    feed_forward = blueprint.feed_forward_sets or blueprint.layers
    shared = ""
    if attention < blueprint.layers:
        shared = "all" if feed_forward < blueprint.layers else "attention"
    elif feed_forward < blueprint.layers:
        shared = "feed_forward"
    return Repeat(
        _("layer"),
        blueprint.layers,
        min(attention, feed_forward),
        shared,
        tuple(_layer(blueprint)),
    )


def _layer(blueprint: Blueprint) -> Iterator[Shape | Arrow]:
    width, inside = blueprint.hidden_size, blueprint.bottleneck_size
    attention = tuple(_sublayer(blueprint, _attention(blueprint, blueprint.attention)))
    feed_forward = tuple(_sublayer(blueprint, _feed_forward(blueprint, inside or width)))
    if not inside:
        yield from (*attention, *feed_forward)
        return
    down, up = (
        _("{width} to {inside}", width=width, inside=inside),
        _("{inside} to {width}", inside=inside, width=width),
    )
    roles = (Role.BOTTLENECK,)
    yield Shape("widen", down, low=width, high=inside, roles=roles, where="block")
    yield states(inside)
    yield from (*attention, *feed_forward)
    yield states(inside)
    yield Shape("widen", up, low=inside, high=width, roles=roles)
    # From before the whole layer, as wide as the states between the layers.
    yield Shape("add", "", around=len(attention) + len(feed_forward) + 2)
    yield Shape("norm", _("norm"), roles=roles)


def _attention(blueprint: Blueprint, pattern: str, words: str = "") -> Shape:
    cross = pattern == "other"
    words = words or _("attention")
    return Shape(
        "attention",
        f"{words}: {blueprint.heads} × {blueprint.head_size}",
        low=blueprint.bottleneck_size or blueprint.hidden_size,
        high=blueprint.bottleneck_size or blueprint.hidden_size,
        count=blueprint.heads,
        pattern=pattern,
        roles=(Role.CROSS,)
        if cross
        else (
            Role.QKV,
            Role.ATTENTION_OUTPUT,
            Role.DISTANCE_PROJECTIONS,
            Role.DISTANCES,
        ),
        where="" if cross else "attention",
    )


def _feed_forward(blueprint: Blueprint, width: int) -> Shape:
    return Shape(
        "feed_forward",
        _(
            "{width} to {feed_forward_size} to {width}",
            width=width,
            feed_forward_size=blueprint.feed_forward_size,
        ),
        low=width,
        high=width,
        wide=blueprint.feed_forward_size,
        count=blueprint.feed_forwards,
        roles=(Role.FEED_FORWARD_IN, Role.GATE, Role.FEED_FORWARD_OUT),
        where="feed_forward",
    )


def _sublayer(blueprint: Blueprint, shape: Shape) -> Iterator[Shape]:
    """A part of a layer, the residual around it, and its norm.

    A norm that stands before the part is passed by as well: nothing on the residual's way
    through the layers is ever normed then.
    """
    norm = Shape("norm", _("norm"), roles=(Role.NORMS,))
    if blueprint.norm_first:
        yield from (norm, shape, Shape("add", "", around=2))
    elif shape.form == "feed_forward" and shape.count > 1:
        yield shape
    else:
        yield from (shape, Shape("add", "", around=1), norm)


def _stack(blueprint: Blueprint, stack: str) -> Iterator[Item]:
    width = blueprint.hidden_size
    decoder = stack == "decoder"
    yield Shape("input", _("the answer so far") if decoder else _("n tokens"))
    yield Arrow()
    yield Shape(
        "tables",
        _("the same table") if decoder else "",
        high=width,
        roles=(Role.PIECES,),
        tables=((_("tokens"), blueprint.vocabulary, width),),
        where="" if decoder else "embeddings",
    )
    yield states(width)
    items: list[Shape | Arrow] = []
    pattern = f"{blueprint.attention} before" if decoder else blueprint.attention
    items += _sublayer(blueprint, _attention(blueprint, pattern))
    if decoder:
        items += _sublayer(blueprint, _attention(blueprint, "other", _("cross attention")))
    items += _sublayer(blueprint, _feed_forward(blueprint, width))
    layers = blueprint.decoder_layers if decoder else blueprint.layers
    yield Repeat(_("layer"), layers, layers, "", tuple(items))
    yield states(width)
    yield Shape("norm", _("norm"), roles=(Role.NORMS,))
    if decoder:
        yield Arrow()
        yield from above(blueprint)
    else:
        yield Arrow(_("to every layer of the decoder"))


def fills(blueprint: Blueprint) -> bool:
    """Whether a half of a pair is the one that fills masks."""
    return "replaced_token" not in blueprint.heads_present
