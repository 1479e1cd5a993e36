"""The text with the best spans in it, and a row a span."""

from collections.abc import Callable, Iterator
from typing import Any

from explorer.api.question.parts.spans import NONE, Span, Spans
from explorer.document import Document
from explorer.text import _, ngettext
from explorer.text.formatting.probabilities import in_digits, scale_for
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens
from explorer.ui.parts.looking import Looking
from explorer.ui.sentence.pieces import of_tokens


def blocks(part: Spans, looking: Looking) -> Iterator[Block]:
    """The text, and below it the rows."""
    yield spans_in_text(part, looking.shown.asked)
    yield spans_table(part)


def spans_in_text(part: Spans, document: Document, drawn: range | None = None) -> ScoredTokens:
    """The text with the spans in it, the rank of each below its first token.

    Args:
        part: The spans.
        document: Whose text it is.
        drawn: Numbers of the tokens that are drawn, of a very long text; None for all.
    """
    spans = [
        (one.first, one.last, rank, one)
        for rank, one in enumerate(part.spans, start=1)
        if one.first is not None and one.last is not None
    ]
    highest = max((one.score for *_place, one in spans), default=1.0) or 1.0
    tokens = []
    pieces = of_tokens(part.tokens, document)
    for number in range(len(pieces)) if drawn is None else drawn:
        piece = pieces[number]
        over = [(rank, one) for first, last, rank, one in spans if first <= number <= last]
        begun = [str(rank) for first, _last, rank, _one in spans if first == number]
        tokens.append(
            ScoredToken(
                piece.text,
                ("answer", number),
                over[0][1].score / highest if over else None,
                " ".join(begun),
                words="\n".join(
                    _(
                        "{rank}: “{answer}”, {score}",
                        rank=rank,
                        answer=one.text,
                        score=in_digits(one.score),
                    )
                    for rank, one in over
                ),
                joined=piece.joined,
            )
        )
    return ScoredTokens(tokens, _("Best spans in the text"))


def spans_table(part: Spans, act: Callable[[int], Any] | None = None) -> BarTable:
    """A row a span, best first.

    Args:
        part: The spans.
        act: From the number of a window to the gesture that looks at it; None for none.
    """
    several = part.windows > 1
    columns = [
        Column(_("score")),
        Column(_("characters"), dispensable=True, words=_("Of the passage, counted from 0.")),
    ]
    if several:
        columns.append(Column(_("window"), words=_("Which window gave it.")))
    rows = []
    for rank, one in enumerate(part.spans, start=1):
        cells = [in_digits(one.score), f"{one.start}–{one.end}" if one.first is not None else ""]
        if several:
            cells.append("" if one.window is None else str(one.window + 1))
        rows.append(
            Row(
                one.text or _(NONE),
                tuple(cells),
                (Bar(min(one.score, 1.0)),),
                lead=str(rank),
                muted=one.first is None,
                words=_summed(one),
                key=("row", rank),
                act=act(one.window) if act and several and one.window is not None else None,
            )
        )
    top = scale_for(max((one.score for one in part.spans), default=1.0))
    return BarTable(
        rows, tuple(columns), Axis(top), _("Best spans"), bold=False, label=Column(_("span"))
    )


def _summed(one: Span) -> str:
    if one.spans < 2:
        return ""
    return ngettext(
        "{count} span reads so; this is the sum.",
        "{count} spans read so; this is the sum.",
        one.spans,
    )
