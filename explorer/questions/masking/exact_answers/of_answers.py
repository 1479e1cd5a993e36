"""Where in a passage an answer exactly stands, beside the spans that a model takes for it.

The model's distribution is the softmax of the start's and the end's scores together over every span
of the passage, whatever its length, and no answer; so these scores were trained, apart from spans
that end before they begin. The exact one is what the world's derivation says: one span, or none.
"""

from collections.abc import Sequence

import numpy as np

from explorer.api.question import Context, LoadedModel, Token, UserMistake
from explorer.exact_answers.answers import ExactAnswersResult
from explorer.exact_answers.asking import About, ExactAnswersRequest
from explorer.numerics.distributions.temperature import log_softmax
from explorer.numerics.spans import is_span, of_each_start
from explorer.questions.masking.exact_answers.outcomes import PossibleOutcome, place_of
from explorer.questions.pairs.answer_span import compute as spans
from explorer.questions.pairs.answer_span.question import AnswerSpanRequest, AnswerSpanResult
from explorer.text import N_
from explorer.world.tasks.passages import Range, Unread, truth_of_passage

WINDOWS = N_("The passage is read in several windows, and the exact answer is of a whole passage.")
WRITTEN = N_(
    "This model writes its answer as a text of its own; the exact one is a span of the passage, or "
    "none."
)
NO_NULL = N_("This model has no score for “no answer”, only those of spans.")
WHY = {
    Unread.OPEN: N_("The passage ends where no text of the miniatures' world ends."),
    Unread.UNTOLD: N_(
        "The miniatures were asked about texts in which people are at work, and others in which "
        "nobody is: a part of this passage is neither."
    ),
    Unread.UNASKED: N_("The miniatures' world has no such question."),
}


def of_answer(
    model: LoadedModel, request: ExactAnswersRequest, context: Context
) -> ExactAnswersResult:
    """Lay the exact answer beside the model's spans.

    Raises:
        Unavailable: The model has no head for answers.
        UserMistake: The passage or the question is empty, or the question leaves no room.
        Cancelled: The run was cancelled.
    """
    question = request.question.strip() or (request.pair or "").strip()
    if not question:
        raise UserMistake(N_("There is no question."), N_("Type one."))
    said = spans.run(model, AnswerSpanRequest(request.text, question), context)
    if said.written:
        return ExactAnswersResult(model.stamp, said.tokens, (), why=WRITTEN)
    context.progress(N_("reading the passage"), 0.0, 1.0)
    found = truth_of_passage(question, request.text, context.check)
    why = "" if found.unread is None else WHY.get(found.unread, "")
    (window, *others) = said.windows
    if others:
        why = WINDOWS
    elif window.null_start is None or window.null_end is None:
        why = NO_NULL
    elif found.unread is Unread.WORD:
        start, end = found.outside
        (outside, *_) = _within(said.tokens, found.outside)
        return ExactAnswersResult(model.stamp, said.tokens, (), outside, request.text[start:end])
    if why:
        return ExactAnswersResult(model.stamp, said.tokens, (), why=why)
    right = [_within(said.tokens, one) for one in found.spans]
    place = place_of(About.ANSWER, _outcomes(said, request.text, right), max(2, request.top_k))
    also = tuple(request.text[start:end] for start, end in found.spans[1:])
    return ExactAnswersResult(model.stamp, said.tokens, (place,), also=also)


def _within(tokens: Sequence[Token], where: Range) -> list[int]:
    """The tokens of some characters."""
    start, end = where
    return [n for n, one in enumerate(tokens) if max(one.start, start) < min(one.end, end)]


def _outcomes(
    said: AnswerSpanResult, text: str, right: Sequence[Sequence[int]]
) -> list[PossibleOutcome]:
    """Every span and no answer."""
    (window,) = said.windows
    assert window.null_logit is not None
    scores = window.starts[:, None].astype(np.float64) + of_each_start(window.ends)
    firsts, lasts = np.nonzero(is_span(len(window.starts)))
    every = np.append(scores[firsts, lasts], window.null_logit)
    answer = (right[0][0], right[0][-1]) if right else None
    *of_spans, of_none = log_softmax(every).tolist()
    outcomes = [PossibleOutcome("", -1, float(answer is None), of_none)]
    for first, last, log in zip(firsts.tolist(), lasts.tolist(), of_spans, strict=True):
        start = said.tokens[first].start
        name = text[start : said.tokens[last].end].strip()
        outcomes.append(PossibleOutcome(name, start, float((first, last) == answer), log))
    return outcomes
