"""The text with the best spans in it, and a row a span."""

from collections.abc import Iterator

from explorer.api.question import Span, Spans
from explorer.api.question.parts.tokens.spans import NONE
from explorer.document import Document
from explorer.text import _, ngettext
from explorer.text.formatting.probabilities import in_digits, scale_for
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.beside import Beside
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Bar, BarAxis, BarColumn, BarRow
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens
from explorer.ui.parts.looking import Looking
from explorer.ui.sentence.pieces import pieces_of_tokens

WINDOW = "window"
"""The key of the option that says which window is looked at."""


def blocks(part: Spans, looking: Looking) -> Iterator[Block]:
    """The text, below it the rows, and what was asked besides."""
    yield spans_in_text(part, looking.shown.asked)
    if part.windows:
        yield spans_table(part, looking)
        yield Beside()


def spans_in_text(part: Spans, document: Document) -> ScoredTokens:
    """The text with the spans in it, the rank of each below its first token.

    Args:
        part: The spans.
        document: Whose text it is.
    """
    spans = [
        (one.first, one.last, rank, one)
        for rank, one in enumerate(part.spans, start=1)
        if one.first is not None and one.last is not None
    ]
    highest = max((one.score for *_place, one in spans), default=1.0) or 1.0
    tokens = []
    pieces = pieces_of_tokens(part.tokens, document)
    for number in range(*(part.drawn or (0, len(pieces)))):
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


def spans_table(part: Spans, looking: Looking) -> BarTable:
    """A row a span, best first; where there are several windows, choosing one looks at its own.

    Args:
        part: The spans.
        looking: At them.
    """
    several = part.windows > 1
    columns = [
        BarColumn(_("score")),
        BarColumn(_("characters"), dispensable=True, words=_("Of the passage, counted from 0.")),
    ]
    if several:
        columns.append(BarColumn(_("window"), words=_("Which window gave it.")))
    rows = []
    for rank, one in enumerate(part.spans, start=1):
        cells = [in_digits(one.score), f"{one.start}–{one.end}" if one.first is not None else ""]
        if several:
            cells.append("" if one.window is None else str(one.window + 1))
        rows.append(
            BarRow(
                one.text or _(NONE),
                tuple(cells),
                (Bar(min(one.score, 1.0)),),
                lead=str(rank),
                muted=one.first is None,
                words=_summed(one),
                key=("row", rank),
                act=looking.setting(WINDOW, (one.window,), _("look at a window"))
                if several and one.window is not None
                else None,
            )
        )
    top = scale_for(max((one.score for one in part.spans), default=1.0))
    return BarTable(
        rows, tuple(columns), BarAxis(top), _("Best spans"), bold=False, label=BarColumn(_("span"))
    )


def _summed(one: Span) -> str:
    if one.spans < 2:
        return ""
    return ngettext(
        "{count} span reads so; this is the sum.",
        "{count} spans read so; this is the sum.",
        one.spans,
    )
