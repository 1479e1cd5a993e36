"""The probability of given words in the gaps of a text: `CandidateWordsRequest`' answer.

A word is put into the text in the place of the gap, the whole text is cut by the model's own
tokenizer, and the pieces the word became are masked. So a word has the space before it, the
capitals and the pieces that it would have if the user had typed it there, whatever the tokenizer.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import (
    Context,
    Direction,
    Encoded,
    LoadedModel,
    Prediction,
    Predictor,
    SpanPredictor,
    Token,
)
from explorer.document import MASK_LITERAL, Document
from explorer.hf.predict.fillings import MaskQuery, Reader
from explorer.hf.predict.guessing import rows_at_masks
from explorer.hf.predict.masked_text import masked_input
from explorer.hf.predict.predictions import begins_unspaced, prediction_of, rank_of
from explorer.hf.predict.span_fillings import prediction_of_span
from explorer.hf.text.vocabularies.pieces import special_pieces
from explorer.questions.masking.candidate_words.question import (
    CandidateWordsRequest,
    CandidateWordsResult,
    GapScores,
    WordScore,
    check,
)
from explorer.questions.masking.joint_decoding.compute import gaps_of
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

METHOD = Phrase(
    N_(
        "A word of several pieces takes one mask for each piece. They are filled from"
        " left to right, and the word's probability is the product of its pieces' "
        "probabilities (chain rule)."
    )
)
METHOD_FROM_LEFT = Phrase(
    N_(
        "A word's probability is the product of its pieces' probabilities, each given"
        " all before it (chain rule). Whether the word ends there is not asked."
    )
)
SEVERAL_LENGTHS = Phrase(
    N_(
        "Words of different numbers of pieces are asked with different numbers of "
        "masks, which gives the model the word's length: their probabilities are not "
        "shares of one whole."
    )
)
GUESSED = Phrase(
    N_("Each mask before a gap is replaced by the model's own best guess, as it can't see a mask.")
)
METHOD_OF_SPANS = N_(
    "A word's probability is that of {who} writing exactly its pieces in place of"
    " the masked range: the product of the pieces' probabilities, each after "
    "those before it, times the probability that the span ends there."
)
SEVERAL_SPANS = N_("A later range sees {who}'s most probable span for every range before it.")


@dataclass(frozen=True)
class TriedWord:
    """A word in its gap, ready to be asked for.

    Attributes:
        word: As the user wrote it.
        encoded: The input with as many masks in the gap as the word has pieces.
        masks: Numbers of those masks.
        ids: The word's pieces.
        problem: Why it can't be asked for; "" when it can.
    """

    word: str
    encoded: Encoded | None = None
    masks: tuple[int, ...] = ()
    ids: tuple[int, ...] = ()
    problem: Phrase = NOTHING


def score(
    model: LoadedModel, encoded: Encoded, request: CandidateWordsRequest, context: Context
) -> CandidateWordsResult:
    """Score words in every gap of an input."""
    document = Document(request.text, request.pair, request.masks)
    words = tuple(word.strip() for word in request.words if word.strip())
    positions = encoded.mask_positions
    gaps = []
    from_left = model.port(Predictor).direction is Direction.CAUSAL
    numbers = gaps_of(encoded.tokens)
    for done, gap in enumerate(numbers):
        context.progress(N_("scoring words"), float(done), float(len(numbers)))
        tokens = [encoded.tokens[positions[mask]] for mask in gap]
        start, end, part = tokens[0].start, tokens[-1].end, tokens[0].part
        hidden = document.part(part)[start:end]
        typed = any(token.original is None for token in tokens)
        place = (start, end, part)
        asked = (*words, *(() if typed else (hidden,)))
        tried = [
            try_word(model, document, place, word, lone_space=request.lone_space) for word in asked
        ]
        scores = ask(model, tried, context)
        gaps.append(
            GapScores(
                positions=tuple(positions[mask] for mask in gap),
                start=start,
                end=end,
                part=part,
                scores=with_places(scores[: len(words)]),
                original=None if typed else scores[-1],
                favourite=_favourite(model, document, place, context),
            )
        )
    several = len({len(one.pieces) for gap in gaps for one in gap.scores if one.pieces}) > 1
    note = SEVERAL_LENGTHS if several and not from_left else NOTHING
    if from_left and len(gaps) > 1:
        note = GUESSED
    return CandidateWordsResult(
        model=model.stamp,
        tokens=encoded.tokens,
        gaps=tuple(gaps),
        method=METHOD_FROM_LEFT if from_left else METHOD,
        left_out=encoded.left_out,
        note=note,
    )


def try_word(
    model: LoadedModel,
    document: Document,
    gap: tuple[int, int, int],
    word: str,
    *,
    lone_space: bool,
) -> TriedWord:
    """Put a word into the gap, and mask the pieces it becomes there."""
    start, _end, part = gap
    changed = with_word(document, gap, word, lone_space=lone_space)
    encoded = model.encode(changed.text, changed.pair, changed.masks)
    end = start + len(word)
    inside = [
        (number, encoded.tokens[position])
        for number, position in enumerate(encoded.mask_positions)
        if encoded.tokens[position].part == part
        and encoded.tokens[position].start < end
        and encoded.tokens[position].end > start
    ]
    left_out = encoded.left_out
    if left_out is not None and (left_out.part, left_out.start) < (part, end):
        return TriedWord(
            word, problem=Phrase(N_("“{word}” does not fit into the model here."), word=word)
        )
    problem = _problem(model, word, [token for _, token in inside], start)
    if problem:
        return TriedWord(word, problem=problem)
    ids = tuple(token.original for _, token in inside if token.original is not None)
    return TriedWord(word, encoded, tuple(number for number, _ in inside), ids)


def _problem(model: LoadedModel, word: str, tokens: Sequence[Token], start: int) -> Phrase:
    """Why a word can't be asked for here; "" when it can."""
    tokenizer = model.tokenizer
    if not tokens:
        return Phrase(N_("“{word}” is empty after tokenization."), word=word)
    if any(token.original is None for token in tokens):
        return Phrase(N_("“{word}” is a mask, and no word."), word=word)
    if tokens[0].start < start or tokens[-1].end > start + len(word):
        return Phrase(
            N_("Next to the letters around the gap “{word}” is split into other tokens."), word=word
        )
    if any(token.original == tokenizer.unk_token_id for token in tokens):
        return Phrase(N_("This vocabulary has no pieces for “{word}”."), word=word)
    names = tokenizer.convert_ids_to_tokens([token.original for token in tokens])
    if set(names) & special_pieces(tokenizer):
        return Phrase(N_("“{word}” is a special token, and no word."), word=word)
    return NOTHING


def ask(model: LoadedModel, tried: Sequence[TriedWord], context: Context) -> tuple[WordScore, ...]:
    """Score words; those whose inputs have the same masks go through the model together."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for number, one in enumerate(tried):
        if one.encoded is not None:
            key = (*one.encoded.input_ids[0].tolist(), -1, *one.masks)
            groups.setdefault(key, []).append(number)
    scores = [WordScore(one.word, problem=one.problem) for one in tried]
    for members in groups.values():
        first = tried[members[0]]
        assert first.encoded is not None
        reader = Reader(model, first.encoded, context)
        base = _base(reader, first.masks[0])
        questions: list[MaskQuery] = []
        for number in members:
            one = tried[number]
            filling = list(base)
            for mask, piece in zip(one.masks, one.ids, strict=True):
                questions.append(MaskQuery(tuple(filling), (mask,)))
                filling[mask] = piece
        rows = iter(reader.read(questions))
        for number in members:
            one = tried[number]
            own = [next(rows)[0] for _ in one.ids]
            scores[number] = _score(model, one, own)
    return tuple(scores)


def _base(reader: Reader, first: int) -> list[int | None]:
    """Every mask open; where the model reads from the left, its best guesses before the gap."""
    filling: list[int | None] = [None] * reader.masks
    if reader.from_left:
        for mask in range(first):
            filling[mask] = int(reader.read([MaskQuery(tuple(filling), (mask,))])[0][0].argmax())
    return filling


def _score(model: LoadedModel, one: TriedWord, rows: Sequence[Any]) -> WordScore:
    assert one.encoded is not None
    pieces = []
    logs = []
    rest = []
    for mask, piece, row in zip(one.masks, one.ids, rows, strict=True):
        value = row[piece]
        logs.append(float(value))
        rest.append(others(row, piece))
        position = one.encoded.mask_positions[mask]
        pieces.append(
            prediction_of(
                model,
                piece,
                math.exp(logs[-1]),
                rank_of(row, piece),
                unspaced=begins_unspaced(one.encoded.tokens, position),
            )
        )
    return WordScore(
        one.word,
        tuple(pieces),
        sum(logs),
        log_odds(logs, rest),
        pieces[0].rank if len(pieces) == 1 else None,
    )


def _favourite(
    model: LoadedModel, document: Document, gap: tuple[int, int, int], context: Context
) -> Prediction | None:
    """The most probable piece where one mask stands in a gap."""
    start, end, part = gap
    one = document.with_words(start, end, MASK_LITERAL, part)
    encoded = model.encode(one.text, one.pair, one.masks)
    place = next(
        (
            number
            for number, position in enumerate(encoded.mask_positions)
            if encoded.tokens[position].start == start and encoded.tokens[position].part == part
        ),
        None,
    )
    if place is None:
        return None
    position = encoded.mask_positions[place]
    row = rows_at_masks(model.port(Predictor), encoded, context, (position,))[0]
    best = int(row.argmax())
    unspaced = begins_unspaced(encoded.tokens, position)
    return prediction_of(model, best, math.exp(float(row[best])), 1, unspaced=unspaced)


def score_spans(
    model: LoadedModel, encoded: Encoded, request: CandidateWordsRequest, context: Context
) -> CandidateWordsResult:
    """Score every word at every mask."""
    predictor = model.port(SpanPredictor)
    document = Document(request.text, request.pair, request.masks)
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
        method=Phrase(METHOD_OF_SPANS, who=predictor.who),
        left_out=encoded.left_out,
        note=Phrase(SEVERAL_SPANS, who=predictor.who) if len(gaps) > 1 else NOTHING,
    )


@dataclass(frozen=True)
class _Gap:
    """One mask, after the spans that stand before it."""

    model: LoadedModel
    predictor: SpanPredictor
    encoded: Encoded
    written: tuple[tuple[int, ...], ...]
    context: Context

    def score(self, document: Document, place: tuple[int, int, int], word: str) -> WordScore:
        """A word with the pieces that it has in this place of the text."""
        start, _end, part = place
        changed = with_word(document, place, word, lone_space=True)
        encoded = self.model.encode(changed.text, changed.pair, changed.masks)
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
                    N_("Next to its neighbours “{word}” is split into other tokens."), word=word
                ),
            )
        if self.model.tokenizer.unk_token_id in found:
            return WordScore(
                word, problem=Phrase(N_("This vocabulary has no pieces for “{word}”."), word=word)
            )
        return self.scored(word, found)

    def scored(self, word: str, ids: tuple[int, ...]) -> WordScore:
        """A word of given pieces."""
        rows, end = self.predictor.piece_rows(self.encoded, self.written, ids, self.context)
        logs = [float(row[piece]) for row, piece in zip(rows, ids, strict=True)]
        rest = [others(row, piece) for row, piece in zip(rows, ids, strict=True)]
        pieces = tuple(
            prediction_of(self.model, piece, math.exp(log), rank_of(row, piece))
            for row, piece, log in zip(rows, ids, logs, strict=True)
        )
        logs.append(end)
        rest.append(max(0.0, -math.expm1(end)))
        return WordScore(word, pieces, sum(logs), log_odds(logs, rest))


def with_word(
    document: Document, gap: tuple[int, int, int], word: str, *, lone_space: bool
) -> Document:
    """A text with a word in the place of a gap (start, end, part), and the word masked."""
    start, end, part = gap
    changed = document.with_words(start, end, word, part)
    return changed.with_mask(start, start + len(word), part, letters=not lone_space)


def others(row: Any, piece: int) -> float:
    """The probability of all other pieces together, exact where the piece's own is nearly 1."""
    rest = row.cpu().double().clone()
    rest[piece] = float("-inf")
    return float(rest.exp().sum())


def log_odds(logs: Sequence[float], rest: Sequence[float]) -> float:
    """ln(p / (1 - p)) of a product of probabilities, in nats.

    Args:
        logs: The logarithm of each probability.
        rest: One minus each probability, which the logarithm is too coarse for near 1.
    """
    exact = sum(
        math.log1p(-left) if left < 0.5 else log for log, left in zip(logs, rest, strict=True)
    )
    return sum(logs) - math.log(max(-math.expm1(exact), 1e-300))


def with_places(scores: Sequence[WordScore]) -> tuple[WordScore, ...]:
    """Scores with their places among each other; equal ones share a place."""
    values = [one.log_probability for one in scores if one.log_probability is not None]
    return tuple(
        one
        if one.log_probability is None
        else replace(one, place=1 + sum(value > one.log_probability for value in values))
        for one in scores
    )


def run(model: Any, request: CandidateWordsRequest, context: Context) -> CandidateWordsResult:
    """Score every word in every gap.

    Raises:
        Unavailable: The model has no head that predicts tokens.
        UserMistake: The text is empty, nothing is masked, or there are no words or too many.
        Cancelled: The run was cancelled; checked before every layer.
    """
    predictor = model.port(Predictor)
    check(request)
    encoded = masked_input(model, request, context)
    if predictor.direction is Direction.SPANS:
        return score_spans(model, encoded, request, context)
    return score(model, encoded, request, context)
