"""Lets one or two models read sentences, and keeps what every layer makes of them."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import Context, Encoded, HiddenStates, LoadedModel, Token
from explorer.numerics.vectors.contextuality import Places
from explorer.text import _
from explorer.text.formatting.numbers import whole

AT_ONCE = 16
"""Sentences that are read between two looks at what was cancelled."""

States32 = NDArray[np.float32]


@dataclass
class SentenceStates:
    """What one model made of the sentences.

    Attributes:
        model: Which.
        parts: States of each sentence, rows x tokens x width, special tokens left out.
        tokens: Of each sentence, the same ones.
        ends: For each sentence, by the character on which a word ends: its last token's place
            among these.
        words: For each sentence the words in lower case, with the places of their last tokens.
        cut: Numbers of the sentences that did not fit as a whole.
    """

    model: LoadedModel
    parts: list[States32] = field(default_factory=list)
    tokens: list[tuple[Token, ...]] = field(default_factory=list)
    ends: list[dict[int, int]] = field(default_factory=list)
    words: list[list[tuple[str, int]]] = field(default_factory=list)
    cut: set[int] = field(default_factory=set)

    @property
    def count(self) -> int:
        """Of all tokens."""
        return sum(len(tokens) for tokens in self.tokens)

    @property
    def rows(self) -> int:
        """Layers, and the embeddings."""
        return len(self.parts[0])

    @property
    def width(self) -> int:
        """Of a state."""
        return int(self.parts[0].shape[2])

    def states(self, row: int) -> States32:
        """Of every token in one layer: tokens x width."""
        found: States32 = np.concatenate([part[row] for part in self.parts])
        return found

    def places(self) -> list[Places]:
        """Where the tokens of each sentence stand among all."""
        starts = self._starts()
        return [
            np.arange(start, start + len(tokens))
            for start, tokens in zip(starts, self.tokens, strict=True)
        ]

    def contexts(self) -> dict[str, list[int]]:
        """Where the last token of each word stands among all."""
        found: dict[str, list[int]] = {}
        for start, words in zip(self._starts(), self.words, strict=True):
            for word, place in words:
                found.setdefault(word, []).append(start + place)
        return found

    def at_ends(self, chosen: Sequence[Sequence[int]]) -> Places:
        """Where the words stand among all that end on some characters of each sentence."""
        return np.array(
            [
                start + ends[end]
                for start, ends, some in zip(self._starts(), self.ends, chosen, strict=True)
                for end in some
            ],
            dtype=np.intp,
        )

    def take(self, sentence: str, encoded: Encoded, states: States32) -> None:
        """Keep what one sentence gave."""
        own = [n for n, token in enumerate(encoded.tokens) if not token.special]
        tokens = tuple(encoded.tokens[n] for n in own)
        if encoded.left_out is not None:
            self.cut.add(len(self.parts))
        words, start = [], 0
        ends: dict[int, int] = {}
        for place, token in enumerate(tokens):
            if not token.joined:
                start = token.start
            if place + 1 == len(tokens) or not tokens[place + 1].joined:
                word = sentence[start : token.end].strip().casefold()
                ends[token.end] = place
                if any(letter.isalnum() for letter in word):
                    words.append((word, place))
        self.parts.append(states[:, own])
        self.tokens.append(tokens)
        self.ends.append(ends)
        self.words.append(words)

    def _starts(self) -> list[int]:
        sizes = [len(tokens) for tokens in self.tokens]
        return [0, *itertools.accumulate(sizes)][: len(sizes)]


def read(
    models: Sequence[LoadedModel], sentences: Iterator[str], most: int, context: Context
) -> tuple[list[SentenceStates], bool]:
    """Let models read sentences until the first has read so many tokens.

    Returns:
        What each made of them, and whether there are sentences left.

    Raises:
        Cancelled: The run was cancelled; checked before every layer.
    """
    readings = [SentenceStates(model) for model in models]
    while readings[0].count < most:
        context.progress(
            _(
                "{done} of {count} tokens read",
                done=whole(min(readings[0].count, most)),
                count=whole(most),
            ),
            float(readings[0].count),
            float(most),
        )
        context.check()
        some = list(itertools.islice(sentences, AT_ONCE))
        if not some:
            return readings, False
        every = [[model.encode(one) for one in some] for model in models]
        count = _enough(every[0], most - readings[0].count)
        quiet = Context(is_cancelled=context.is_cancelled)
        for reading, encoded in zip(readings, every, strict=True):
            found = reading.model.port(HiddenStates).states(encoded[:count], quiet)
            for sentence, one, states in zip(some, encoded[:count], found, strict=False):
                reading.take(sentence, one, states.cpu().numpy())
        if count < len(some):
            return readings, True
    return readings, next(sentences, None) is not None


def _enough(encoded: Sequence[Encoded], wanted: int) -> int:
    """How many sentences have so many tokens of their own; all where they have fewer."""
    had = 0
    for number, one in enumerate(encoded, start=1):
        had += sum(not token.special for token in one.tokens)
        if had >= wanted:
            return number
    return len(encoded)
