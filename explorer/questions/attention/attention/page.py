"""All attention heads at once, and one of them in full: as a matrix, or as lines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from explorer.api import Entry, Failure, ModelCard, Table
from explorer.document import Document
from explorer.questions.attention.attention.all_heads import (
    descriptions,
    grid_content,
    meaning_of,
    offered_measures,
)
from explorer.questions.attention.attention.all_heads_file import ALL_HEADS
from explorer.questions.attention.attention.compared import (
    is_same_grid,
    why_not_subtract,
    with_pinned,
)
from explorer.questions.attention.attention.one_head import (
    choices_offered,
    coarse,
    fits,
    head_of,
    heat_content,
    lines_content,
    meaning_of_choice,
    title_of,
)
from explorer.questions.attention.attention.question import (
    ADDED,
    ALONE,
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
    AttentionRequest,
    AttentionResult,
    measures_table,
    weights_table,
)
from explorer.text import N_, _, ngettext
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Gesture, Move, Offer, Page
from explorer.ui.blocks.shown import Detail, Shown
from explorer.ui.blocks.text import Text, note, warning
from explorer.ui.document.gestures import set_options
from explorer.ui.matrices.block import Matrix
from explorer.ui.matrices.heads.block import Heads, HeadsBlock
from explorer.ui.matrices.heads.painting import Head
from explorer.ui.matrices.lines.block import Lines, LinesBlock, Side
from explorer.ui.matrices.lines.painting import MOST, drawn, head_colours
from explorer.ui.matrices.map_block import Map, MapBlock
from explorer.ui.theme.schemes import current_theme

NARROWEST = 330.0
"""Pixels below which all heads and one of them stand one above the other."""


@dataclass(frozen=True)
class InFull:
    """The chosen heads, as far as they are here.

    Attributes:
        now: They; None where they have not come, or can't.
        before: The same of the pinned answer; None where nothing is taken from them.
        why: What went wrong; "" where nothing did.
    """

    now: AttentionResult | None = None
    before: AttentionResult | None = None
    why: str = ""


def blocks(shown: Shown) -> Iterator[Block]:
    """What must be known first; all heads beside the one in full."""
    for said in notes(shown):
        yield warning(said, above=2)
    # A run that asked for a few heads in full has no others.
    show, heads = ("one" if shown.result.chosen else shown.value(SHOW)), []
    if show != "one":
        heads.append(Card(list(_all_heads(shown)), _("All heads")))
    if show != "all":
        heads.append(Card(list(_one_head(shown)), _("One head")))
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
        yield result.note
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


def pinned_of(shown: Shown) -> AttentionResult | None:
    """The pinned answer, where it can be taken from this one."""
    pinned: AttentionResult | None = shown.before
    if pinned is None or pinned is shown.result or why_not_subtract(shown.result, pinned):
        return None
    if pinned.chosen or shown.result.chosen:
        return None
    return pinned


def pinned_grid(shown: Shown) -> AttentionResult | None:
    """The same, where all its heads can be taken from these."""
    pinned = pinned_of(shown)
    return pinned if pinned is not None and is_same_grid(shown.result, pinned) else None


# ---- what is chosen -----------------------------------------------------------------------------


def choice_of(shown: Shown) -> str:
    """What is shown in full, as in "3.5", "mean" or "rollout"."""
    chosen: str = shown.value(HEAD)
    if shown.result.chosen:
        there: tuple[str, ...] = shown.result.chosen
        return chosen if chosen in there else there[0]
    return chosen if fits(chosen, shown.result) else HEAD.default


def choices_of(shown: Shown) -> tuple[str, ...]:
    """What is drawn as lines: the choice, and the heads that were added to it."""
    chosen = [choice_of(shown)]
    if shown.value(DRAW) == "lines" and shown.pinned is None:
        there = shown.result.chosen
        added = [one for one in shown.value(ADDED) if fits(one, shown.result)]
        chosen += [one for one in added if one in there] if there else added
    return tuple(dict.fromkeys(chosen))[: len(head_colours(current_theme()))]


def wants(shown: Shown) -> Sequence[Detail]:
    """The chosen heads in full, and the pinned answer's."""
    if shown.result.chosen:
        return ()
    asked, kind = AttentionRequest.of(shown.asked), shown.result.kind
    request = replace(asked, kind=kind, heads=choices_of(shown))
    wanted = [Detail(request, shown.result.model, "now")]
    before, choice = pinned_of(shown), choice_of(shown)
    if before is not None and shown.pinned is not None and fits(choice, before):
        pinned = AttentionRequest.of(shown.pinned.document)
        asked = replace(pinned, kind=before.kind, heads=(choice,))
        wanted.append(Detail(asked, before.model, "before"))
    return wanted


def in_full(shown: Shown) -> InFull:
    """The heads that came last, or those that were asked for at once."""
    if shown.result.chosen:
        return InFull(of_chosen(shown.result, choices_of(shown)))
    found = {detail.lane: shown.details.get(detail) for detail in shown.complete}
    whole = {lane: one for lane, one in found.items() if isinstance(one, AttentionResult)}
    failures = [one.said for one in found.values() if isinstance(one, Failure)]
    return InFull(whole.get("now"), whole.get("before"), " ".join(failures[:1]))


def of_chosen(result: AttentionResult, choices: Sequence[str]) -> AttentionResult:
    """Some of the heads that were asked for in full."""
    weights = result.weights[[result.chosen.index(one) for one in choices]]
    return replace(result, chosen=tuple(choices), weights=weights)


def _add(shown: Shown, head: Head) -> Gesture | None:
    """Add a head to the lines, or take it away; the first one added turns lines on."""
    one, choice = "{}.{}".format(*head), choice_of(shown)
    if one == choice:
        return None
    added = [other for other in choices_of(shown) if other != choice]
    added = [other for other in added if other != one] if one in added else [*added, one]
    values: dict[str, object] = {ADDED.key: added or None}
    if added:
        values[DRAW.key] = "lines"
    return set_options(shown.now, values, _("draw head {one}", one=one))


# ---- what is drawn ------------------------------------------------------------------------------


def _all_heads(shown: Shown) -> Iterator[Block]:
    result: AttentionResult = shown.result
    before, rank = pinned_grid(shown), shown.value(RANK)
    grid = grid_content(result, before, shown.value(LOGARITHMIC), rank)
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
        lambda head: _add(shown, head),
        _("All heads"),
    )
    yield Text(_("All heads"), "strong", above=0)
    yield note(" ".join(said), above=2)
    yield HeadsBlock(heads)


def _one_head(shown: Shown) -> Iterator[Block]:
    full, choice = in_full(shown), choice_of(shown)
    now, lines = full.now, shown.value(DRAW) == "lines"
    drawn_now = now.chosen if now is not None else (choice,)
    title = " · ".join(map(title_of, drawn_now if lines else drawn_now[:1]))
    yield Text(title, "strong", above=0)
    said = [meaning_of_choice(drawn_now[0])]
    if full.why:
        said.append(full.why)
        said.append(_("This is the head as small as among all heads."))
    if full.before is not None:
        said.append(_("Now less before: orange is more than it was, blue less."))
    if now is not None and now.half:
        said.append(_("Kept with 11 bits, as all heads together are very large."))
    if any(said):
        yield note(" ".join(one for one in said if one), above=2)
    if now is not None and lines:
        yield from _lines(shown, now, full.before)
    elif now is not None:
        content = heat_content(now, full.before, shown.value(LOGARITHMIC))
        yield MapBlock(Map(Matrix(content, title), wheel_zooms=True), fills=True)
    else:
        head = head_of(choice)
        if head is not None:
            small = coarse(shown.result, head)
            yield MapBlock(Map(Matrix(small, title), wheel_zooms=True), fills=True)


def _lines(shown: Shown, now: AttentionResult, before: AttentionResult | None) -> Iterator[Block]:
    content = lines_content(now, before, shown.value(THRESHOLD))
    kept = _side(shown.value(ALONE), (len(content.queries), len(content.keys)))
    yield LinesBlock(
        Lines(
            content,
            kept,
            lambda token: Move(ALONE, token if token is not None else ()),
            _("Attention as lines"),
        )
    )
    what, *rest = shown.looked_at or ("",)
    alone = rest[0] if what == "lines" and kept is None else kept
    count = drawn(content, alone).count
    said = ngettext("{count} line.", "{count} lines.", count)
    if count > MOST:
        said = _("The strongest {most} of {count} lines.", most=MOST, count=count)
    if len(content.names) > 1:
        said += " " + _("{heads} heads.", heads=len(content.names))
    yield note(said, above=4)


def _side(place: tuple[int, ...], counts: tuple[int, int]) -> Side | None:
    """The token whose lines are shown alone, where this text has it."""
    if len(place) == 2 and place[0] in (0, 1) and place[1] < counts[place[0]]:
        return place[0], place[1]
    return None


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
