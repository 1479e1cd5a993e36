"""What exactly comes next at each step of a continuation, beside what the model expected there.

The exact distribution is that of a text of the world that begins so. Where the model knows an end,
its chance is that of a text that ends there; for one that knows none, the text goes on.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from explorer.api.question import CausalLM, Context, LoadedModel
from explorer.exact_answers.answers import ExactAnswersResult, ExactPlace
from explorer.exact_answers.asking import About, ExactAnswersRequest
from explorer.hf.generate.rows import ends_of
from explorer.hf.text.vocabularies.pieces import written
from explorer.questions.generation.continuation.compute import beginning
from explorer.questions.generation.continuation.question import ContinuationRequest
from explorer.questions.masking.exact_answers.places import place_at
from explorer.text import N_
from explorer.world.exact.truth import Truth

APART = N_("Exact answers exist for causal models, as gpt2-miniature: this one writes otherwise.")
ENDED = N_("The miniatures' world has no longer text that begins so.")


def of_next(
    model: LoadedModel, request: ExactAnswersRequest, truth: Truth, context: Context
) -> ExactAnswersResult:
    """Lay the exact next token beside the model's, at every step as long as the world has one.

    Behind the text alone where no continuation is given.

    Raises:
        UserMistake: The text leaves no room for a token.
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled.
    """
    encoded, _notes = beginning(model, ContinuationRequest(request.text, request.masks))
    if CausalLM not in model.ports:
        return ExactAnswersResult(model.stamp, encoded.tokens, (), why=APART)
    writing = model.port(CausalLM).writing(encoded)
    opening = writing.opening
    if opening.apart:
        return ExactAnswersResult(model.stamp, opening.tokens, (), why=APART)
    ids = [one.id for one in opening.tokens if not one.special]
    pieces: list[str] = model.tokenizer.convert_ids_to_tokens(ids)
    taken: list[int] = model.tokenizer.convert_tokens_to_ids(list(request.taken))
    # Where nothing goes on from the text yet, the token behind it is asked about all the same.
    standing: list[int | None] = [*taken] or [None]
    places: list[ExactPlace] = []
    outside, word, why = None, "", ""
    for step, piece in enumerate(standing):
        context.progress(N_("summing over texts"), float(step), float(len(standing)))
        context.check()
        exact = with_end(model, truth, pieces, truth.next_piece(pieces))
        where = len(opening.tokens) + step
        if not exact:
            reach = truth.reading(pieces).outside
            if reach is None:
                why = "" if places else ENDED
                outside = where
                word = written(model.tokenizer, request.taken[step]) if taken else ""
            else:
                outside = where - len(pieces) + reach
                word = written(model.tokenizer, pieces[reach])
            break
        (row,) = writing.logits([taken[:step]], context).log_softmax(-1)
        place = place_at(model, where, piece, exact, row, request.top_k)
        places.append(replace(place, about=About.NEXT))
        pieces += request.taken[step : step + 1]
    return ExactAnswersResult(
        model.stamp,
        opening.tokens,
        tuple(places),
        outside,
        word.strip(),
        from_left=True,
        why=why,
        left_out=encoded.left_out,
    )


def with_end(
    model: LoadedModel, truth: Truth, pieces: Sequence[str | None], following: dict[str, float]
) -> dict[str, float]:
    """What follows the beginning of a text, its end too where the model knows one.

    Args:
        model: Who reads from the left.
        truth: Of the world, in its pieces.
        pieces: The beginning, None where blank.
        following: The exact distribution of the next piece of a text that goes on.
    """
    ends = ends_of(model)
    ended = truth.ends(pieces) if ends else 0.0
    if not ended:
        return following
    end: Any = model.tokenizer.convert_ids_to_tokens(ends[0])
    return {str(end): ended, **{one: mass * (1.0 - ended) for one, mass in following.items()}}
