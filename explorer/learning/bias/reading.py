"""What measures of bias ask of a model, whoever runs it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
Span = tuple[int, int]


@dataclass(frozen=True)
class BiasText:
    """A sentence as a model reads it.

    Attributes:
        text: The sentence.
        ids: Its pieces, special ones too.
        own: Whether each is of the sentence, and none that the model adds.
        spans: The characters of each, end exclusive.
        source: What the reader reads it by.
    """

    text: str
    ids: tuple[int, ...]
    own: tuple[bool, ...]
    spans: tuple[Span, ...]
    source: Any

    @property
    def places(self) -> tuple[int, ...]:
        """Where its own pieces are."""
        return tuple(place for place, own in enumerate(self.own) if own)

    def within(self, start: int, end: int) -> tuple[int, ...]:
        """Where the pieces are that have some of these characters."""
        return tuple(
            place for place in self.places
            if self.spans[place][0] < end and start < self.spans[place][1]
        )  # fmt: skip

    def places_of(self, word: str) -> tuple[int, ...]:
        """Where the pieces of a word, or of several, are, wherever the sentence has them."""
        found = re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", self.text, re.IGNORECASE)
        return tuple(place for one in found for place in self.within(*one.span()))


@dataclass(frozen=True)
class BiasQuery:
    """Where a distribution is asked for.

    Attributes:
        text: In which sentence.
        asked: Places whose distributions are wanted.
        hidden: Places at which the model reads a mask; it sees all others.
    """

    text: BiasText
    asked: tuple[int, ...]
    hidden: tuple[int, ...] = ()

    @property
    def numbers(self) -> list[int]:
        """The pieces at the asked places."""
        return [self.text.ids[place] for place in self.asked]


class BiasReader(Protocol):
    """A model that fills masks."""

    def read(self, text: str) -> BiasText:
        """A sentence in its pieces."""

    def without(self, text: BiasText, places: Sequence[int]) -> BiasText:
        """The sentence without some of its pieces; what is behind them moves forward."""

    def rows(self, queries: Sequence[BiasQuery]) -> Iterator[Floats]:
        """Log-probabilities over the vocabulary: of each query an array [asked, vocabulary]."""

    def attention(self, text: BiasText) -> Floats | None:
        """How much each piece is attended to: the mean over layers, heads and who attends.

        Returns:
            Shape [pieces], special ones too; None where the model shows no attention.
        """


class ModelReader:
    """Reads with a model of transformers as it is.

    Args:
        model: With a head that fills masks, in no training mode.
        tokenizer: Its tokenizer, a fast one.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model = model
        self._tokenizer = tokenizer

    def read(self, text: str) -> BiasText:
        """With the special pieces that the tokenizer adds."""
        found = self._tokenizer(text, return_offsets_mapping=True, return_special_tokens_mask=True)
        own = tuple(not special for special in found["special_tokens_mask"])
        spans = tuple((int(start), int(end)) for start, end in found["offset_mapping"])
        return BiasText(text, tuple(found["input_ids"]), own, spans, None)

    def without(self, text: BiasText, places: Sequence[int]) -> BiasText:
        """Every list without them."""
        kept = [place for place in range(len(text.ids)) if place not in places]
        ids, own, spans = (tuple(each[place] for place in kept) for each in _lists(text))
        return BiasText(text.text, ids, own, spans, None)

    def rows(self, queries: Sequence[BiasQuery]) -> Iterator[Floats]:
        """Sentences of one length are read together, so that none is padded."""
        import torch

        alike: dict[int, list[int]] = {}
        for number, query in enumerate(queries):
            alike.setdefault(len(query.text.ids), []).append(number)
        found: dict[int, Floats] = {}
        for numbers in alike.values():
            read = [self._hidden(queries[number]) for number in numbers]
            with torch.inference_mode():
                logits = self._model(input_ids=torch.tensor(read)).logits
            for number, row in zip(numbers, logits, strict=True):
                asked = row[list(queries[number].asked)].double()
                found[number] = torch.log_softmax(asked, dim=-1).numpy()
        yield from (found[number] for number in range(len(queries)))

    def attention(self, text: BiasText) -> Floats | None:
        """As the model gives it where it is told to."""
        import torch

        before = self._model.config._attn_implementation  # noqa: SLF001
        self._model.set_attn_implementation("eager")
        with torch.inference_mode():
            maps = self._model(input_ids=torch.tensor([text.ids]), output_attentions=True)
        self._model.set_attn_implementation(before)
        return received([one[0].double().numpy() for one in maps.attentions])

    def _hidden(self, query: BiasQuery) -> list[int]:
        mask = int(self._tokenizer.mask_token_id)
        return [mask if place in query.hidden else one for place, one in enumerate(query.text.ids)]


def _lists(text: BiasText) -> tuple[Sequence[Any], ...]:
    return text.ids, text.own, text.spans


def received(maps: Sequence[Floats]) -> Floats:
    """Attention that each piece receives on average.

    Args:
        maps: Of each layer, shape [heads, who attends, to whom].

    Returns:
        Shape [to whom].
    """
    found: Floats = np.mean([one.mean(axis=(0, 1)) for one in maps], axis=0)
    return found
