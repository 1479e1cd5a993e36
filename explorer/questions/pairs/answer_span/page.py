"""The best spans, where they begin and end, every span's score, and whether there is none."""

from collections.abc import Iterator, Mapping

from explorer.api import ModelCard
from explorer.document import Document
from explorer.questions.pairs.answer_span.options import (
    ALIGN,
    DOC_STRIDE,
    MAX_SEQ_LEN,
    NO_ANSWER,
    THRESHOLD,
    WINDOW,
)
from explorer.questions.pairs.answer_span.pooled import pooled
from explorer.questions.pairs.answer_span.question import OPERATION, AnswerSpanResult, parts
from explorer.questions.pairs.answer_span.triangle import (
    LONGEST,
    strip,
    triangle,
)
from explorer.questions.pairs.answer_span.windows import no_answer, windows
from explorer.questions.pairs.answer_span.written_blocks import written_blocks
from explorer.text import N_, _
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.beside import Beside
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.parts.spans import spans_in_text, spans_table

ABOUT = N_(
    "A span's score is the chance of its start times that of its end, among the tokens of its "
    "window and “no answer” (Devlin et al. 2019, section 4.2)."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """The answer in words, the spans, the scores of one window, no answer, and the windows."""
    result: AnswerSpanResult = shown.result
    yield Text(answer_said(shown), "strong")
    if shown.alone:
        yield note(_("Asked: “{question}”", question=result.question))
    if result.written:
        yield from written_blocks(shown)
        return
    number = window_of(shown)
    window, (spans,) = result.windows[number], parts(result)
    is_long = len(result.tokens) > LONGEST
    yield spans_in_text(spans, shown.asked, range(window.first, window.end) if is_long else None)
    if is_long:
        yield note(_("Of this long passage, window {number} is drawn.", number=number + 1))
    yield Columns(
        (
            Card(tuple(_left(shown, number)), _("Best spans")),
            Card(tuple(_right(shown, number)), _("Every span")),
        ),
        framed=False,
        narrowest=CardWidth.WIDE,
    )
    yield note(_(ABOUT), above=Space.APART)


def answer_said(shown: Shown) -> str:
    """The answer, or that there is none."""
    result: AnswerSpanResult = shown.result
    best, question = result.best, result.question
    if NO_ANSWER.of(shown.asked) and result.has_no_answer(shown.value(THRESHOLD)):
        return _("“{question}” has no answer here, says the model.", question=question)
    if best is None:
        return _("No span answers “{question}”.", question=question)
    return _(
        "“{question}” is answered by “{answer}”: {score}.",
        question=question,
        answer=best.text,
        score=in_digits(best.score),
    )


def window_of(shown: Shown) -> int:
    """The number of the window that is drawn: the chosen one, or that of the best answer."""
    result: AnswerSpanResult = shown.result
    chosen = next(iter(shown.value(WINDOW)), None)
    if chosen is not None and chosen < len(result.windows):
        return int(chosen)
    best = result.best
    return best.window if best is not None and best.window is not None else 0


def _left(shown: Shown, number: int) -> Iterator[Block]:
    """The best spans, and where answers begin and end."""
    result: AnswerSpanResult = shown.result
    window = result.windows[number]
    yield heading(_("Best spans"))
    (spans,) = parts(result)
    yield spans_table(spans, lambda number: shown.setting(WINDOW, (number,), _("look at a window")))
    yield Beside()
    yield heading(_("Where answers begin"))
    yield strip(shown, window, ends=False)
    yield heading(_("Where they end"))
    yield strip(shown, window, ends=True)
    if window.ends.ndim == 2:
        yield note(_("This model looks for the end after each start; these follow the likeliest."))


def _right(shown: Shown, number: int) -> Iterator[Block]:
    """All spans of the window, no answer, and all windows."""
    result: AnswerSpanResult = shown.result
    yield heading(
        _("Every span’s score: window {number}", number=number + 1)
        if len(result.windows) > 1
        else _("Every span’s score"),
    )
    yield note(_("Rows are starts, columns ends; colours go by powers of ten."), above=Space.TIGHT)
    yield triangle(shown, number)
    yield from no_answer(shown)
    if len(result.windows) > 1:
        yield from windows(shown, number)


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """An answer that was written is not cut out of windows of the passage."""
    points = shown is None or not shown.result.written
    return {one.key: Offer(there=points) for one in (ALIGN, MAX_SEQ_LEN, DOC_STRIDE)}


PAGE = Page(
    OPERATION,
    blocks,
    pooled=pooled,
    offers=offers,
)
