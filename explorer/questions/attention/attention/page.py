"""All attention heads at once, and one of them in full: as a matrix, or as lines."""

from collections.abc import Iterator, Mapping

from explorer.api import Entry, ModelCard, Table
from explorer.document import Document
from explorer.questions.attention.attention.all_heads import (
    descriptions,
    grid_content,
    meaning_of,
    offered_measures,
)
from explorer.questions.attention.attention.all_heads_file import ALL_HEADS
from explorer.questions.attention.attention.chosen import (
    add_head,
    choice_of,
    choices_of,
    pinned_grid,
)
from explorer.questions.attention.attention.compared import (
    is_same_grid,
    why_not_subtract,
    with_pinned,
)
from explorer.questions.attention.attention.in_full import in_full, one_head_blocks, wants
from explorer.questions.attention.attention.one_head import choices_offered, head_of
from explorer.questions.attention.attention.question import (
    ANSWER,
    CHANGE,
    DRAW,
    HEAD,
    KIND,
    LOGARITHMIC,
    OPERATION,
    RANK,
    SHOW,
    THRESHOLD,
    AttentionResult,
    measures_table,
    weights_table,
)
from explorer.text import N_, _, ngettext, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Move, Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import Text, note, warning
from explorer.ui.matrices.heads.block import Heads, HeadsBlock
from explorer.ui.matrices.lines.painting import head_colours
from explorer.ui.sentence.pieces import from_right
from explorer.ui.theme.schemes import current_theme

NARROWEST = 330.0
"""Pixels below which all heads and one of them stand one above the other."""


def blocks(shown: Shown) -> Iterator[Block]:
    """What must be known first; all heads beside the one in full."""
    for one in notes(shown):
        yield warning(one, above=2)
    # A run that asked for a few heads in full has no others.
    show, heads = ("one" if shown.result.chosen else shown.value(SHOW)), []
    if show != "one":
        heads.append(Card(list(_all_heads(shown)), _("All heads")))
    if show != "all":
        heads.append(Card(list(one_head_blocks(shown)), _("One head")))
    if shown.alone:
        # A picture is read from above: the head, then where it is among the others.
        yield Columns(heads[::-1], narrowest=1e6, framed=False)
    else:
        shares = (5, 6) if len(heads) > 1 else ()
        yield Columns(heads, NARROWEST, above=6, framed=False, shares=shares)


def notes(shown: Shown) -> Iterator[str]:
    """What did not fit, and why there is no difference."""
    result: AttentionResult = shown.result
    if result.note:
        yield said(result.note)
    chosen = KIND.of(shown.asked)
    if chosen and chosen not in result.kinds:
        yield _(
            "This model has no {chosen} attention; this is its {kind}'s.",
            chosen=chosen,
            kind=result.kind,
        )
    if result.left_out is not None:
        yield ngettext(
            "{count} token did not fit into the model.",
            "{count} tokens did not fit into the model.",
            result.left_out.tokens,
        )
    pinned = shown.before
    if pinned is None or pinned is result:
        return
    why = why_not_subtract(result, pinned)
    if why:
        yield _("{why} This is the answer itself.", why=why)
    elif not is_same_grid(result, pinned):
        yield _(
            "The pinned model has {layers} layers of {heads} heads; all heads are shown as they "
            "are, the chosen one as the difference.",
            layers=pinned.layers,
            heads=pinned.heads,
        )


# ---- what is chosen -----------------------------------------------------------------------------


# ---- what is drawn ------------------------------------------------------------------------------


def _all_heads(shown: Shown) -> Iterator[Block]:
    result: AttentionResult = shown.result
    before, rank = pinned_grid(shown), shown.value(RANK)
    turned = from_right(result.tokens, shown.asked)
    grid = grid_content(result, before, shown.value(LOGARITHMIC), rank, turned)
    said = [_("{layers} layers x {heads} heads.", layers=result.layers, heads=result.heads)]
    if max(result.block) > 1:
        places = {"rows": result.block[0], "columns": result.block[1]}
        said.append(_("A dot is the strongest of {rows} x {columns} weights.", **places))
    if before is not None:
        said.append(_("Now less before."))
    if grid.order:
        said.append(meaning_of(rank))
    choices, colours = choices_of(shown), head_colours(current_theme())
    several = zip(map(head_of, choices), colours, strict=False) if len(choices) > 1 else ()
    words = descriptions(result)
    heads = Heads(
        grid,
        head_of(choices[0]),
        tuple((head, colour) for head, colour in several if head is not None),
        words.__getitem__,
        lambda head: Move(HEAD, "{}.{}".format(*head)),
        lambda head: add_head(shown, head),
        _("All heads"),
    )
    yield Text(_("All heads"), "strong", above=0)
    yield note(" ".join(said), above=2)
    yield HeadsBlock(heads)


def table(shown: Shown) -> Table:
    """The weights that are shown: of the head in full, or of all heads."""
    full = in_full(shown)
    if full.now is not None and shown.value(SHOW) != "all":
        rows = weights_table(full.now)
        return with_pinned(rows, full.before) if full.before is not None else rows
    return weights_table(shown.result)


def measures(shown: Shown) -> Table | None:
    """What is measured of every head; None where only a few were asked for."""
    return None if shown.result.chosen else measures_table(shown.result)


def offers(now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """What this model has, and what means something as it is drawn."""
    show, result = SHOW.of(now), shown.result if shown is not None else None
    one = Offer(there=show != "all")
    kinds: tuple[str, ...] = result.kinds if result is not None else ()
    # The first is what is asked for where nothing else is.
    entries = [
        Entry("" if n == 0 else kind, _(KIND.entry(kind).title)) for n, kind in enumerate(kinds)
    ]
    kind = KIND.of(now)
    rank_of = RANK.translated()
    ranks = list(rank_of.entries[:1])
    if shown is not None and result is not None:
        measures = offered_measures(result)
        ranks += [rank_of.entry(CHANGE)] if pinned_grid(shown) is not None else []
        ranks += [rank_of.entry(name) for name in measures]
    rank = RANK.of(now)
    choice = choice_of(shown) if shown is not None else HEAD.default
    return {
        KIND.key: Offer(entries, kind if kind in kinds[1:] else "", there=len(kinds) > 1),
        ANSWER.key: Offer(there="cross" in kinds),
        RANK.key: Offer(
            ranks, rank if any(one.value == rank for one in ranks) else "", there=show != "one"
        ),
        HEAD.key: Offer(choices_offered(result, choice), choice, there=show != "all"),
        DRAW.key: one,
        THRESHOLD.key: Offer(there=show != "all" and DRAW.of(now) == "lines"),
    }


PAGE = Page(
    OPERATION,
    blocks,
    pinnable=True,
    table=table,
    table_name=N_("Weights"),
    other_tables={N_("Measures of every head"): measures},
    offers=offers,
    wants=wants,
    looks=True,
    saves=(ALL_HEADS,),
)
