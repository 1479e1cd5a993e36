"""The answer: scores of starts and ends, window by window, and the spans they make.

Spans are scored and taken together as by the question-answering pipeline that transformers had
until version 5.2.
"""

import unicodedata
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    Context,
    GenerativeQA,
    Span,
    SpanExtractor,
    SpanLogits,
    Token,
    UserMistake,
    check_text,
    check_top_k,
)
from explorer.hf.text.questions import PassageWindow, encode_question, passage_places, windows_of
from explorer.numerics.spans import best_span, is_span, softmax
from explorer.questions.pairs.answer_span.options import Align
from explorer.questions.pairs.answer_span.question import (
    AnswerSpanRequest,
    AnswerSpanResult,
    AnswerWindow,
)
from explorer.questions.pairs.answer_span.written import written_answer
from explorer.text import N_, Phrase

USUAL_STRIDE = 128


def run(model: Any, request: AnswerSpanRequest, context: Context) -> AnswerSpanResult:
    """Find the best spans.

    Raises:
        Unavailable: The model has no head for answers.
        UserMistake: The passage or the question is empty, or the question leaves no room.
        MachineFault: The scores are not numbers.
        Cancelled: The run was cancelled.
    """
    check_text(request.text)
    check_top_k(request.top_k)
    question = request.question.strip() or (request.pair or "").strip()
    if not question:
        raise UserMistake(N_("There is no question."), N_("Type one."))
    writer = model.ports.get(GenerativeQA)
    if writer is not None and SpanExtractor not in model.ports:
        written = written_answer(model, writer, request, question, context)
        return replace(written, expected=_right(request.expected))
    extractor = model.port(SpanExtractor)
    whole = encode_question(model, request.text, question, whole=True)
    tokens = tuple(whole.tokens[place] for place in passage_places(whole))
    if not tokens:
        raise UserMistake(N_("The passage has no token."), N_("Type a passage."))
    length = min(request.max_seq_len, model.max_length or request.max_seq_len)
    usual = min(length // 2, USUAL_STRIDE)
    shared = usual if request.doc_stride is None else request.doc_stride
    parts = windows_of(whole, length, shared)
    windows = []
    for number, part in enumerate(parts):
        context.check()
        context.progress(N_("reading windows"), float(number), float(len(parts)))
        windows.append(_read(extractor, part, context))
    answers = _answers(tokens, tuple(windows), request)
    nulls = [one.null for one in windows if one.null is not None]
    null_logits = [one.null_logit for one in windows if one.null_logit is not None]
    if request.no_answer and nulls:
        answers.append(Span("", 0, 0, min(nulls)))
    answers.sort(key=lambda one: one.score, reverse=True)
    notes = list(whole.notes)
    if request.no_answer and not nulls:
        notes.append(Phrase(N_("This model has no score for “no answer”.")))
    return AnswerSpanResult(
        model=model.stamp,
        question=question,
        tokens=tokens,
        windows=tuple(windows),
        answers=tuple(answers[: request.top_k]),
        best_logit=max(_best_logit(one, request.max_answer_len) for one in windows),
        null_logit=min(null_logits, default=None),
        null=min(nulls, default=None),
        max_answer_len=request.max_answer_len,
        max_seq_len=length,
        doc_stride=shared if len(windows) > 1 else 0,
        notes=tuple(notes),
        expected=_right(request.expected),
    )


def _right(expected: str | None) -> tuple[str, ...]:
    """The right answers; one that is empty where there is none."""
    if expected is None:
        return ()
    return tuple(one.strip() for one in expected.split("|") if one.strip()) or ("",)


def _read(extractor: SpanExtractor, part: PassageWindow, context: Context) -> AnswerWindow:
    """One window's scores."""
    said = extractor.logits(part.encoded, context)
    null = extractor.null(part.encoded)
    places = list(part.places)
    starts, ends = said.starts[places].cpu().numpy(), said.ends[..., places]
    ends = (ends if said.ends.dim() == 1 else ends[places]).cpu().numpy()
    null_start = None if null is None else float(said.starts[null])
    null_end = None if null is None else float(said.ends[null])
    return AnswerWindow(
        part.first,
        starts,
        ends,
        null_start,
        null_end,
        said.impossible,
        _null_of(said, starts, ends, null_start, null_end),
    )


def _null_of(
    said: SpanLogits,
    starts: NDArray[np.float32],
    ends: NDArray[np.float32],
    null_start: float | None,
    null_end: float | None,
) -> float | None:
    """The probability that there is no answer in a window."""
    if said.impossible is not None:
        return float(1 / (1 + np.exp(-said.impossible)))
    if null_start is None or null_end is None:
        return None
    begins = softmax(np.concatenate([[null_start], starts]))[0]
    return float(begins * softmax(np.concatenate([[null_end], ends]))[0])


def _answers(
    tokens: tuple[Token, ...], windows: tuple[AnswerWindow, ...], request: AnswerSpanRequest
) -> list[Span]:
    """The best spans of every window; those that read the same are one, with both their scores."""
    whole_words = request.align is Align.WORDS
    # More than are wanted: several pieces of a word come to the same words.
    wanted = 2 * request.top_k + 10 if whole_words else request.top_k
    found: dict[str, Span] = {}
    for number, window in enumerate(windows):
        for first, last, score in _best_of(window, wanted, request.max_answer_len):
            begin, end = first + window.first, last + window.first
            if whole_words:
                begin = _word_start(request.text, tokens, begin, window.first)
                end = _word_end(request.text, tokens, end, window.end)
            start, stop = tokens[begin].start, tokens[end].end
            text = request.text[start:stop]
            known = found.get(text.lower())
            if known is None:
                found[text.lower()] = Span(
                    text, start, stop, score, first + window.first, last + window.first, number
                )
            else:
                found[text.lower()] = replace(
                    known, score=known.score + score, spans=known.spans + 1
                )
    return list(found.values())


def _best_of(window: AnswerWindow, wanted: int, longest: int) -> list[tuple[int, int, float]]:
    """First and last tokens of a window's best spans, and their scores; best first."""
    scores = np.where(is_span(len(window.starts), longest), window.span_chances(), 0.0)
    best = np.argsort(-scores, axis=None, kind="stable")[:wanted]
    firsts, lasts = np.unravel_index(best, scores.shape)
    rows = zip(firsts.tolist(), lasts.tolist(), scores[firsts, lasts].tolist(), strict=True)
    return [one for one in rows if one[2] > 0]


def _best_logit(window: AnswerWindow, longest: int) -> float:
    start, end = best_span(window.starts, window.ends, longest)
    ends = window.ends if window.ends.ndim == 1 else window.ends[start]
    return float(window.starts[start]) + float(ends[end])


def _word_start(text: str, tokens: tuple[Token, ...], place: int, first: int) -> int:
    """The first piece of a word, as far as the window has it."""
    while place > first and _continues(text, tokens, place):
        place -= 1
    return place


def _word_end(text: str, tokens: tuple[Token, ...], place: int, end: int) -> int:
    """The last piece of a word, as far as the window has it."""
    while place + 1 < end and _continues(text, tokens, place + 1):
        place += 1
    return place


def _continues(text: str, tokens: tuple[Token, ...], place: int) -> bool:
    """Whether a piece belongs to the word that the one before it is of.

    A mark is no part of a word, though no space stands between: SentencePiece's pieces of "pan."
    are joined, and BERT's are not.
    """
    own, before = tokens[place], tokens[place - 1]
    return own.joined and not any(
        map(_is_mark, text[own.start : own.end][:1] + text[before.start : before.end][-1:])
    )


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
