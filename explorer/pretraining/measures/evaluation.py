"""A masked language model beside the exact floor of its loss, on the world's withheld sentences.

The floor is stated for word pieces of withheld sentences (see `explorer.world.corpus`), in
two ways of masking:

* one: one piece of a document is masked and everything else is seen;
* 15 %: that share of the document's pieces is masked, and each is predicted from what is left.

How places are drawn is in `explorer.learning.measured.places`, what is computed at them in
`explorer.learning.measured.floors`. What really stands at the places is one more draw: `standing`
asks about that alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.learning.measured.floors import Report, compare, standard_error
from explorer.learning.measured.places import EvaluatedPiece
from explorer.learning.measured.predictions import predict
from explorer.objectives.pairs.next_sentence import SentencePair, draw_pair, lay_out
from explorer.objectives.pairs.sentence_order import draw_ordered_pair
from explorer.world.corpus import CorpusDocument


def report(model: Any, tokenizer: Any, places: Sequence[EvaluatedPiece]) -> Report:
    """The model beside the floor."""
    return compare(tokenizer, places, predict(model, tokenizer, places))


def standing(tokenizer: Any, places: Sequence[EvaluatedPiece], logs: NDArray[np.float64]) -> Report:
    """The same of the pieces that really stand there, and not of all that could.

    The floor is what the exact distribution itself loses on them. On few places a model may be
    below it, by luck.
    """
    numbers = tokenizer.convert_tokens_to_ids([place.truth for place in places])
    losses = -logs[np.arange(len(places)), numbers]
    best = [max(place.exact, key=place.exact.__getitem__) for place in places]
    return Report(
        places=len(places),
        loss=float(losses.mean()),
        floor=-math.fsum(math.log(place.exact[place.truth]) for place in places) / len(places),
        accuracy=float((logs.argmax(axis=1) == numbers).mean()),
        best_accuracy=sum(piece == place.truth for piece, place in zip(best, places, strict=True))
        / len(places),
        loss_error=standard_error(losses),
    )


def pair_accuracy(
    model: Any,
    tokenizer: Any,
    documents: Sequence[CorpusDocument],
    draw: Callable[[list[list[int]]], SentencePair],
    logits: str,
) -> float:
    """Share of pairs whose order head is right; pairs as in training, documents unseen.

    Args:
        model: has a head for pairs.
        tokenizer: its tokenizer.
        documents: those of one sentence are left out.
        draw: makes a pair of the numbered sentences of a document.
        logits: what the model calls its head's answer.
    """
    import torch

    right: list[bool] = []
    for document in documents:
        if len(document.sentences) < 2:
            continue
        pair = draw(tokenizer(list(document.sentences), add_special_tokens=False)["input_ids"])
        laid = lay_out(pair, tokenizer.cls_token_id, tokenizer.sep_token_id)
        with torch.inference_mode():
            output = model(
                input_ids=torch.from_numpy(laid.tokens)[None],
                token_type_ids=torch.from_numpy(laid.segments)[None],
            )
        right.append(int(output[logits][0].argmax()) == pair.label)
    return sum(right) / len(right)


def next_sentence_accuracy(
    model: Any, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
) -> float:
    """Share of pairs, half of them from two documents, that are told right."""
    rng = np.random.default_rng(seed)
    numbered = [
        tokenizer(list(document.sentences), add_special_tokens=False)["input_ids"]
        for document in documents
    ]

    def draw(sentences: list[list[int]]) -> SentencePair:
        return draw_pair(sentences, numbered[int(rng.integers(len(numbered)))], rng)

    return pair_accuracy(model, tokenizer, documents, draw, "seq_relationship_logits")


def sentence_order_accuracy(
    model: Any, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
) -> float:
    """Share of pairs, half of them swapped, whose order is told right."""
    rng = np.random.default_rng(seed)

    def draw(sentences: list[list[int]]) -> SentencePair:
        return draw_ordered_pair(sentences, rng)

    return pair_accuracy(model, tokenizer, documents, draw, "sop_logits")


def fill(model: Any, tokenizer: Any, text: str, count: int = 5) -> list[list[tuple[str, float]]]:
    """The likeliest pieces for each [MASK] of a text, with their probabilities."""
    import torch

    encoded = tokenizer(text, return_tensors="pt")
    with torch.inference_mode():
        output = model(**encoded)
    scores = getattr(output, "prediction_logits", None)
    scores = output.logits if scores is None else scores
    places = encoded["input_ids"][0] == tokenizer.mask_token_id
    best = torch.softmax(scores[0, places], dim=-1).topk(count)
    return [
        [
            (tokenizer.convert_ids_to_tokens(int(number)), float(p))
            for p, number in zip(ps, numbers, strict=True)
        ]
        for ps, numbers in zip(best.values, best.indices, strict=True)
    ]
