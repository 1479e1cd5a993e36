"""The answer of a model that writes one: greedy, with the probability of every token."""

import math
import re
from typing import Any

from explorer.api.question import Context, GenerativeQA, Span, Token
from explorer.hf.generate.answers import WROTE_MASKS
from explorer.hf.generate.loop import GenerationStep, write
from explorer.questions.pairs.answer_span.question import (
    AnswerSpanRequest,
    AnswerSpanResult,
    DecodedToken,
)
from explorer.text import N_, Phrase

ALTERNATIVES = 5


def written_answer(
    model: Any, writer: GenerativeQA, request: AnswerSpanRequest, question: str, context: Context
) -> AnswerSpanResult:
    """Let it write, and look for what it wrote in the passage.

    Args:
        model: Who writes.
        writer: Its port.
        request: The passage, and how many pieces an answer may have.
        question: What the passage is asked.
        context: Can stop it.

    Raises:
        UserMistake: There is no room to write.
        MachineFault: The scores are not numbers.
        Cancelled: The run was cancelled.
    """
    prompt = writer.prompt(request.text, question)
    # One more, so that an answer of that length can end.
    steps = tuple(write(prompt.writing, request.max_answer_len + 1, context))
    ended = bool(steps) and steps[-1].ends
    own = [one.id for one in steps if not one.ends][: request.max_answer_len]
    text = writer.text(own)
    tokens = tuple(_token(writer, one) for one in steps[: len(own) + ended])
    score = math.prod(one.probability for one in tokens)
    return AnswerSpanResult(
        model=model.stamp,
        question=question,
        tokens=prompt.passage,
        windows=(),
        answers=(_placed(request.text, prompt.passage, text, score),) if text else (),
        best_logit=math.log(score) if score > 0 else -math.inf,
        null_logit=None,
        null=None,
        max_answer_len=request.max_answer_len,
        max_seq_len=len(prompt.encoded.tokens),
        doc_stride=0,
        notes=tuple(_notes(writer, prompt.encoded.left_out is not None, own, ended, request)),
        written=tokens,
        layout=prompt.layout,
    )


def _token(writer: GenerativeQA, step: GenerationStep) -> DecodedToken:
    logs = step.warped.logs
    best = logs.topk(min(ALTERNATIVES, len(logs)))
    return DecodedToken(
        step.id,
        writer.text([step.id]),
        float(logs[step.id].exp()),
        tuple(
            (writer.text([piece]), value)
            for piece, value in zip(best.indices.tolist(), best.values.exp().tolist(), strict=True)
        ),
        step.ends,
    )


def _placed(passage: str, tokens: tuple[Token, ...], text: str, score: float) -> Span:
    """The answer at the first place of the passage where it stands as whole words, if any."""
    words = r"\s+".join(map(re.escape, text.split()))
    found = re.search(rf"(?<!\w){words}(?!\w)", passage, re.IGNORECASE)
    if found is None:
        return Span(text, 0, 0, score)
    start, end = found.span()
    places = [n for n, one in enumerate(tokens) if one.start < end and one.end > start]
    if not places:
        return Span(text, 0, 0, score)
    return Span(text, start, end, score, places[0], places[-1])


def _notes(
    writer: GenerativeQA, cut: bool, own: list[int], ended: bool, request: AnswerSpanRequest
) -> list[Phrase]:
    notes = []
    if any(map(writer.is_mask, own)):
        notes.append(Phrase(WROTE_MASKS))
    elif not ended:
        notes.append(
            Phrase(
                N_("The answer did not end within {count} pieces: allow longer ones."),
                count=request.max_answer_len,
            )
        )
    if cut:
        notes.append(
            Phrase(
                N_(
                    "The passage is longer than what the model reads at once, and its end was "
                    "left out."
                )
            )
        )
    if request.no_answer:
        notes.append(Phrase(N_("This model has no score for “no answer”.")))
    return notes
