"""Two vocabularies aligned by word, and two models' answers compared on what both can say."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api import SECOND, Context, Encoded, LoadedModel, Predictor, Unavailable, UserMistake
from explorer.document import MASK_LITERAL, Document
from explorer.hf.predict.guessing import rows_at_masks
from explorer.hf.text.pieces import glue, special_pieces, vocabulary_hash, written
from explorer.questions.masking.joint_decoding.compute import gaps_of
from explorer.questions.masking.masked_tokens.question import check_masked
from explorer.questions.masking.two_models.question import (
    ComparedMask,
    ComparedWord,
    CompareFillings,
    CompareFillingsResult,
)
from explorer.text import N_

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WordList:
    """What the pieces of a vocabulary are as words.

    Attributes:
        words: Each word once, in the order of its first piece.
        word_of: For every piece its word's index; -1 for special tokens and unused rows.
    """

    words: tuple[str, ...]
    word_of: NDArray[np.int64]

    def probabilities(self, row: Floats) -> Floats:
        """A distribution over pieces as one over words; special tokens are in none.

        Args:
            row: Probabilities of the pieces; may be longer than the vocabulary.
        """
        pieces = row[: len(self.word_of)]
        kept = self.word_of >= 0
        sums: Floats = np.zeros(len(self.words))
        np.add.at(sums, self.word_of[kept], pieces[kept])
        return sums


def word_list(tokenizer: Any, *, folded: bool) -> WordList:
    """The words of a vocabulary.

    Args:
        tokenizer: A fast transformers tokenizer.
        folded: Without regard to capital letters.
    """
    kept: dict[bool, WordList] = getattr(tokenizer, "_explorer_words", {})
    if folded not in kept:
        special = special_pieces(tokenizer)
        vocabulary = tokenizer.get_vocab()
        numbers = np.full(max(vocabulary.values()) + 1, -1, dtype=np.int64)
        known: dict[str, int] = {}
        for piece, number in sorted(vocabulary.items(), key=lambda one: one[1]):
            if piece not in special:
                word = word_as_shown(tokenizer, piece)
                word = word.casefold() if folded else word
                numbers[number] = known.setdefault(word, len(known))
        kept = {**kept, folded: WordList(tuple(known), numbers)}
        tokenizer._explorer_words = kept  # noqa: SLF001 - kept with what it is of
    return kept[folded]


def word_as_shown(tokenizer: Any, piece: str) -> str:
    """A piece as a word; a part of one with dots where the rest would be."""
    word, glued = written(tokenizer, piece), glue(tokenizer, piece)
    return f"…{word}" if glued == "before" else f"{word}…" if glued == "after" else word


def folds(tokenizer: Any) -> bool:
    """Whether a tokenizer takes capital letters away."""
    pieces = tokenizer.tokenize("Aa")
    return bool(pieces) and not any("A" in piece for piece in pieces)


def compare(
    model: LoadedModel, other: LoadedModel, request: CompareFillings, context: Context
) -> CompareFillingsResult:
    """Ask both models, one mask for every masked range, and compare word by word."""
    document = one_mask_each(model, request)
    inputs = []
    for one in (model, other):
        encoded = one.encode(document.text, document.pair, ())
        check_masked(encoded)
        inputs.append(encoded)
    count = min(len(encoded.mask_positions) for encoded in inputs)
    folded = folds(model.tokenizer) or folds(other.tokenizer)
    lists = [word_list(one.tokenizer, folded=folded) for one in (model, other)]
    places = [{word: i for i, word in enumerate(known.words)} for known in lists]
    shared = [word for word in lists[0].words if word in places[1]]
    rows = [
        _rows(one, encoded, count, context)
        for one, encoded in zip((model, other), inputs, strict=True)
    ]
    masks = []
    for number in range(count):
        first, second = (
            known.probabilities(one[number]) for known, one in zip(lists, rows, strict=True)
        )
        position = inputs[0].mask_positions[number]
        masks.append(_compared(position, (first, second), lists, places, shared, request.top_k))
    notes = []
    if any(encoded.left_out is not None for encoded in inputs):
        notes.append("The text does not fit into one of the models and was cut.")
    return CompareFillingsResult(
        model=model.stamp,
        other=other.stamp,
        tokens=inputs[0].tokens,
        masks=tuple(masks),
        first_words=len(lists[0].words),
        second_words=len(lists[1].words),
        shared_words=len(shared),
        same_vocabulary=vocabulary_hash(model.tokenizer) == vocabulary_hash(other.tokenizer),
        folded=folded,
        note=" ".join(notes),
    )


def one_mask_each(model: LoadedModel, request: CompareFillings) -> Document:
    """The text with one typed mask for every masked word, so that both models are asked the same.

    Raises:
        UserMistake: Nothing is masked.
    """
    document = Document(request.text, request.pair, request.masks)
    encoded = model.encode(document.text, document.pair, document.masks)
    check_masked(encoded)
    positions = encoded.mask_positions
    for gap in reversed(gaps_of(encoded.tokens)):
        first, last = encoded.tokens[positions[gap[0]]], encoded.tokens[positions[gap[-1]]]
        document = document.with_words(first.start, last.end, MASK_LITERAL, first.part)
    return document.without_masks()


def _rows(model: LoadedModel, encoded: Encoded, count: int, context: Context) -> Floats:
    """Probabilities (masks x vocabulary) at the first masks of an input."""
    positions = encoded.mask_positions[:count]
    rows = rows_at_masks(model.port(Predictor), encoded, context, positions)
    found: Floats = rows.double().exp().cpu().numpy()
    return found


def _compared(
    position: int,
    found: tuple[Floats, Floats],
    lists: list[WordList],
    places: list[dict[str, int]],
    shared: list[str],
    top_k: int,
) -> ComparedMask:
    first, second = found
    best = [known.words[int(row.argmax())] for known, row in zip(lists, found, strict=True)]
    tops = []
    for known, row in zip(lists, found, strict=True):
        tops += [known.words[i] for i in np.argsort(-row, kind="stable")[:top_k]]
    words = [_word(word, found, places) for word in dict.fromkeys(tops)]
    words.sort(key=lambda one: -max(one.first or 0.0, one.second or 0.0))
    p = np.array([first[places[0][word]] for word in shared])
    q = np.array([second[places[1][word]] for word in shared])
    covered = float(p.sum()), float(q.sum())
    # What is on other words, special tokens and unused rows is one bucket.
    p = np.append(p, max(0.0, 1.0 - covered[0]))
    q = np.append(q, max(0.0, 1.0 - covered[1]))
    return ComparedMask(
        position=position,
        words=tuple(words),
        first_covered=min(covered[0], 1.0),
        second_covered=min(covered[1], 1.0),
        kl=divergence(p, q),
        kl_back=divergence(q, p),
        total_variation=0.5 * float(np.abs(p - q).sum()),
        agree=best[0] == best[1],
    )


def _word(word: str, found: tuple[Floats, Floats], places: list[dict[str, int]]) -> ComparedWord:
    values: list[tuple[float | None, int | None]] = []
    for row, place in zip(found, places, strict=True):
        at = place.get(word)
        if at is None:
            values.append((None, None))
        else:
            values.append((float(row[at]), 1 + int((row > row[at]).sum())))
    return ComparedWord(word, *values[0], *values[1])


def divergence(p: Floats, q: Floats) -> float | None:
    """KL(p || q) in nats; None where it is infinite."""
    seen = p > 0
    if bool((q[seen] <= 0).any()):
        return None
    value = float((p[seen] * np.log(p[seen] / q[seen])).sum())
    return max(0.0, value) if math.isfinite(value) else None


def run(model: Any, request: CompareFillings, context: Context) -> CompareFillingsResult:
    """Ask both models and align their words.

    Raises:
        Unavailable: One of the models has no head that predicts tokens.
        UserMistake: No second model is loaded, the text is empty, or nothing is masked.
        Cancelled: The run was cancelled; checked before every layer.
    """
    if not request.text.strip():
        raise UserMistake(N_("There is no text yet."), N_("Type a sentence."))
    if request.top_k < 1:
        raise UserMistake(N_("At least one word must be asked for."), N_("Choose top k from 1 on."))
    other = context.model(SECOND)
    for one in (model, other):
        if Predictor not in one.ports:
            raise Unavailable(N_("{id} has no head that predicts tokens."), id=one.stamp.id)
    context.check()
    return compare(model, other, request, context)
