"""The masks that training draws on one sentence, and the loss at each of them."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.api.question import (
    BidirectionalPredictor,
    Context,
    Direction,
    Encoded,
    LoadedModel,
    Query,
    Token,
    UserMistake,
)
from explorer.hf.predict.predictions import prediction_of
from explorer.hf.predict.rows import in_blocks, part_of
from explorer.hf.text.vocabularies.pieces import special_pieces
from explorer.objectives import IGNORED
from explorer.objectives.masking.knowledge_masking import BASIC, choose_units
from explorer.objectives.masking.masked_language_model import (
    MaskedText,
    MaskingPolicy,
    Tokens,
    mask_text,
    replace_tokens,
)
from explorer.objectives.masking.ngram_masking import ngram_lengths
from explorer.objectives.masking.span_masking import (
    Range,
    budget,
    choose_spans,
    geometric_lengths,
    replace_ranges,
)
from explorer.questions.masking.masking_policy.question import (
    Draw,
    MaskingPolicyRequest,
    MaskingPolicyResult,
    Policy,
    SelectedToken,
    TokenFate,
    check,
)
from explorer.questions.masking.surprises import TokenSurprisal, surprises_of, word_numbers
from explorer.text import N_, Phrase

TEXT = 0
"""The number of the text in the corpus: here there is one."""


def draw_masks(
    model: LoadedModel, request: MaskingPolicyRequest, context: Context
) -> MaskingPolicyResult:
    """Draw one mask an epoch and read its losses.

    Raises:
        Unavailable: The model was trained without masks.
        UserMistake: The text has no token that may be chosen.
        Cancelled: The run was cancelled; checked before every layer.
    """
    predictor = model.port(BidirectionalPredictor)
    notes = []
    if predictor.direction is Direction.SPANS:
        request = replace(request, masked=1.0, random=0.0)
        notes.append(
            Phrase(
                N_("{who} hides every chosen token: none is kept, none is replaced."),
                who=predictor.who,
            )
        )
    encoded = model.encode(request.text, request.pair)
    candidates = candidates_of(encoded.tokens)
    if not candidates:
        raise UserMistake(N_("There is no token that could be masked."), N_("Type some words."))
    masked = [masked_text(model, encoded.tokens, request, epoch) for epoch in range(request.epochs)]
    draws = _read(model, encoded, masked, context)
    if any(token.masked for token in encoded.tokens):
        notes.append(Phrase(N_("A typed [MASK] is never chosen.")))
    return MaskingPolicyResult(
        model.stamp, encoded.tokens, candidates, draws, encoded.left_out, Phrase.joined(notes)
    )


def candidates_of(tokens: Sequence[Token]) -> tuple[int, ...]:
    """Positions that may be chosen."""
    return tuple(
        i for i, token in enumerate(tokens) if not (token.special or token.masked or token.reserved)
    )


def masked_text(
    model: LoadedModel, tokens: Sequence[Token], request: MaskingPolicyRequest, epoch: int
) -> MaskedText:
    """What training would show the model in one epoch."""
    policy = MaskingPolicy(request.selected, request.masked, request.random)
    generator = policy.generator(request.seed, TEXT, epoch)
    ids: Tokens = np.array([token.id for token in tokens], dtype=np.int64)
    mask = model.port(BidirectionalPredictor).mask_id
    ordinary = ordinary_tokens(model)
    candidates = candidates_of(tokens)
    if request.policy is Policy.TOKENS:
        allowed = np.zeros(len(ids), dtype=np.bool_)
        allowed[list(candidates)] = True
        return mask_text(ids, allowed, ordinary, mask, policy, generator)
    words = words_of(tokens, candidates)
    room = budget(len(candidates), policy)
    if request.policy is Policy.SPANS:
        spans = choose_spans(words, room, geometric_lengths(), generator)
        return replace_ranges(ids, spans, ordinary, mask, policy, generator)
    if request.policy is Policy.NGRAMS:
        ranges = choose_spans(words, room, ngram_lengths(), generator)
    else:
        ranges = choose_units({BASIC: words}, room, generator)
    chosen = np.array([i for start, end in sorted(ranges) for i in range(start, end)], np.int64)
    return replace_tokens(ids, chosen, ordinary, mask, policy, generator)


def words_of(tokens: Sequence[Token], candidates: Sequence[int]) -> list[Range]:
    """The tokens of each word, from left to right."""
    numbers = word_numbers(tokens)
    words: list[Range] = []
    for _, places in itertools.groupby(candidates, key=lambda i: numbers[i]):
        together = list(places)
        words.append((together[0], together[-1] + 1))
    return words


def ordinary_tokens(model: LoadedModel) -> Tokens:
    """The pieces a random replacement is drawn from: all but special ones."""
    rows = int(model.config.vocab_size)
    special = special_pieces(model.tokenizer)
    vocabulary: dict[str, int] = model.tokenizer.get_vocab()
    kept = sorted(n for piece, n in vocabulary.items() if n < rows and piece not in special)
    return np.array(kept, dtype=np.int64)


def _read(
    model: LoadedModel, encoded: Encoded, masked: Sequence[MaskedText], context: Context
) -> tuple[Draw, ...]:
    """Losses of every draw."""
    predictor = model.port(BidirectionalPredictor)
    ids = encoded.input_ids[0].tolist()
    queries = []
    for one in masked:
        seen = one.inputs.tolist()
        changed = {
            at: None if piece == predictor.mask_id else piece
            for at, piece in enumerate(seen)
            if piece != ids[at]
        }
        asked = tuple(np.flatnonzero(one.labels != IGNORED).tolist())
        queries.append(Query(encoded, asked, changed))
    draws: list[Draw] = []
    for block in in_blocks([len(query.asked) for query in queries], model, context):
        part = part_of(context, N_("predicting the masks"), block.start, len(queries))
        found = predictor.log_probabilities(queries[block], part)
        for one, query, rows in zip(masked[block], queries[block], found, strict=True):
            surprises = surprises_of(model, rows, [encoded.tokens] * len(rows), query.asked, 1)
            chosen = tuple(_chosen(model, one, surprise) for surprise in surprises)
            draws.append(Draw(chosen, math.fsum(c.loss for c in chosen) / len(chosen)))
    return tuple(draws)


def _chosen(model: LoadedModel, masked: MaskedText, one: TokenSurprisal) -> SelectedToken:
    seen, was = int(masked.inputs[one.position]), int(masked.labels[one.position])
    mask = model.port(BidirectionalPredictor).mask_id
    fate = (
        TokenFate.MASKED
        if seen == mask
        else TokenFate.UNCHANGED
        if seen == was
        else TokenFate.RANDOM
    )
    return SelectedToken(
        one.position,
        fate,
        prediction_of(model, seen, 0.0, 0),
        max(0.0, one.nats),
        one.rank,
        one.predictions[0],
    )


def run(model: Any, request: MaskingPolicyRequest, context: Context) -> MaskingPolicyResult:
    """Draw the masks as training does, and let the model predict them.

    Raises:
        Unavailable: The model has no masked-LM head.
        UserMistake: There is no text, or the shares make no sense.
        Cancelled: The run was cancelled; checked before every layer.
    """
    check(request)
    context.check()
    return draw_masks(model, request, context)
