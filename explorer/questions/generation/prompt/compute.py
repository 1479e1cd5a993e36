"""What a model answers behind examples: `PromptRequest`'s answer."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.api.question import (
    SECOND,
    CausalLM,
    Context,
    Direction,
    LoadedModel,
    Predictor,
    UserMistake,
    check_text,
)
from explorer.questions.generation.prompt.answers.decoding import DecoderScorer
from explorer.questions.generation.prompt.answers.rules import Rule, chosen
from explorer.questions.generation.prompt.answers.scoring import Scorer
from explorer.questions.generation.prompt.curve import (
    CurveAsking,
    best_answers_to,
    curve_of,
    learner,
)
from explorer.questions.generation.prompt.examples.drawing import DrawnExamples, draw
from explorer.questions.generation.prompt.examples.rows import ExampleRow, options_of, rows_of
from explorer.questions.generation.prompt.examples.template import PromptTemplate
from explorer.questions.generation.prompt.question import AnswerToken, PromptRequest, PromptResult
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

BOTH = N_(
    "This model reads both sides: the answer is hidden by one mask for each of "
    "its pieces, filled from left to right, and followed by what closes it."
)
SPANS = N_(
    "This model fills spans: one sentinel stands for the answer, and its pieces are written one "
    "after the other."
)


ANEW = N_(
    "This model writes its text anew: one mask stands for the answer, and its "
    "decoder is given what comes before it."
)
APART = N_(
    "This model answers in a text of its own: its score is that of an answer as the whole of it, "
    "without its end."
)


REFUSED = N_("{model} does not answer. {problem}")


def scorer_of(model: Any, context: Context) -> Scorer | DecoderScorer:
    """By the ports that a model has: a decoder that writes a text anew fills a mask with more."""
    is_filled = Predictor in model.ports and not _writes_anew(model)
    return (Scorer if is_filled else DecoderScorer)(model, context)


def _writes_anew(model: Any) -> bool:
    return CausalLM in model.ports and model.port(CausalLM).denoises


def note_of(model: Any) -> Phrase:
    """How such a model reads a prompt; nothing of one that reads from the left."""
    if _writes_anew(model):
        return Phrase(ANEW)
    if Predictor not in model.ports:
        return Phrase(APART)
    directions = {Direction.BOTH: Phrase(BOTH), Direction.SPANS: Phrase(SPANS)}
    return directions.get(model.port(Predictor).direction, NOTHING)


def run(model: Any, request: PromptRequest, context: Context) -> PromptResult:
    """Score what may be answered, to the user's question and to rows of the table.

    Where another model plays the second part, it is asked the same behind the same examples.

    Raises:
        Unavailable: The model predicts no tokens and writes none.
        UserMistake: The text is empty, the template or the file is none, or a number is out of
            range.
        Cancelled: The run was cancelled; checked before every layer.
    """
    _check(request)
    rows = rows_of(request.path)
    drawn = draw(
        rows,
        request.text,
        examples=request.examples,
        asked=request.asked,
        orders=request.orders,
        seed=request.seed,
    )
    result = _answered(model, request, rows, drawn, context, lambda own: own)
    other = context.models.get(SECOND)
    if other is None:
        return result
    try:
        second = _answered(
            other, request, rows, drawn, context, lambda own: replace(result, second=own)
        )
    except UserMistake as mistake:  # of what the other model has no room or no pieces for
        told = Phrase(REFUSED, model=other.title, problem=mistake.problem)
        return replace(result, refused=told)
    return replace(result, second=second)


def _answered(
    model: LoadedModel,
    request: PromptRequest,
    rows: Sequence[ExampleRow],
    drawn: DrawnExamples,
    context: Context,
    whole: Callable[[PromptResult], PromptResult],
) -> PromptResult:
    """What one model answers.

    Args:
        model: Which.
        request: The question.
        rows: The table.
        drawn: What is asked of it.
        context: For progress, and for those who look on.
        whole: The answer so far, of what this model answered so far.
    """
    template = PromptTemplate(request.template, request.description)
    asking = CurveAsking(scorer_of(model, context), template, request.neutral, request.free)
    result = replace(_own(model, asking, request, rows, drawn.own), note=note_of(model))
    if not drawn.asked:
        return result
    options = [options_of(row, request.options, rows) for row in drawn.asked]

    def look(curve: Any) -> None:
        context.show(lambda: whole(replace(result, curve=curve, rows=len(drawn.asked))))
        context.give_way()

    curve, too_long = curve_of(asking, drawn, options, learner(template), look)
    return replace(result, curve=curve, rows=len(drawn.asked), too_long=too_long)


def _check(request: PromptRequest) -> None:
    check_text(request.text)
    PromptTemplate(request.template).check()
    if not request.neutral.strip() or not request.free.strip():
        raise UserMistake(
            N_("Mutual information and calibration need words to compare with."),
            N_("Give the prompt that asks nothing, and the question without content, some words."),
        )


def _own(
    model: LoadedModel,
    asking: CurveAsking,
    request: PromptRequest,
    rows: Sequence[ExampleRow],
    orders: Sequence[Sequence[ExampleRow]],
) -> PromptResult:
    """The user's own question, with as many examples as fit."""
    known = next(
        (row for row in rows if row.question == request.text), ExampleRow(request.text, "")
    )
    if request.expected:
        known = ExampleRow(known.question, request.expected, known.options)
    options = options_of(known, request.options, rows)
    first = orders[0]
    wanted = len(first)
    number_of = {id(row): number for number, row in enumerate(first)}  # rows may be alike
    numbers = [[number_of[id(row)] for row in order] for order in orders]
    for count in range(wanted, -1, -1):
        # The same examples in every order, however many there are.
        permutations = [tuple(n for n in order if n < count) for order in numbers]
        prompts = [tuple(first[n] for n in order) for order in permutations]
        told = asking.many([(one, known.question, options) for one in prompts])
        if told is not None:
            break
    else:
        raise UserMistake(
            N_("The question alone is too long for this model."), N_("Ask a shorter one.")
        )
    examples = [(row.question, row.answer) for row in first[:count]]
    written = asking.template.write(examples, known.question)
    answer = told[0][chosen(told[0], Rule.SUM)].option
    return PromptResult(
        model=model.stamp,
        written=model.encode(written.with_answer(answer)).tokens,
        prompt=written.before.rstrip(),
        examples=tuple(examples),
        scores=told[0],
        by_order=np.array([[one.log_probability for one in scores] for scores in told]),
        curve=None,
        total=len(rows),
        rows=0,
        right=known.answer or None,
        best=tuple(best_answers_to(asking.template, examples, known.question).items()),
        left_out=wanted - count,
        permutations=tuple(permutations),
        tokens=tuple(
            AnswerToken(token.text, token.id, math.exp(log))
            for token, log in asking.scorer.by_piece(written, answer)
        ),
    )
