"""The card of the miniature that fills sentinels with spans (T5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from explorer.learning.measured.floors import compare
from explorer.learning.measured.places import EvaluatedPiece, draw_places
from explorer.learning.measured.spans import predict_single
from explorer.pretraining.cards.masked import EXAMPLES
from explorer.pretraining.cards.page import (
    EVALUATION_SEED,
    FamilyCard,
    MiniaturePage,
    beside_the_floor,
    said,
)
from explorer.world.corpus import CLOSING, SENTENCE_ENDS, held_out_documents
from explorer.world.exact.readers import spelled_reader

UNSEEN: Final = 300
LONGEST: Final = 10

MEASURED: Final = """One piece of each is hidden by a sentinel. T5 may write spans of any length
there; its probabilities of the single pieces that the grammar allows at that place are compared
with their exact ones, both summing to 1. Losses are nats; "right" is how often the span that it
writes, piece by likeliest piece, is the true one and nothing more, beside how often that could be
at best.

| asked | loss | floor | right | best possible |
|---|---|---|---|---|
| one piece | {loss} | {floor:.3f} | {accuracy:.1%} | {best:.1%} |

Of all probability {single:.1%} is on spans that fit as a single piece; the rest is on others, most
of them longer."""


def draw_span_places(tokenizer: Any, count: int, seed: int) -> list[EvaluatedPiece]:
    """One hidden piece in each unseen document, where its spelling leaves no choice."""
    places = draw_places(spelled_reader(tokenizer.tokenize), held_out_documents(count), seed)
    return [
        place
        for place in places
        if place.truth not in CLOSING
        and place.position
        and place.pieces[place.position - 1] not in SENTENCE_ENDS
    ]


def share_right(model: Any, tokenizer: Any, places: Sequence[EvaluatedPiece]) -> float:
    """How often the span that T5 writes, piece by likeliest piece, is the hidden piece."""
    import torch

    first = tokenizer.convert_tokens_to_ids("<extra_id_0>")
    right: list[float] = []
    for place in places:
        pieces = [tokenizer.convert_tokens_to_ids(p) if p else first for p in place.pieces]
        inputs = torch.tensor([[*pieces, tokenizer.eos_token_id]])
        with torch.inference_mode():
            written = model.generate(inputs, max_new_tokens=4, do_sample=False)[0].tolist()
        start, sentinel, piece, *rest = tokenizer.convert_ids_to_tokens(written)
        alone = sentinel == "<extra_id_0>" and rest[:1] == ["<extra_id_1>"]
        right.append(place.exact.get(piece, 0.0) if alone and start == "<pad>" else 0.0)
    return math.fsum(right) / len(right)


def fill_spans(model: Any, tokenizer: Any, text: str, count: int = 5) -> list[tuple[str, float]]:
    """The likeliest spans for the one [MASK] of a text, with their probabilities."""
    import torch

    encoded = tokenizer(text.replace("[MASK]", "<extra_id_0>"), return_tensors="pt")
    with torch.inference_mode():
        found = model.generate(
            **encoded,
            num_beams=2 * count,
            num_return_sequences=count,
            max_new_tokens=LONGEST,
            length_penalty=0.0,
            return_dict_in_generate=True,
            output_scores=True,
        )
    answers: list[tuple[str, float]] = []
    for sequence, score in zip(found.sequences, found.sequences_scores, strict=True):
        written = tokenizer.decode(sequence)
        span = written.partition("<extra_id_0>")[2].partition("<extra_id_1>")[0]
        answers.append((span.strip(), math.exp(float(score))))
    return answers


def span_page(card: FamilyCard, model: Any, tokenizer: Any) -> MiniaturePage:
    """Measure the model and say what came of it."""
    places = draw_span_places(tokenizer, UNSEEN, EVALUATION_SEED)
    logs, single = predict_single(model, tokenizer, places)
    found = compare(tokenizer, places, logs)
    config = model.config
    size = (
        f"{config.num_layers} + {config.num_decoder_layers} layers, {config.d_model} wide,"
        f" {config.num_heads} heads, relative positions"
    )
    pieces = f"{card.tokenizer}, {config.vocab_size} pieces"
    return beside_the_floor(
        "text2text-generation",
        (("Architecture", size), ("Tokenizer", pieces), *card.rows),
        UNSEEN,
        MEASURED.format(
            loss=found.told_loss,
            floor=found.floor,
            accuracy=share_right(model, tokenizer, places),
            best=found.best_accuracy,
            single=single,
        ),
        [
            said(text, fill_spans(model, tokenizer, text))
            for text in EXAMPLES
            if text.count("[MASK]") == 1
        ],
    )
