"""Heads in full: what is asked for, and how they are drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from explorer.api.question import Detail, Failure
from explorer.questions.attention.attention.chosen import choice_of, choices_of, pinned_of
from explorer.questions.attention.attention.one_head import (
    coarse,
    fits,
    head_of,
    heat_content,
    lines_content,
    meaning_of_choice,
    title_of,
)
from explorer.questions.attention.attention.question import (
    ALONE,
    DRAW,
    LOGARITHMIC,
    QUESTION,
    THRESHOLD,
    AttentionRequest,
    AttentionResult,
)
from explorer.text import _, ngettext
from explorer.ui.blocks import (
    MOST_LINES,
    Block,
    LineEnd,
    Lines,
    LinesBlock,
    Map,
    MapBlock,
    Matrix,
    Move,
    Shown,
    Space,
    Text,
    drawn_lines,
    note,
    starts_at_right,
)


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


def wants(shown: Shown) -> Sequence[Detail]:
    """The chosen heads in full, and the pinned answer's."""
    if shown.result.chosen:
        return ()
    asked, kind = AttentionRequest.of(shown.asked), shown.result.kind
    request = replace(asked, kind=kind, heads=choices_of(shown))
    wanted = [QUESTION.detail(request, shown.asked, shown.result.model, "now")]
    before, choice = pinned_of(shown), choice_of(shown)
    if before is not None and shown.pinned is not None and fits(choice, before):
        document = shown.pinned.document
        asked = replace(AttentionRequest.of(document), kind=before.kind, heads=(choice,))
        wanted.append(QUESTION.detail(asked, document, before.model, "before"))
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


def one_head_blocks(shown: Shown) -> Iterator[Block]:
    """The chosen heads as a matrix or as lines; small while they have not come."""
    full, choice = in_full(shown), choice_of(shown)
    now, lines = full.now, shown.value(DRAW) == "lines"
    drawn_now = now.chosen if now is not None else (choice,)
    title = " · ".join(map(title_of, drawn_now if lines else drawn_now[:1]))
    yield Text(title, "strong")
    said = [meaning_of_choice(drawn_now[0])]
    if full.why:
        said.append(full.why)
        said.append(_("The same head as a thumbnail."))
    if full.before is not None:
        said.append(_("Now less before: orange is more than it was, blue less."))
    if now is not None and now.half:
        said.append(_("Kept with 11 bits, as all heads together are very large."))
    if any(said):
        yield note(" ".join(one for one in said if one), above=Space.TIGHT)
    if now is not None and lines:
        yield from _lines(shown, now, full.before)
    elif now is not None:
        turned = starts_at_right(now.tokens, shown.asked)
        content = heat_content(now, full.before, shown.value(LOGARITHMIC), turned)
        yield MapBlock(Map(Matrix(content, title), wheel_zooms=True), fills=True)
    else:
        head = head_of(choice)
        if head is not None:
            small = coarse(shown.result, head, starts_at_right(shown.result.tokens, shown.asked))
            yield MapBlock(Map(Matrix(small, title), wheel_zooms=True), fills=True)


def _lines(shown: Shown, now: AttentionResult, before: AttentionResult | None) -> Iterator[Block]:
    turned = starts_at_right(now.tokens, shown.asked)
    content = lines_content(now, before, shown.value(THRESHOLD), turned)
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
    count = drawn_lines(content, alone).count
    said = ngettext("{count} line.", "{count} lines.", count)
    if count > MOST_LINES:
        said = _("The strongest {most} of {count} lines.", most=MOST_LINES, count=count)
    if len(content.names) > 1:
        said += " " + _("{heads} heads.", heads=len(content.names))
    yield note(said)


def _side(place: tuple[int, ...], counts: tuple[int, int]) -> LineEnd | None:
    """The token whose lines are shown alone, where this text has it."""
    if len(place) == 2 and place[0] in (0, 1) and place[1] < counts[place[0]]:
        return place[0], place[1]
    return None
