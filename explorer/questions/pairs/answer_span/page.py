"""The best spans, where they begin and end, every span's score, and whether there is none."""

from collections.abc import Iterator

from explorer.questions.pairs.answer_span.options import NO_ANSWER, THRESHOLD, WINDOW
from explorer.questions.pairs.answer_span.pooled import pooled
from explorer.questions.pairs.answer_span.question import (
    OPERATION,
    AnswerSpanResult,
    SpanAnswer,
)
from explorer.questions.pairs.answer_span.triangle import (
    LONGEST,
    answers_in_text,
    strip,
    triangle,
)
from explorer.text import N_, _, ngettext, said
from explorer.text.numbers import decimal, with_minus
from explorer.text.probabilities import in_digits, scale_for
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import Text, heading, note

ABOUT = N_(
    "A span's score is the chance of its start times that of its end, among the tokens of its "
    "window and “no answer” (Devlin et al. 2019, section 4.2)."
)
WINDOWS = N_(
    "Chances are shares of a window: those of two windows are not on one scale, though the best "
    "spans of all of them stand in one list."
)
EXCERPT = 60


def blocks(shown: Shown) -> Iterator[Block]:
    """The answer in words, the spans, the scores of one window, no answer, and the windows."""
    result: AnswerSpanResult = shown.result
    yield Text(answer_said(shown), "strong")
    if shown.alone:
        yield note(_("Asked: “{question}”", question=result.question))
    for one in result.notes:
        yield note(said(one))
    number = window_of(shown)
    yield answers_in_text(shown, result.windows[number])
    if len(result.tokens) > LONGEST:
        yield note(_("Of this long passage, window {number} is drawn.", number=number + 1))
    yield Columns(
        (
            Card(tuple(_left(shown, number)), _("Best spans")),
            Card(tuple(_right(shown, number)), _("Every span")),
        ),
        framed=False,
        narrowest=420.0,
        above=14.0,
    )
    yield note(_(ABOUT), above=12.0)


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
    yield heading(_("Best spans"), above=0.0)
    yield _answers_table(shown)
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
        above=0.0,
    )
    yield note(_("Rows are starts, columns ends; colours go by powers of ten."), above=2.0)
    yield triangle(shown, number)
    yield from _no_answer(shown)
    if len(result.windows) > 1:
        yield from _windows(shown, number)


def _answers_table(shown: Shown) -> BarTable:
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
        if one.window is not None and not shown.alone:
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


def _no_answer(shown: Shown) -> Iterator[Block]:
    """No answer's raw score against the best span's."""
    result: AnswerSpanResult = shown.result
    if result.null_logit is None:
        return
    gap = result.null_logit - result.best_logit
    yield heading(_("Is there an answer?"))
    yield Numbers(
        [
            Number(
                with_minus(result.null_logit, 2),
                _("no answer"),
                _(
                    "The raw score of “no answer”: the smallest of all windows, for an answer in "
                    "one of them is one."
                ),
            ),
            Number(
                with_minus(result.best_logit, 2),
                _("best span"),
                _("The raw scores of the best start and end together."),
            ),
            Number(
                with_minus(gap, 2),
                _("difference"),
                _("No answer is what the model says where this is above the threshold."),
                colour="warning" if result.has_no_answer(shown.value(THRESHOLD)) else "text",
            ),
        ]
    )
    threshold = decimal(shown.value(THRESHOLD), 2)
    if not NO_ANSWER.of(shown.asked):
        yield note(_("“No answer” is left out; switch on “May have no answer” to let it compete."))
    elif result.has_no_answer(shown.value(THRESHOLD)):
        yield note(_("Above the threshold of {threshold}: no answer.", threshold=threshold))
    else:
        yield note(_("Not above the threshold of {threshold}: an answer.", threshold=threshold))


def _windows(shown: Shown, number: int) -> Iterator[Block]:
    """Which parts of the passage were read, and what each gave."""
    result: AnswerSpanResult = shown.result
    count = len(result.windows)
    yield heading(_("Windows"))
    yield note(
        _(
            "The passage was read in {count} windows of {length} pieces, which share {shared}.",
            count=count,
            length=result.max_seq_len,
            shared=result.doc_stride,
        )
    )
    rows = []
    for n, window in enumerate(result.windows):
        act = None if shown.alone else shown.setting(WINDOW, (n,), _("look at a window"))
        first, last = result.tokens[window.first], result.tokens[window.end - 1]
        text = shown.asked.text[first.start : last.end].strip()
        excerpt = text if len(text) <= EXCERPT else f"{text[:EXCERPT].rstrip()}…"
        rows.append(
            Row(
                excerpt,
                (
                    str(sum(one.window == n for one in result.answers)),
                    "" if window.null is None else in_digits(window.null),
                ),
                lead=str(n + 1),
                ground="selection" if n == number else "",
                words=_("Click to look at the scores of this window."),
                key=("window", n),
                act=act,
            )
        )
    yield BarTable(
        rows,
        (
            Column(_("answers"), words=_("How many of the best spans it gave.")),
            Column(_("no answer"), dispensable=True),
        ),
        title=_("Windows"),
        bold=False,
        label=Column(_("begins")),
    )
    yield note(_(WINDOWS))


PAGE = Page(
    OPERATION,
    blocks,
    pooled=pooled,
    elsewhere=N_(
        "Answers are given by models that were fine-tuned for them, whose class is called "
        "...ForQuestionAnswering: open one from a folder, or download one."
    ),
)
