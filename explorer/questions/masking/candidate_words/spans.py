"""The probability that a decoder writes a given word in the place of a mask."""

import math

from explorer.api import Context, Encoded, LoadedModel, SpanPredictor
from explorer.document import Document
from explorer.hf.predict.predictions import prediction_of, rank_of
from explorer.questions.masking.candidate_words.question import (
    CandidateWordsRequest,
    CandidateWordsResult,
    GapScores,
    WordScore,
)
from explorer.questions.masking.candidate_words.scoring import (
    document_of,
    log_odds,
    others,
    with_places,
    with_word,
)
from explorer.questions.masking.masked_tokens.spans import prediction_of_span
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

METHOD = N_(
    "A word's probability is that of {who} writing exactly its pieces in the place of the masked "
    "range: the product of the pieces' probabilities, each after those before it, times the "
    "probability that the span ends there."
)
SEVERAL = N_("Before a later range stands {who}'s most probable span for every range before it.")


def score_spans(
    model: LoadedModel, encoded: Encoded, request: CandidateWordsRequest, context: Context
) -> CandidateWordsResult:
    """Score every word at every mask."""
    predictor = model.port(SpanPredictor)
    document = document_of(request)
    words = tuple(word.strip() for word in request.words if word.strip())
    written: list[tuple[int, ...]] = []
    gaps = []
    for number, position in enumerate(encoded.mask_positions):
        token = encoded.tokens[position]
        place = (token.start, token.end, token.part)
        best = predictor.best_spans(encoded, written, 1, context).spans[0]
        asked = _Gap(model, predictor, encoded, tuple(written), context)
        scores = [asked.score(document, place, word) for word in words]
        hidden = encoded.hidden[number]
        original = None
        if hidden is not None:
            text = document.part(token.part)[token.start : token.end]
            original = asked.scored(text, hidden)
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
        written.append(best.ids)
    return CandidateWordsResult(
        model=model.stamp,
        tokens=encoded.tokens,
        gaps=tuple(gaps),
        method=Phrase(METHOD, who=predictor.who),
        left_out=encoded.left_out,
        note=Phrase(SEVERAL, who=predictor.who) if len(gaps) > 1 else NOTHING,
    )


class _Gap:
    """One mask, after the spans that stand before it."""

    def __init__(
        self,
        model: LoadedModel,
        predictor: SpanPredictor,
        encoded: Encoded,
        written: tuple[tuple[int, ...], ...],
        context: Context,
    ) -> None:
        self._model, self._predictor = model, predictor
        self._encoded, self._written, self._context = encoded, written, context

    def score(self, document: Document, place: tuple[int, int, int], word: str) -> WordScore:
        """A word with the pieces that it has in this place of the text."""
        start, _end, part = place
        changed = with_word(document, place, word, lone_space=True)
        encoded = self._model.encode(changed.text, changed.pair, changed.masks)
        tokens = [encoded.tokens[position] for position in encoded.mask_positions]
        found = next(
            (
                ids
                for token, ids in zip(tokens, encoded.hidden, strict=True)
                if (token.start, token.end, token.part) == (start, start + len(word), part)
            ),
            None,
        )
        left_out = encoded.left_out
        if left_out is not None and (left_out.part, left_out.start) < (part, start + len(word)):
            return WordScore(
                word, problem=Phrase(N_("“{word}” does not fit into the model here."), word=word)
            )
        if found is None:
            return WordScore(
                word,
                problem=Phrase(
                    N_("With what stands beside it “{word}” is cut otherwise."), word=word
                ),
            )
        if self._model.tokenizer.unk_token_id in found:
            return WordScore(
                word, problem=Phrase(N_("This vocabulary has no pieces for “{word}”."), word=word)
            )
        return self.scored(word, found)

    def scored(self, word: str, ids: tuple[int, ...]) -> WordScore:
        """A word of given pieces."""
        rows, end = self._predictor.piece_rows(self._encoded, self._written, ids, self._context)
        logs = [float(row[piece]) for row, piece in zip(rows, ids, strict=True)]
        rest = [others(row, piece) for row, piece in zip(rows, ids, strict=True)]
        pieces = tuple(
            prediction_of(self._model, piece, math.exp(log), rank_of(row, piece))
            for row, piece, log in zip(rows, ids, logs, strict=True)
        )
        logs.append(end)
        rest.append(max(0.0, -math.expm1(end)))
        return WordScore(word, pieces, sum(logs), log_odds(logs, rest))
