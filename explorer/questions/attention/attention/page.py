"""All attention heads at once, and one of them in full: as a matrix, or as lines."""

from collections.abc import Iterator, Mapping

from explorer.api.question import Entry, ModelCard, Table
from explorer.document import Document
from explorer.questions.attention.attention.all_heads import all_heads_blocks, offered_measures
from explorer.questions.attention.attention.all_heads_file import ALL_HEADS
from explorer.questions.attention.attention.chosen import choice_of, pinned_grid
from explorer.questions.attention.attention.compared import pinned_said, with_pinned
from explorer.questions.attention.attention.in_full import in_full, one_head_blocks, wants
from explorer.questions.attention.attention.one_head import choices_offered
from explorer.questions.attention.attention.question import (
    CHANGE,
    DRAW,
    HEAD,
    QUESTION,
    RANK,
    SHOW,
    THRESHOLD,
    AttentionResult,
    measures_table,
    weights_table,
)
from explorer.questions.attention.stacks import ANSWER, KIND
from explorer.text import N_, _, said
from explorer.ui.blocks import Block, Card, Columns, Offer, Page, Shown, Space, warning


def blocks(shown: Shown) -> Iterator[Block]:
    """What must be known first; all heads beside the one in full."""
    yield from notes(shown)
    # A run that asked for a few heads in full has no others.
    show, heads = ("one" if shown.result.chosen else shown.value(SHOW)), []
    if show != "one":
        heads.append(Card(list(all_heads_blocks(shown)), _("All heads")))
    if show != "all":
        heads.append(Card(list(one_head_blocks(shown)), _("One head")))
    if shown.alone:
        # A picture is read from above: the head, then where it is among the others.
        for one in heads[::-1]:
            yield Columns([one], framed=False, above=Space.SECTION)
    else:
        shares = (5, 6) if len(heads) > 1 else ()
        yield Columns(heads, framed=False, shares=shares)


def notes(shown: Shown) -> Iterator[Block]:
    """What did not fit, and why there is no difference."""
    result: AttentionResult = shown.result
    pinned: AttentionResult | None = shown.before
    if result.note:
        yield warning(said(result.note))
    chosen = KIND.of(shown.asked)
    if chosen and chosen not in result.kinds:
        places = {"chosen": chosen, "kind": result.kind}
        why = _("This model has no {chosen} attention; this is its {kind}'s.", **places)
        yield warning(why)
    if pinned is not None and pinned is not result and (why := pinned_said(result, pinned)):
        yield warning(why)


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
    QUESTION,
    blocks,
    draws_pinned=True,
    table=table,
    table_name=N_("Weights"),
    other_tables={N_("Measures of every head"): measures},
    offers=offers,
    wants=wants,
    looks=True,
    saves=(ALL_HEADS,),
)
