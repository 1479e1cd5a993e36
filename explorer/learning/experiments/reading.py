"""What a linear classifier reads in the frozen states of a model: a score that no objective has.

Two tasks on texts of a small world that nobody was trained on. A few fit the classifier, for with
many it reads nearly all in any states, and it is asked about the others:

* order: a text's sentences are cut in two parts, which stand in their order or were swapped. Their
  words are the same, so that only what happens, and what was said before, tells it.
* mention: which rule of the grammar wrote a word, of words that several rules write, as a noun that
  is said for the first time or once more.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.learning.batches.chunked import padded
from explorer.learning.measured.linear_reading import ridge_scores
from explorer.learning.texts.training_text import HeldOutText
from explorer.world.corpus import sentence_words

Floats = NDArray[np.float64]
PENALTY: Final = 1.0
FITTED: Final = {"order": 150, "mention": 300}
"""Texts, and words, that fit a classifier."""
ROWS: Final = 64
"""Texts that are read at once."""


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text as a model reads it.

    Attributes:
        tokens: With special ones.
        segments: 0 or 1, as many.
    """

    tokens: Sequence[int]
    segments: Sequence[int]


def order_read(model: Any, tokenizer: Any, texts: Sequence[HeldOutText]) -> float:
    """How often the classifier says rightly whether two parts stand in their order.

    Args:
        model: stays as it is.
        tokenizer: its tokenizer.
        texts: those of one sentence are left out.
    """
    rng = np.random.default_rng(1)
    read, labels = [], []
    for text in texts:
        sentences = list(sentence_words(text.words))
        if len(sentences) < 2:
            continue
        cut = int(rng.integers(1, len(sentences)))
        parts = [list(itertools.chain(*some)) for some in (sentences[:cut], sentences[cut:])]
        swapped = bool(rng.random() < 0.5)
        if swapped:
            parts.reverse()
        read.append(_read(tokenizer, parts))
        labels.append(int(swapped))
    states = [found.mean(axis=0) for found in states_of(model, tokenizer, read)]
    return classified(np.stack(states), np.array(labels), FITTED["order"])


def mention_read(model: Any, tokenizer: Any, texts: Sequence[HeldOutText]) -> float:
    """How often the classifier names the rule that wrote a word, of words that several write.

    Args:
        model: stays as it is.
        tokenizer: its tokenizer.
        texts: with the rule of each word.
    """
    writers = defaultdict(set)
    for text in texts:
        for word, rule in zip(text.words, text.rules, strict=True):
            writers[word].add(rule)
    found = states_of(model, tokenizer, [_read(tokenizer, [text.words]) for text in texts])
    states, labels = [], []
    for text, rows in zip(texts, found, strict=True):
        place = 1
        for word, rule in zip(text.words, text.rules, strict=True):
            if len(writers[word]) > 1 and place < len(rows) - 1:
                states.append(rows[place])
                labels.append(rule)
            place += len(tokenizer.tokenize(word))
    names = sorted({*labels})
    numbers = np.array([names.index(one) for one in labels])
    return classified(np.stack(states), numbers, FITTED["mention"])


def classified(states: Floats, labels: NDArray[np.int64], fitted: int) -> float:
    """Accuracy at all other rows of a ridge regression that is fitted to the first ones.

    Args:
        states: shape [rows, width].
        labels: a class each, from 0 on.
        fitted: rows that it is fitted to.
    """
    wanted = np.eye(int(labels.max()) + 1)[labels[:fitted]]
    said = ridge_scores(states[:fitted], wanted, states[fitted:], PENALTY).argmax(axis=1)
    return float((said == labels[fitted:]).mean())


def states_of(model: Any, tokenizer: Any, texts: Sequence[ReadText]) -> list[Floats]:
    """The last states of each text, shape [tokens, width] each."""
    found: dict[int, Floats] = {}
    order = sorted(range(len(texts)), key=lambda number: len(texts[number].tokens))
    for start in range(0, len(order), ROWS):
        numbers = order[start : start + ROWS]
        output = _encoded(model, tokenizer, [texts[number] for number in numbers])
        states = output.last_hidden_state.double().numpy()
        for row, number in enumerate(numbers):
            found[number] = states[row, : len(texts[number].tokens)]
    return [found[number] for number in range(len(texts))]


def layers_of(model: Any, tokenizer: Any, texts: Sequence[HeldOutText]) -> Floats:
    """States before the first layer and after each, shape [layers + 1, tokens, width].

    Tokens of all texts stand one behind the other.
    """
    read = [_read(tokenizer, [text.words]) for text in texts]
    output = _encoded(model, tokenizer, read, output_hidden_states=True)
    states = np.stack([one.double().numpy() for one in output.hidden_states])
    return np.concatenate(
        [states[:, row, : len(text.tokens)] for row, text in enumerate(read)], axis=1
    )


def _encoded(model: Any, tokenizer: Any, texts: Sequence[ReadText], **options: Any) -> Any:
    import torch

    body = body_of(model)
    tokens = padded([np.array(text.tokens) for text in texts], int(tokenizer.pad_token_id))
    seen = padded([np.ones(len(text.tokens), np.int64) for text in texts], 0)
    inputs = {"input_ids": tokens, "attention_mask": seen}
    if getattr(body.config, "type_vocab_size", 0):
        inputs["token_type_ids"] = padded([np.array(text.segments) for text in texts], 0)
    with torch.inference_mode():
        return body(**inputs, **options)


def body_of(model: Any) -> Any:
    """The layers of a model without its heads; of two that are trained together, the second's."""
    from torch import nn

    kept = model["discriminator"] if isinstance(model, nn.ModuleDict) else model
    return kept.base_model


def _read(tokenizer: Any, parts: Sequence[Sequence[str]]) -> ReadText:
    """``[CLS] A [SEP]``, or ``[CLS] A [SEP] B [SEP]``, cut where the model ends.

    What reads from the left has no [CLS], and its end of text behind each part.
    """
    first, end = tokenizer.cls_token_id, tokenizer.sep_token_id or tokenizer.eos_token_id
    tokens = [] if first is None else [int(first)]
    segments = [0] * len(tokens)
    for segment, words in enumerate(parts):
        pieces = [piece for word in words for piece in tokenizer.tokenize(word)]
        numbers = [*tokenizer.convert_tokens_to_ids(pieces), int(end)]
        tokens += numbers
        segments += [segment] * len(numbers)
    most = int(tokenizer.model_max_length)
    return ReadText(tokens[:most], segments[:most])
