"""A masked language model beside the best there can be: the exact floor of its loss.

The floor is stated for word pieces of withheld sentences (see `explorer.world.corpus`), in
two ways of masking:

* one: one piece of a document is masked and everything else is seen;
* 15 %: that share of the document's pieces is masked, and each is predicted from what is left.

In both every masked piece is [MASK] (no random or unchanged ones), and the model sees the document
as one segment. For each masked piece the grammar gives the exact distribution p of what stood
there, given what is seen (`ExactReader.posterior`: a sum over all derivations that agree with it).
Nothing can predict better than p on texts of the grammar, so

* floor = H(p), averaged over the masked pieces;
* loss = cross-entropy of the model's softmax q under p, averaged over the same pieces; and
  loss - floor = KL(p, q) >= 0 is what the model has left to learn;
* best accuracy = the average of max p, accuracy = the average of p(argmax q).

All four are expectations under p, exact for the sampled places; only the choice of places is a
sample, and `loss_error` is the standard error that comes of it. What really stands at the places is
one more draw: `standing` asks about that alone.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.objectives.pairs.next_sentence import SentencePair, draw_pair, lay_out
from explorer.objectives.pairs.sentence_order import draw_ordered_pair
from explorer.world.corpus import CorpusDocument, is_withheld
from explorer.world.exact.inside import ExactReader
from explorer.world.language.spelling import SpelledGrammar, surfaces


@dataclass(frozen=True, slots=True)
class EvaluatedPiece:
    """One masked piece.

    Attributes:
        pieces: the document's word pieces; None where masked.
        position: which of the masked pieces is asked for.
        truth: what stood there.
        exact: its distribution given the rest, in the model's pieces; sums to 1.
    """

    pieces: tuple[str | None, ...]
    position: int
    truth: str
    exact: dict[str, float]

    @property
    def entropy(self) -> float:
        """H(p) in nats."""
        return -math.fsum(p * math.log(p) for p in self.exact.values() if p > 0.0)


@dataclass(frozen=True, slots=True)
class Report:
    """Averages over the places; losses in nats per masked piece.

    Attributes:
        places: how many, each from a document of its own.
        loss: the model's.
        floor: the least there can be.
        accuracy: how often the model's likeliest piece is the true one.
        best_accuracy: how often that could be at best.
        loss_error: standard error of the loss.
    """

    places: int
    loss: float
    floor: float
    accuracy: float
    best_accuracy: float
    loss_error: float

    @property
    def told_loss(self) -> str:
        """The loss as a card says it, with its standard error."""
        return with_error(self.loss, self.loss_error)


def with_error(mean: float, error: float) -> str:
    """A mean and its standard error, to the digits that cards have."""
    return f"{mean:.3f} ± {error:.3f}"


def standard_error(values: Sequence[float] | NDArray[np.float64]) -> float:
    """Of the mean of values, each from a document of its own; not a number where there is one."""
    if len(values) < 2:
        return math.nan
    return float(np.std(values, ddof=1)) / math.sqrt(len(values))


def reads(reader: ExactReader, document: CorpusDocument) -> Iterator[tuple[bool, list[str]]]:
    """The pieces of each sentence of a document, and whether it is withheld from training."""
    spelled = isinstance(reader.grammar, SpelledGrammar)
    for sentence, shown in surfaces(document.words):
        written = shown if spelled else sentence
        yield is_withheld(sentence), [piece for word in written for piece in reader.split(word)]


def draw_places(
    reader: ExactReader, documents: Iterable[CorpusDocument], seed: int, share: float | None = None
) -> list[EvaluatedPiece]:
    """Mask each document once and ask for one masked piece in a withheld sentence.

    Args:
        reader: its units are word pieces (see `explorer.world.exact.readers`).
        documents: documents that hold a withheld sentence.
        seed: seed of the choice of places.
        share: share of the document's pieces that is masked; None masks one piece.
    """
    rng = random.Random(seed)  # noqa: S311
    # The other masks come from a stream of their own: the same places are asked at every share.
    others_rng = random.Random(seed + 1)  # noqa: S311
    places: list[EvaluatedPiece] = []
    for document in documents:
        pieces: list[str] = []
        allowed: list[int] = []
        for withheld, read in reads(reader, document):
            start = len(pieces)
            pieces += read
            if withheld:
                allowed += range(start, len(pieces))
        position = rng.choice(allowed)
        count = 1 if share is None else max(1, round(share * len(pieces)))
        others = [place for place in range(len(pieces)) if place != position]
        masked = {position, *others_rng.sample(others, count - 1)}
        pattern = tuple(None if i in masked else piece for i, piece in enumerate(pieces))
        exact = reader.posterior(pattern, position)
        places.append(EvaluatedPiece(pattern, position, pieces[position], exact))
    return places


def predict(model: Any, tokenizer: Any, places: Sequence[EvaluatedPiece]) -> NDArray[np.float64]:
    """Log-probabilities at the asked positions, shape [places, vocabulary]."""
    import torch

    rows: list[NDArray[np.float64]] = []
    mask = tokenizer.mask_token
    for place in places:
        pieces = [mask if piece is None else piece for piece in place.pieces]
        numbers = tokenizer.convert_tokens_to_ids(pieces)
        inputs = [tokenizer.cls_token_id, *numbers, tokenizer.sep_token_id]
        with torch.inference_mode():
            output = model(input_ids=torch.tensor([inputs]))
        scores = getattr(output, "prediction_logits", None)
        scores = output.logits if scores is None else scores
        row = torch.log_softmax(scores[0, place.position + 1].double(), dim=-1)
        rows.append(row.numpy())
    return np.stack(rows)


def report(model: Any, tokenizer: Any, places: Sequence[EvaluatedPiece]) -> Report:
    """The model beside the floor."""
    return compare(tokenizer, places, predict(model, tokenizer, places))


def compare(tokenizer: Any, places: Sequence[EvaluatedPiece], logs: NDArray[np.float64]) -> Report:
    """Predicted log-probabilities, shape [places, vocabulary], beside the floor."""
    losses: list[float] = []
    right: list[float] = []
    for place, row in zip(places, logs, strict=True):
        numbers = tokenizer.convert_tokens_to_ids(list(place.exact))
        losses.append(
            -math.fsum(p * row[n] for p, n in zip(place.exact.values(), numbers, strict=True))
        )
        best = tokenizer.convert_ids_to_tokens(int(row.argmax()))
        right.append(place.exact.get(best, 0.0))
    return Report(
        places=len(places),
        loss=math.fsum(losses) / len(places),
        floor=math.fsum(place.entropy for place in places) / len(places),
        accuracy=math.fsum(right) / len(places),
        best_accuracy=math.fsum(max(place.exact.values()) for place in places) / len(places),
        loss_error=standard_error(losses),
    )


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
