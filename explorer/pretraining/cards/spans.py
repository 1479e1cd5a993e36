"""The card of the miniature that fills sentinels with spans (T5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.pretraining.cards.masked import EXAMPLES
from explorer.pretraining.cards.page import (
    EVALUATION_SEED,
    FamilyCard,
    MiniaturePage,
    beside_the_floor,
    said,
)
from explorer.pretraining.measures.evaluation import EvaluatedPiece, compare, draw_places
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


def predict_single(
    model: Any, tokenizer: Any, places: Sequence[EvaluatedPiece]
) -> tuple[NDArray[np.float64], float]:
    """How T5 shares its probability among the single pieces that can stand at a place.

    The probability of a span of one piece is that of the piece behind the first sentinel times that
    of the second sentinel behind both.

    Returns:
        Log-probabilities, shape [places, vocabulary], -inf at all other pieces; and the mean
        probability of all such spans together.
    """
    import torch

    first, second = tokenizer.convert_tokens_to_ids(["<extra_id_0>", "<extra_id_1>"])
    start = model.config.decoder_start_token_id
    rows: list[NDArray[np.float64]] = []
    shares: list[float] = []
    for place in places:
        pieces = [tokenizer.convert_tokens_to_ids(p) if p else first for p in place.pieces]
        candidates = tokenizer.convert_tokens_to_ids(list(place.exact))
        inputs = torch.tensor([[*pieces, tokenizer.eos_token_id]])
        written = torch.tensor([[start, first, number] for number in candidates])
        with torch.inference_mode():
            encoded = model.get_encoder()(input_ids=inputs)
            encoded.last_hidden_state = encoded.last_hidden_state.expand(len(candidates), -1, -1)
            scores = model(encoder_outputs=encoded, decoder_input_ids=written).logits.double()
        logs = torch.log_softmax(scores, dim=-1)
        chosen = logs[torch.arange(len(candidates)), 1, torch.tensor(candidates)]
        spans = (chosen + logs[:, 2, second]).numpy()
        total = float(np.logaddexp.reduce(spans))
        shares.append(math.exp(total))
        row = np.full(scores.shape[-1], -np.inf)
        row[candidates] = spans - total
        rows.append(row)
    return np.stack(rows), math.fsum(shares) / len(shares)


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
