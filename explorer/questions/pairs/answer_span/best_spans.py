"""The best spans of all windows, their scores and places."""

from explorer.questions.pairs.answer_span.options import WINDOW
from explorer.questions.pairs.answer_span.question import AnswerSpanResult, SpanAnswer
from explorer.text import _, ngettext
from explorer.text.formatting.probabilities import in_digits, scale_for
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row


def best_spans(shown: Shown) -> BarTable:
    """A row a span, best first; a click looks at the window that gave it."""
    result: AnswerSpanResult = shown.result
    several = len(result.windows) > 1
    rows = [_row(shown, rank, one) for rank, one in enumerate(result.answers, start=1)]
    columns = [
        Column(_("score")),
        Column(_("characters"), dispensable=True, words=_("Of the passage, counted from 0.")),
    ]
    if several:
        columns.append(Column(_("window"), words=_("Which window gave it.")))
    top = scale_for(max((one.score for one in result.answers), default=1.0))
    return BarTable(
        rows, tuple(columns), Axis(top), _("Best spans"), bold=False, label=Column(_("span"))
    )


def _row(shown: Shown, rank: int, one: SpanAnswer) -> Row:
    result: AnswerSpanResult = shown.result
    where = f"{one.start}–{one.end}" if one.first is not None else ""
    cells = [in_digits(one.score), where]
    act = None
    if len(result.windows) > 1:
        cells.append("" if one.window is None else str(one.window + 1))
        if one.window is not None:
            act = shown.setting(WINDOW, (one.window,), _("look at a window"))
    words = ""
    if one.spans > 1:
        words = ngettext(
            "{count} span reads so; this is the sum.",
            "{count} spans read so; this is the sum.",
            one.spans,
        )
    return Row(
        one.text or _("no answer"),
        tuple(cells),
        (Bar(min(one.score, 1.0)),),
        lead=str(rank),
        muted=one.first is None,
        words=words,
        key=("row", rank),
        act=act,
    )
