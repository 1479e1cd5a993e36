"""The world's own distributions beside a model's."""

import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from explorer.api.question import (
    Context,
    Direction,
    Encoded,
    LoadedModel,
    Predictor,
    Query,
    Token,
    UserMistake,
    check_text,
    check_top_k,
)
from explorer.exact_answers.answers import ExactAnswersResult
from explorer.exact_answers.asking import About, ExactAnswersRequest
from explorer.hf.kept import kept
from explorer.hf.predict.guessing import rows_at_masks
from explorer.hf.predict.masked_text import refuse_pair
from explorer.hf.text.vocabularies.fingerprint import tokenizer_fingerprint
from explorer.questions.masking.exact_answers.of_answers import of_answer
from explorer.questions.masking.exact_answers.of_next import of_next, with_end
from explorer.questions.masking.exact_answers.of_pairs import of_pair
from explorer.questions.masking.exact_answers.outcomes import word_at
from explorer.questions.masking.exact_answers.places import place_at
from explorer.text import N_
from explorer.world.exact.readers import Tokenize
from explorer.world.exact.truth import Truth
from explorer.world.exact.whose import world_of
from explorer.world.scenes import small_world

SPANS = N_(
    "This model fills spans of any length, and the exact answers are of single places. Load a "
    "model that fills masks, as bert-miniature."
)
KOREAN = N_(
    "Exact answers are of English texts: the world's Korean ones are written from what English "
    "ones were made from, and have no grammar of their own to sum over."
)
_MOST_KEPT = 4


@contextmanager
def truth_of(tokenizer: Any, context: Context) -> Iterator[Truth]:
    """The reader of the world in a tokenizer's pieces, which this run can stop inside the block.

    A grammar that was cut into them once answers at once, and answers all models with these pieces.
    """
    pieces = tokenizer_fingerprint(tokenizer)  # whatever class of tokenizers cuts so
    truth = kept("truth", lambda: _truth(tokenizer.tokenize), asked=pieces, most=_MOST_KEPT)
    with truth.checking(context.check):
        yield truth


def _truth(tokenize: Tokenize) -> Truth:
    return Truth(tokenize, world=world_of(tokenize))


def run(model: Any, request: ExactAnswersRequest, context: Context) -> ExactAnswersResult:
    """Sum over all texts of the world that agree with what is seen.

    What a causal model sees is what stands before a place.

    Raises:
        UserMistake: The text is empty, nothing is to be asked, or there is a second text for a
            model that reads one.
        Cancelled: The run was cancelled.
    """
    check_text(request.text)
    check_top_k(request.top_k)
    if request.about in (About.PAIR, About.NEXT):
        answer = of_pair if request.about is About.PAIR else of_next
        with truth_of(model.tokenizer, context) as truth:
            return answer(model, request, truth, context)
    if request.about is About.ANSWER or Predictor not in model.ports:
        return of_answer(model, request, context)
    predictor = model.port(Predictor)
    refuse_pair(predictor, request.pair)
    context.check()
    encoded = model.encode(request.text, request.pair, request.masks)
    if predictor.direction is Direction.SPANS:
        return ExactAnswersResult(
            model.stamp, encoded.tokens, (), why=SPANS, left_out=encoded.left_out
        )
    asked = _asked(encoded, every=request.every)
    if not asked:
        raise UserMistake(
            N_("Nothing is masked, so there is no place for an exact answer."),
            N_("Mask a word, or choose “Every token”."),
        )
    with truth_of(model.tokenizer, context) as truth:
        return _summed(model, request, encoded, asked, truth, context)


def _summed(
    model: LoadedModel,
    request: ExactAnswersRequest,
    encoded: Encoded,
    asked: Sequence[int],
    truth: Truth,
    context: Context,
) -> ExactAnswersResult:
    """The answers at some places of a text that is read as it is."""
    predictor = model.port(Predictor)
    from_left = predictor.direction is Direction.CAUSAL
    own = [n for n, token in enumerate(encoded.tokens) if not token.special or token.masked]
    masks = set(encoded.mask_positions)
    as_pieces = model.tokenizer.convert_ids_to_tokens
    pattern = [None if n in masks else as_pieces(encoded.tokens[n].id) for n in own]
    read = truth.reading(pattern)
    if read.outside is not None:
        where = own[read.outside]
        word = word_at(encoded.tokens[where], request)
        return ExactAnswersResult(
            model.stamp,
            encoded.tokens,
            (),
            where,
            word,
            why=KOREAN if is_hangul(word) and truth.world is small_world() else "",
            left_out=encoded.left_out,
        )
    exact = []
    for number, place in enumerate(asked):
        context.progress(N_("summing over texts"), float(number), float(len(asked)))
        at = own.index(place)
        if from_left:
            exact.append(truth.answer([*pattern[:at], None], at, open_end=True))
        else:
            hidden = [*pattern[:at], None, *pattern[at + 1 :]]
            exact.append(truth.answer(hidden, at, open_end=read.is_beginning))
    if from_left:
        # Behind the loop: in it, what was read of the whole text serves all places.
        before = (pattern[: own.index(place)] for place in asked)
        exact = [
            with_end(model, truth, pieces, following)
            for pieces, following in zip(before, exact, strict=True)
        ]
    rows = _rows(predictor, encoded, asked, context, every=request.every)
    places = tuple(
        place_at(model, place, _standing(encoded.tokens[place]), mass, row, request.top_k)
        for place, mass, row in zip(asked, exact, rows, strict=True)
    )
    return ExactAnswersResult(
        model.stamp,
        encoded.tokens,
        places,
        is_beginning=read.is_beginning,
        from_left=from_left,
        left_out=encoded.left_out,
    )


def is_hangul(word: str) -> bool:
    """Whether a word is written in Korean letters."""
    return any(unicodedata.name(one, "").startswith("HANGUL") for one in word)


def _asked(encoded: Encoded, *, every: bool) -> list[int]:
    """Positions that are asked about: the masks, or all of the text's own tokens."""
    if encoded.mask_positions and not every:
        return list(encoded.mask_positions)
    if not every:
        return []
    tokens = enumerate(encoded.tokens)
    return [n for n, token in tokens if n and not (token.special or token.unknown or token.masked)]


def _standing(token: Token) -> int | None:
    """The piece that stands in the text; None where it is hidden and not known."""
    return token.original if token.masked else token.id


def _rows(
    predictor: Predictor, encoded: Encoded, asked: Sequence[int], context: Context, *, every: bool
) -> Any:
    """The model's log-probabilities at the asked places."""
    import torch

    if not every:
        return rows_at_masks(predictor, encoded, context, asked)
    if predictor.direction is Direction.CAUSAL:
        return predictor.log_probabilities([Query(encoded, tuple(asked))], context)[0]
    queries = [Query(encoded, (place,), {place: None}) for place in asked]
    return torch.cat(predictor.log_probabilities(queries, context))
