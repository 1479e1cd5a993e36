"""Which span of a passage answers a question?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    BESIDE,
    MODEL,
    NOTHING_LOADED,
    Asks,
    Cell,
    Condition,
    Detail,
    GenerativeQA,
    Listing,
    Loaded,
    ModelStamp,
    Pool,
    Question,
    Span,
    SpanExtractor,
    Spans,
    Token,
    Topic,
    a_text,
    any_of,
    asked,
    right_answer,
)
from explorer.api.question.options.passage import PASSAGE_QUESTION, question_of
from explorer.document import Document
from explorer.exact_answers.asking import exactly_of_answer
from explorer.numerics.evaluation.answers import exact_match, f1
from explorer.numerics.spans import of_each_start, softmax
from explorer.questions.pairs.answer_span.options import (
    ALIGN,
    DOC_STRIDE,
    MAX_ANSWER_LEN,
    MAX_SEQ_LEN,
    NO_ANSWER,
    THRESHOLD,
    WINDOW,
    Align,
)
from explorer.questions.pairs.answer_span.pooling import COLUMNS, gather, pooled, told
from explorer.text import N_, Phrase

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class AnswerSpanRequest(Asks):
    """Ask which span of a passage answers a question.

    The second text is the question, where none is given as such, as in a file. Neighbouring
    windows share half a window, and 128 pieces at most, where nothing is said. Right answers have
    "|" between them, and "" is that there is none.
    """

    text: str
    question: str = asked(PASSAGE_QUESTION, made=str.strip)
    top_k: int = 5
    max_answer_len: int = asked(MAX_ANSWER_LEN)
    max_seq_len: int = asked(MAX_SEQ_LEN)
    doc_stride: int | None = asked(DOC_STRIDE, None)
    no_answer: bool = asked(NO_ANSWER)
    align: Align = asked(ALIGN, made=Align)
    pair: str | None = None
    expected: str | None = right_answer()

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """What was never set follows from the window."""
        found = super().fields_of(document, loaded)
        is_set = document.option(DOC_STRIDE.key) is not None
        return found if is_set else {**found, "doc_stride": None}


@dataclass(frozen=True)
class AnswerWindow:
    """A part of the passage that was read at once, with raw scores of its tokens.

    Attributes:
        first: Number of its first token in the passage.
        starts: Of each token as the first of an answer.
        ends: Of each as the last; a row for each start where the model looks at where it begins.
        null_start: Of no answer, as a start; None where the model has no such score.
        null_end: The same as an end.
        impossible: Above zero where there is no answer, of a model that has a class for that.
        null: The probability of no answer; None where the model can't say.
    """

    first: int
    starts: Floats
    ends: Floats
    null_start: float | None
    null_end: float | None
    impossible: float | None
    null: float | None

    @property
    def end(self) -> int:
        """One past its last token."""
        return self.first + len(self.starts)

    @property
    def null_logit(self) -> float | None:
        """The raw score of no answer."""
        if self.null_start is None or self.null_end is None:
            return self.impossible
        return self.null_start + self.null_end

    def start_chances(self) -> NDArray[np.float64]:
        """Probabilities of the start, among the window's tokens and no answer."""
        return _chances(self.starts, self.null_start)

    def end_chances(self) -> NDArray[np.float64]:
        """Those of the end, for every start (starts x ends)."""
        return _chances(of_each_start(self.ends), self.null_end)

    def span_chances(self) -> NDArray[np.float64]:
        """The score of every pair of start and end, their order and length left aside."""
        both: NDArray[np.float64] = self.start_chances()[:, None] * self.end_chances()
        return both


def _chances(logits: Floats, null: float | None) -> NDArray[np.float64]:
    """Along the last axis; no answer has its share of them."""
    if null is None:
        return softmax(logits)
    beside = np.full((*logits.shape[:-1], 1), null)
    shares: NDArray[np.float64] = softmax(np.concatenate([beside, logits], axis=-1))[..., 1:]
    return shares


@dataclass(frozen=True)
class DecodedToken:
    """A token of an answer that a decoder wrote.

    Attributes:
        id: The piece.
        text: As a person reads it.
        probability: After all tokens before it.
        alternatives: The likeliest pieces there and their probabilities; it is the first.
        ends: It ends the answer.
    """

    id: int
    text: str
    probability: float
    alternatives: tuple[tuple[str, float], ...]
    ends: bool = False


@dataclass(frozen=True)
class AnswerSpanResult:
    """The best spans, and the scores they come from.

    Attributes:
        model: Who answered.
        question: What was asked.
        tokens: The passage's, all of them.
        windows: In the order of the passage.
        answers: Best first; no answer among them where it was asked for.
        best_logit: The raw score of the best span.
        null_logit: The smallest raw score of no answer over the windows: it has to hold in all.
        null: The smallest probability of no answer; None where the model can't say.
        max_answer_len: Pieces of the longest answer.
        max_seq_len: Pieces of a window.
        doc_stride: Pieces that neighbouring windows share.
        notes: What must be known, a sentence each.
        expected: The right answers, "" for none; empty where they are not known.
        written: The tokens of an answer that was written, greedily, and not looked for: there are
            no windows then, one answer at most, which may not stand in the passage, and
            `best_logit` is its log-probability.
        layout: How question and passage stood in the text that it was written to; "" elsewhere.
    """

    model: ModelStamp
    question: str
    tokens: tuple[Token, ...]
    windows: tuple[AnswerWindow, ...]
    answers: tuple[Span, ...]
    best_logit: float
    null_logit: float | None
    null: float | None
    max_answer_len: int
    max_seq_len: int
    doc_stride: int
    notes: tuple[Phrase, ...] = ()
    expected: tuple[str, ...] = ()
    written: tuple[DecodedToken, ...] = ()
    layout: str = ""

    @property
    def best(self) -> Span | None:
        """The best span, or what was written."""
        return next((one for one in self.answers if one.text), None)

    @property
    def may_have_none(self) -> bool:
        """Whether no answer competed with the spans."""
        return any(not one.text for one in self.answers)

    def has_no_answer(self, threshold: float) -> bool:
        """Whether no answer is better than the best span by more than a threshold."""
        return self.null_logit is not None and self.null_logit - self.best_logit > threshold


def window_of(result: AnswerSpanResult, wanted: Sequence[int] = ()) -> int:
    """The number of the window that is drawn: the chosen one, or that of the best answer."""
    chosen = next(iter(wanted), None)
    if chosen is not None and 0 <= chosen < len(result.windows):
        return int(chosen)
    best = result.best
    return best.window if best is not None and best.window is not None else 0


def spans_of(result: AnswerSpanResult) -> Spans:
    """The best spans in the passage, which are the same at every threshold."""
    return Spans(result.tokens, result.answers, len(result.windows))


COLUMN_TITLES = {
    "null": N_("no answer"),
    "windows": N_("windows"),
    "exact": N_("exact match"),
    "f1": N_("F1"),
    "questions": N_("questions"),
    "without_answer": N_("without an answer"),
    "exact_match": N_("exact match"),
    "f1_score": N_("F1"),
    "roc_area": N_("area under the ROC"),
    "threshold": N_("threshold"),
    "told_rightly": N_("classified correctly"),
    "no_answer_score": N_("score of no answer"),
    "has_no_answer": N_("has no answer"),
}
"""What else the columns of the summary are called on screen; in files they keep their names."""


def summary(result: AnswerSpanResult) -> Mapping[str, Cell]:
    """The first answer, and no answer's score."""
    row = {**spans_of(result).summary(), "null": result.null, "windows": len(result.windows)}
    if result.expected:
        said = str(row["answer"])
        row |= {"exact": exact_match(said, result.expected), "f1": f1(said, result.expected)}
    return row


def answerable_cells(result: AnswerSpanResult) -> Mapping[str, Cell]:
    """What a row keeps of how right an answer is, where that is known."""
    if not result.expected:
        return dict.fromkeys(COLUMNS, None)
    row = summary(result)
    gap = None if result.null_logit is None else result.null_logit - result.best_logit
    has_none = int(result.expected == ("",))
    return dict(zip(COLUMNS, (gap, has_none, row["exact"], row["f1"]), strict=True))


def exact_answer(result: Any, document: Document) -> Sequence[Detail]:
    """The exact answer to the same question; none beside one that a decoder wrote."""
    if result.written:
        return ()
    return (exactly_of_answer(document, result.question, result.model),)


QUESTION = Question(
    name="answer_span",
    title=N_("Question answering"),
    asks=N_("Which span of the text answers a question?"),
    elsewhere=N_(
        "Answers are given by models that were fine-tuned for them, as bert-answers-miniature; "
        "their class is called ...ForQuestionAnswering."
    ),
    listing=Listing(Topic.TASKS, 3, "comment-question-outline", in_overview=1),
    found_by=(
        "QA",
        "SQuAD",
        "reading comprehension",
        "extractive QA",
        "KorQuAD",
        "기계 독해",
        "지문 속 답",
    ),
    request=AnswerSpanRequest,
    result=AnswerSpanResult,
    summary=summary,
    column_titles=COLUMN_TITLES,
    follows={"threshold": THRESHOLD, "window": WINDOW},
    pool=Pool(answerable_cells, COLUMNS, gather, told, parts=pooled),
    beside=exact_answer,
    roles={MODEL: (any_of(SpanExtractor, GenerativeQA),)},
    options=(
        PASSAGE_QUESTION,
        BESIDE,
        NO_ANSWER,
        THRESHOLD,
        MAX_ANSWER_LEN,
        ALIGN,
        MAX_SEQ_LEN,
        DOC_STRIDE,
        WINDOW,
    ),
    conditions=(
        a_text(N_("Type a passage that holds the answer to a question.")),
        Condition(
            lambda document: bool(question_of(document)),
            N_("Type the question into the bar above: its answer is looked for in the text."),
        ),
    ),
)
