"""The best spans, where they begin and end, every span's score, and whether there is none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.api.question import (
    Amount,
    Amounts,
    Cards,
    Gesture,
    Manner,
    OneCard,
    OwnPicture,
    PairNumbers,
    Rows,
    Said,
    Spans,
    TokenPairs,
    TokenSide,
    Width,
    column,
    sets,
)
from explorer.questions.pairs.answer_span.options import THRESHOLD, WINDOW
from explorer.questions.pairs.answer_span.question import (
    AnswerSpanRequest,
    AnswerSpanResult,
    window_of,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import with_minus
from explorer.text.formatting.probabilities import in_digits

LONGEST = 600
"""Tokens of a passage that is drawn as a whole."""
WRITTEN = 0.01
"""The least chance that is written into a cell, or below a token."""
EXCERPT = 60

ABOUT = N_(
    "A span's score is the chance of its start times that of its end, among the tokens of its "
    "window and “no answer” (Devlin et al. 2019, section 4.2)."
)
WROTE = N_(
    "The model read one text, “{layout}”, and wrote the answer token by token, the likeliest one "
    "each time (Raffel et al. 2020, section 2.1). Its probability is the product of its tokens’."
)
WINDOWS = N_(
    "Probabilities are shares within a window: two windows have no common scale, "
    "though one list has the best spans of all."
)

Some = Said | Spans | Cards | OwnPicture | TokenPairs | Amounts | Rows


def parts(
    result: AnswerSpanResult,
    request: AnswerSpanRequest | None = None,
    *,
    threshold: float = THRESHOLD.default,
    window: Sequence[int] = (),
) -> Iterator[Some]:
    """The answer in words, the spans, the scores of one window, no answer, and the windows.

    Args:
        result: The answer.
        request: What was asked; None where that is not known.
        threshold: By how much no answer must be better than the best span.
        window: That is looked at.
    """
    passage = "" if request is None else request.text
    may_have_none = request is not None and request.no_answer
    none = may_have_none and result.has_no_answer(threshold)
    yield Said(_answer_said(result, has_none=none), Manner.STRONG)
    if result.written:
        yield from _written(result)
        return
    number = window_of(result, window)
    read = result.windows[number]
    is_long = len(result.tokens) > LONGEST
    drawn = (read.first, read.end) if is_long else None
    spans: list[Spans | Said] = [Spans(result.tokens, result.answers, len(result.windows), drawn)]
    if is_long:
        of_long = N_("Of this long passage, window {number} is drawn.")
        spans.append(Said(Phrase(of_long, number=number + 1)))
    title = N_("Every span’s score")
    if len(result.windows) > 1:
        title = Phrase(N_("Every span’s score: window {number}"), number=number + 1)
    how = N_("Rows are starts, columns ends; colours go by powers of ten.")
    rule = Said(how, Manner.EXPLANATION, near=True)
    left = (
        *spans,
        OwnPicture("starts_and_ends"),
        *_no_answer(result, threshold, may_have_none=may_have_none),
        *_windows(result, passage, number),
    )
    cards = OneCard("", left), OneCard(title, (rule, triangle(result, number)))
    yield Cards(cards, Width.WIDE, framed=False)
    yield Said(ABOUT, Manner.ABOUT)


def _answer_said(result: AnswerSpanResult, *, has_none: bool) -> Phrase:
    """The answer, or that there is none."""
    best, question = result.best, result.question
    if has_none:
        return Phrase(N_("“{question}” has no answer here, says the model."), question=question)
    if best is None:
        return Phrase(N_("No span answers “{question}”."), question=question)
    return Phrase(
        N_("“{question}” is answered by “{answer}”: {score}."),
        question=question,
        answer=best.text,
        score=in_digits(best.score),
    )


def _written(result: AnswerSpanResult) -> Iterator[Said | OwnPicture | Spans]:
    """The written tokens, and the passage with the answer in it."""
    yield Said(N_("What it wrote"), Manner.TITLE)
    yield OwnPicture("written")
    yield Said(N_("In the passage"), Manner.TITLE)
    if result.best is not None and result.best.first is None:
        yield Said(Phrase(N_("The passage does not say “{answer}”."), answer=result.best.text))
    yield Spans(result.tokens, result.answers, 0)
    yield Said(Phrase(WROTE, layout=result.layout.format(question="…", passage="…")), Manner.ABOUT)


def triangle(result: AnswerSpanResult, number: int) -> TokenPairs:
    """All spans of a window, the start in the rows and the end in the columns.

    Args:
        result: The answer.
        number: The window's.
    """
    window = result.windows[number]
    starts, ends = window.start_chances(), window.end_chances()
    tokens = result.tokens[window.first : window.end]
    places = tuple(range(window.first, window.end))

    def more(row: int, column: int) -> Phrase:
        said = Phrase(
            N_("start {start}, end {end}"),
            start=in_digits(float(starts[row])),
            end=in_digits(float(ends[row, column])),
        )
        if column - row < result.max_answer_len:
            return said
        return Phrase(N_("{said}\nLonger than an answer may be."), said=said)

    best = result.answers[0] if result.answers else None
    here = best is not None and best.window == number
    marked = None
    if best is not None and here and best.first is not None and best.last is not None:
        marked = best.first - window.first, best.last - window.first
    return TokenPairs(
        TokenSide("start", N_("start"), N_("first token"), tokens, places),
        TokenSide("end", N_("end"), N_("last token"), tokens, places),
        (PairNumbers("score", N_("Score"), starts[:, None] * ends),),
        np.tril(np.ones((len(tokens), len(tokens)), dtype=bool), -1),
        N_("it would end before the start"),
        marked,
        logarithmic=True,
        written=_in_cell,
        more=more,
        is_spans=True,
        tallest=560.0,
        title=N_("Every span’s score"),
    )


def _in_cell(value: float) -> str:
    return f"{100 * value:.0f}" if value >= WRITTEN else ""


def _no_answer(
    result: AnswerSpanResult, threshold: float, *, may_have_none: bool
) -> Iterator[Said | Amounts]:
    """No answer's raw score against the best span's."""
    if result.null_logit is None:
        return
    gap = result.null_logit - result.best_logit
    has_none = result.has_no_answer(threshold)
    amounts = (
        Amount(
            "null_logit",
            N_("no answer"),
            result.null_logit,
            digits=2,
            words=N_(
                "The raw score of “no answer”: the smallest of all windows, for an answer in one "
                "of them is one."
            ),
        ),
        Amount(
            "best_logit",
            N_("best span"),
            result.best_logit,
            digits=2,
            words=N_("The raw scores of the best start and end together."),
        ),
        Amount(
            "difference",
            N_("difference"),
            gap,
            digits=2,
            words=N_("No answer is what the model says where this is above the threshold."),
            colour="warning" if has_none else "text",
        ),
    )
    yield Said(N_("Is there an answer?"), Manner.TITLE)
    yield Amounts(amounts, in_summary=False, title=N_("Is there an answer?"))
    at = with_minus(threshold, 2)
    if not may_have_none:
        yield Said(
            N_("“No answer” is left out; switch on “May have no answer” to let it compete."),
            near=True,
        )
    elif has_none:
        yield Said(
            Phrase(N_("Above the threshold of {threshold}: no answer."), threshold=at), near=True
        )
    else:
        code = N_("Not above the threshold of {threshold}: an answer.")
        yield Said(Phrase(code, threshold=at), near=True)


@dataclass(frozen=True)
class WindowRow:
    """A part of the passage that was read at once."""

    window: int = column(N_("window"), key=True)
    begins: str = column(N_("begins"), compared=False)
    answers: int = column(N_("answers"), tip=N_("How many of the best spans it gave."))
    none: float | None = column(N_("no answer"), written=in_digits, name="no_answer")


def _windows(result: AnswerSpanResult, passage: str, number: int) -> Iterator[Said | Rows]:
    """Which parts of the passage were read, and what each gave; nothing where there is one."""
    count = len(result.windows)
    if count < 2:
        return
    yield Said(N_("Windows"), Manner.TITLE)
    read = N_("The passage was read in {count} windows of {length} pieces, which share {shared}.")
    sizes = {"count": count, "length": result.max_seq_len, "shared": result.doc_stride}
    yield Said(Phrase(read, **sizes), near=True)
    rows = []
    for n, window in enumerate(result.windows):
        first, last = result.tokens[window.first], result.tokens[window.end - 1]
        text = passage[first.start : last.end].strip()
        excerpt = text if len(text) <= EXCERPT else f"{text[:EXCERPT].rstrip()}…"
        given = sum(one.window == n for one in result.answers)
        rows.append(WindowRow(n + 1, excerpt, given, window.null))

    def look_at(row: WindowRow) -> Gesture:
        return sets(WINDOW, (row.window - 1,), N_("look at a window"))

    yield Rows(
        WindowRow,
        tuple(rows),
        gesture=look_at,
        words=lambda _row: N_("Click to look at the scores of this window."),
        chosen=lambda row: row.window == number + 1,
        title=N_("Windows"),
    )
    yield Said(WINDOWS, Manner.EXPLANATION, near=True)
