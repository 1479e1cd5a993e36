"""The card of the miniature that reads English and Korean (XLM)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.learning.batches.translations import ENGLISH, KOREAN
from explorer.learning.measured.floors import compare, standard_error, with_error
from explorer.learning.measured.places import EvaluatedPiece, draw_places
from explorer.learning.tokenizers.word_bpe import WORD_END, words_of
from explorer.objectives.masking.translation_language_model import lay_parallel
from explorer.pretraining.cards.page import (
    EVALUATION_SEED,
    FamilyCard,
    MiniaturePage,
    beside_the_floor,
    said,
)
from explorer.world.corpus import CLOSING, SENTENCE_ENDS, CorpusDocument, held_out_documents
from explorer.world.exact.inside import ExactReader
from explorer.world.korean.text import korean
from explorer.world.language.spelling import SpelledGrammar
from explorer.world.scenes import small_world

UNSEEN: Final = 500
# Text, its language, and its translation where there is one.
EXAMPLES: Final = (
    ("The chef cooked the [MASK] in the kitchen.", ENGLISH, ""),
    ("I hated the movie that I watched yesterday. The movie was [MASK].", ENGLISH, ""),
    ("요리사는 [MASK] 식사를 요리했다.", KOREAN, ""),
    ("나는 어제 본 영화를 좋아했다. 영화는 [MASK].", KOREAN, ""),
    ("The gardener planted the [MASK].", ENGLISH, ""),
    ("The gardener planted the [MASK].", ENGLISH, "정원사는 장미를 심었다."),
    ("The gardener planted the [MASK].", ENGLISH, "정원사는 나무를 심었다."),
    ("정원사는 [MASK] 심었다.", KOREAN, "The gardener planted the flower."),
)

MEASURED: Final = """Only documents that are told in Korean too are asked about: {places} of
them. The floor is exact for English alone: because the grammar is known, so is the distribution of
every masked piece given the rest. The translation tells what English leaves open, so with it the
loss may fall below that floor. Losses are nats per masked piece; "right" is how often the likeliest
piece is the true one.

| one English piece masked | loss | right |
|---|---|---|
| floor, from the English text | {floor:.3f} | {best:.1%} |
| the English text alone | {alone} | {alone_right:.1%} |
| beside its translation | {beside} | {beside_right:.1%} |
| one Korean piece masked, the Korean text alone | {korean} | {korean_right:.1%} |
| one Korean piece masked, beside its translation | {paired} | {paired_right:.1%} |"""


def pieces_of(tokenizer: Any, text: str) -> list[str]:
    """The pieces of a text whose words are parted by spaces and marks alone."""
    return [piece for word in words_of(text) for piece in tokenizer.bpe(word).split()]


def english_reader(tokenizer: Any) -> ExactReader:
    """Reads the grammar in XLM's pieces; they know capitals but no spaces."""
    return ExactReader(
        SpelledGrammar(small_world()), lambda surface: tuple(pieces_of(tokenizer, surface))
    )


def draw_pairs(
    tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
) -> list[tuple[EvaluatedPiece, list[str]]]:
    """A masked English place and the Korean pieces, for documents that have both.

    A masked first piece of a sentence is left out: a text does not always tell if it has capitals.
    """
    pairs: list[tuple[EvaluatedPiece, list[str]]] = []
    told = [(document, korean(document)) for document in documents]
    both = [(document, text) for document, text in told if text is not None]
    places = draw_places(english_reader(tokenizer), [document for document, _ in both], seed)
    ends = {mark + WORD_END for mark in SENTENCE_ENDS}
    for place, (_, text) in zip(places, both, strict=True):
        if place.position and place.pieces[place.position - 1] not in ends:
            pairs.append((place, pieces_of(tokenizer, text)))
    return pairs


def predict_masked(
    model: Any,
    tokenizer: Any,
    rows: Sequence[tuple[Sequence[tuple[Sequence[str | None], int]], int]],
) -> NDArray[np.float64]:
    """Log-probabilities at one masked place of each row, shape [rows, vocabulary].

    Args:
        model: the XLM.
        tokenizer: its tokenizer.
        rows: the texts of each row with their languages (None where masked), and the place that is
            asked for, counted in the first text.
    """
    import torch

    found: list[NDArray[np.float64]] = []
    for texts, place in rows:
        numbers = [
            tokenizer.convert_tokens_to_ids([p or tokenizer.mask_token for p in pieces])
            for pieces, _ in texts
        ]
        laid = lay_parallel(
            numbers,
            [language for _, language in texts],
            tokenizer.bos_token_id,
            tokenizer.sep_token_id,
        )
        with torch.inference_mode():
            output = model(
                input_ids=torch.from_numpy(laid.tokens)[None],
                position_ids=torch.from_numpy(laid.positions)[None],
                langs=torch.from_numpy(laid.languages)[None],
            )
        scores = output.logits[0, place + 1].double()
        found.append(torch.log_softmax(scores, dim=-1).numpy())
    return np.stack(found)


def translation_page(card: FamilyCard, model: Any, tokenizer: Any) -> MiniaturePage:
    """Measure the model and say what came of it."""
    pairs = draw_pairs(tokenizer, held_out_documents(UNSEEN), EVALUATION_SEED)
    places = [place for place, _ in pairs]
    alone = compare(
        tokenizer,
        places,
        predict_masked(model, tokenizer, [([(p.pieces, ENGLISH)], p.position) for p in places]),
    )
    # Beside the translation the truth itself is asked for: there is no exact distribution.
    beside = _at_truth(
        tokenizer,
        [place.truth for place in places],
        predict_masked(
            model,
            tokenizer,
            [([(p.pieces, ENGLISH), (told, KOREAN)], p.position) for p, told in pairs],
        ),
    )
    masked = [_masked_korean(told, place, number) for number, (place, told) in enumerate(pairs)]
    truths = [truth for _, _, truth, _ in masked]
    korean_alone = _at_truth(
        tokenizer,
        truths,
        predict_masked(
            model, tokenizer, [([(told, KOREAN)], place) for told, place, _, _ in masked]
        ),
    )
    korean_beside = _at_truth(
        tokenizer,
        truths,
        predict_masked(
            model,
            tokenizer,
            [([(told, KOREAN), (text, ENGLISH)], place) for told, place, _, text in masked],
        ),
    )
    config = model.config
    size = f"{config.n_layers} layers, {config.emb_dim} wide, {config.n_heads} heads"
    pieces = f"{card.tokenizer}, {config.vocab_size} pieces"
    return beside_the_floor(
        "fill-mask",
        (
            (
                "Architecture",
                f"{size}, {config.max_position_embeddings} positions, 2 language embeddings",
            ),
            ("Tokenizer", pieces),
            *card.rows,
        ),
        UNSEEN,
        MEASURED.format(
            places=len(places),
            floor=alone.floor,
            best=alone.best_accuracy,
            alone=alone.told_loss,
            alone_right=alone.accuracy,
            beside=beside[0],
            beside_right=beside[1],
            korean=korean_alone[0],
            korean_right=korean_alone[1],
            paired=korean_beside[0],
            paired_right=korean_beside[1],
        ),
        [_line(model, tokenizer, *example) for example in EXAMPLES],
        language="[en, ko]",
    )


def _at_truth(
    tokenizer: Any, truths: Sequence[str], logs: NDArray[np.float64]
) -> tuple[str, float]:
    """Mean loss of what stood there, with its error, and how often it was the likeliest."""
    numbers = np.array(tokenizer.convert_tokens_to_ids(list(truths)))
    losses = -logs[np.arange(len(numbers)), numbers]
    told = with_error(float(losses.mean()), standard_error(losses))
    return told, float((logs.argmax(axis=1) == numbers).mean())


def _masked_korean(
    told: Sequence[str], place: EvaluatedPiece, number: int
) -> tuple[list[str | None], int, str, list[str]]:
    """A Korean text with one piece masked, which one, what it was, and the whole English text."""
    marks = {mark + WORD_END for mark in CLOSING}
    allowed = [i for i, piece in enumerate(told) if piece not in marks]
    asked = allowed[np.random.default_rng((EVALUATION_SEED, number)).integers(len(allowed))]
    masked: list[str | None] = list(told)
    masked[asked] = None
    whole = [place.truth if piece is None else piece for piece in place.pieces]
    return masked, asked, told[asked], whole


def _line(model: Any, tokenizer: Any, text: str, language: int, translation: str) -> str:
    before, _, behind = text.partition("[MASK]")
    first = [*pieces_of(tokenizer, before), None, *pieces_of(tokenizer, behind)]
    texts: list[tuple[Sequence[str | None], int]] = [(first, language)]
    if translation:
        texts.append((pieces_of(tokenizer, translation), 1 - language))
    (row,) = predict_masked(model, tokenizer, [(texts, first.index(None))])
    best = np.argsort(-row)[:5]
    found = [
        (piece.removesuffix(WORD_END), float(np.exp(row[number])))
        for number, piece in zip(best, tokenizer.convert_ids_to_tokens(best.tolist()), strict=True)
    ]
    return said(f"{text} | {translation}" if translation else text, found)
