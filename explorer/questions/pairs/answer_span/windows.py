"""Whether there is an answer at all, and what each window of a long passage gave."""

from collections.abc import Iterator

from explorer.questions.pairs.answer_span.options import NO_ANSWER, THRESHOLD, WINDOW
from explorer.questions.pairs.answer_span.question import AnswerSpanResult
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal, with_minus
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.blocks.text import heading, note

WINDOWS = N_(
    "Chances are shares of a window: those of two windows are not on one scale, though the best "
    "spans of all of them stand in one list."
)
EXCERPT = 60


def no_answer(shown: Shown) -> Iterator[Block]:
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


def windows(shown: Shown, number: int) -> Iterator[Block]:
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
        act = shown.setting(WINDOW, (n,), _("look at a window"))
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
