"""How well a model that reads from the left predicts the next piece, beside the exact floor.

The floor is exact as for masked models: the distribution of the next piece, given everything before
it, is the grammar's with an open end (`ExactReader.posterior`). Asked are places inside withheld
sentences, but no first piece of a sentence.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, Final

from explorer.learning.measured.places import EvaluatedPiece, reads
from explorer.world.corpus import CLOSING, CorpusDocument
from explorer.world.exact.inside import ExactReader
from explorer.world.language.spelling import SpelledGrammar

# As `spelling.as_typed` draws it.
CLOSE: Final = 0.75


def draw_next_places(
    reader: ExactReader, documents: Iterable[CorpusDocument], seed: int, space: str = ""
) -> list[EvaluatedPiece]:
    """Cut each document before one piece of a withheld sentence.

    Args:
        reader: its units are the model's pieces.
        documents: documents that hold a withheld sentence.
        seed: seed of the choice of places.
        space: for models that tell spellings apart, the sign of a space: until a text has shown
            how it writes marks, one in four texts puts a space before them.
    """
    rng = random.Random(seed)  # noqa: S311
    spelled = isinstance(reader.grammar, SpelledGrammar)
    places: list[EvaluatedPiece] = []
    for document in documents:
        pieces: list[str] = []
        allowed: list[int] = []
        for withheld, read in reads(reader, document):
            if withheld:
                allowed += range(len(pieces) + 1, len(pieces) + len(read))
            pieces += read
        position = rng.choice(allowed)
        before = pieces[:position]
        exact = reader.posterior((*before, None), position, open_end=True)
        if spelled and CLOSING.isdisjoint(before):
            exact = _both_spellings(exact, space)
        places.append(EvaluatedPiece((*before, None), position, pieces[position], exact))
    return places


def _both_spellings(exact: dict[str, float], space: str) -> dict[str, float]:
    both: dict[str, float] = {}
    for piece, p in exact.items():
        if piece in CLOSING:
            both[piece] = CLOSE * p
            both[space + piece] = (1.0 - CLOSE) * p
        else:
            both[piece] = p
    return both


def say_next(model: Any, tokenizer: Any, text: str, count: int = 5) -> list[tuple[str, float]]:
    """The likeliest pieces behind a text, with their probabilities."""
    import torch

    tokens = torch.tensor([tokenizer(text)["input_ids"]])
    with torch.inference_mode():
        scores = model(input_ids=tokens).logits[0, -1]
    best = torch.softmax(scores, dim=-1).topk(count)
    pieces = tokenizer.convert_ids_to_tokens(best.indices.tolist())
    return list(zip(pieces, best.values.tolist(), strict=True))


def go_on(model: Any, tokenizer: Any, text: str, pieces: int = 24) -> str:
    """A text and what the model writes behind it, always taking the likeliest piece."""
    import torch

    tokens = list(tokenizer(text)["input_ids"])
    with torch.inference_mode():
        for _ in range(pieces):
            scores = model(input_ids=torch.tensor([tokens])).logits[0, -1]
            best = int(scores.argmax())
            if best == tokenizer.eos_token_id:
                break
            tokens.append(best)
    return str(tokenizer.decode(tokens))
