"""The probability that T5 writes a given word in the place of a masked span."""

import math
from typing import Any

from explorer.api import Context, LoadedModel, Unavailable
from explorer.hf.cancelling import cancellable
from explorer.hf.predict.predictions import prediction_of, rank_of
from explorer.hf.word_scores import document_of, log_odds, others, with_places, with_word
from explorer.operations.fill_mask import check_masked
from explorer.operations.score_words import (
    GapScores,
    ScoreWords,
    ScoreWordsResult,
    WordScore,
    check,
)

from .encoding import spans_of
from .filling import barred_pieces, ends_of, prediction_of_span
from .search import Question, best_spans, logits_of

METHOD = (
    "A word's probability is that of T5 writing exactly its pieces in the place of the masked "
    "range: the product of the pieces' probabilities, each after those before it, times the "
    "probability that the span ends there."
)
SEVERAL = "Before a later range stands T5's most probable span for every range before it."


def run(model: LoadedModel, request: ScoreWords, context: Context) -> ScoreWordsResult:
    """Score every word at every sentinel.

    Raises:
        Unavailable: The checkpoint has no decoder.
        UserMistake: The text is empty, nothing is masked, or there are no words or too many.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    if not any(head.name == "spans" and head.present for head in model.heads):
        raise Unavailable(model.unavailable.get("score_words", "This checkpoint has no decoder."))
    check(request)
    context.check()
    document = document_of(request)
    spans = spans_of(model, request.text, request.pair, request.masks)
    encoded = spans.encoded
    check_masked(encoded)
    words = tuple(word.strip() for word in request.words if word.strip())
    start = model.config.decoder_start_token_id
    written: tuple[int, ...] = (model.tokenizer.pad_token_id if start is None else start,)
    gaps = []
    with torch.inference_mode(), cancellable(context):
        states = model.encoder(**encoded.inputs)
        barred = barred_pieces(model)
        for number, position in enumerate(encoded.mask_positions):
            token = encoded.tokens[position]
            place = (token.start, token.end, token.part)
            prefix = (*written, token.id)
            question = Question(model.module, states, prefix, ends_of(model, number), barred)
            best = best_spans(question, 1, context).spans[0]
            hidden = spans.originals[number]
            scores = [_score(model, document, place, question, word) for word in words]
            original = None
            if hidden is not None:
                text = document.part(token.part)[token.start : token.end]
                original = _scored(model, question, text, hidden)
            gaps.append(
                GapScores(
                    positions=(position,),
                    start=token.start,
                    end=token.end,
                    part=token.part,
                    scores=with_places(scores),
                    original=original,
                    favourite=prediction_of_span(model, best, 1),
                )
            )
            written = (*prefix, *best.ids)
    return ScoreWordsResult(
        model=model.stamp,
        tokens=encoded.tokens,
        gaps=tuple(gaps),
        method=METHOD,
        left_out=encoded.left_out,
        note=SEVERAL if len(gaps) > 1 else "",
    )


def _score(
    model: LoadedModel,
    document: Any,
    place: tuple[int, int, int],
    question: Question,
    word: str,
) -> WordScore:
    """A word with the pieces that it has in this place of the text."""
    start, _, part = place
    changed = with_word(document, place, word)
    spans = spans_of(model, changed.text, changed.pair, changed.masks)
    tokens = [spans.encoded.tokens[position] for position in spans.encoded.mask_positions]
    found = next(
        (
            ids
            for token, ids in zip(tokens, spans.originals, strict=True)
            if (token.start, token.end, token.part) == (start, start + len(word), part)
        ),
        None,
    )
    left_out = spans.encoded.left_out
    if left_out is not None and (left_out.part, left_out.start) < (part, start + len(word)):
        return WordScore(word, problem=f"“{word}” does not fit into the model here.")
    if found is None:
        return WordScore(word, problem=f"With what stands beside it “{word}” is cut otherwise.")
    if model.tokenizer.unk_token_id in found:
        return WordScore(word, problem=f"This vocabulary has no pieces for “{word}”.")
    return _scored(model, question, word, found)


def _scored(model: LoadedModel, question: Question, word: str, ids: tuple[int, ...]) -> WordScore:
    import torch

    tokens = torch.tensor([(*question.prefix, *ids)], dtype=torch.long)
    rows: Any = logits_of(question, tokens.to(question.states.device), None)[0].log_softmax(-1)
    first = len(question.prefix) - 1
    logs, rest, pieces = [], [], []
    for i, piece in enumerate(ids):
        row = rows[first + i]
        logs.append(float(row[piece]))
        rest.append(others(row, piece))
        pieces.append(prediction_of(model, piece, math.exp(logs[-1]), rank_of(row, piece)))
    ends = rows[first + len(ids)].double()[list(question.ends)].exp().sum()
    logs.append(math.log(max(float(ends), 1e-300)))
    rest.append(max(0.0, 1.0 - float(ends)))
    return WordScore(word, tuple(pieces), sum(logs), log_odds(logs, rest))
