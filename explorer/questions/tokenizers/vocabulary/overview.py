"""What a vocabulary is made of, what a text uses of it, and what another one has of it."""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from explorer.hf.kept import kept
from explorer.hf.text.alone import is_byte_level
from explorer.hf.text.vocabularies.fingerprint import tokenizer_fingerprint
from explorer.hf.text.vocabularies.vocabulary import AT_ONCE, PieceRole, VocabularyEntry, entries
from explorer.numerics.distributions.efficiency import renyi_efficiency
from explorer.questions.tokenizers.vocabulary.question import (
    Counted,
    Counts,
    Group,
    Overlap,
    VocabularyRow,
)
from explorer.questions.tokenizers.vocabulary.scripts import script_of
from explorer.questions.tokenizers.vocabulary.texts import Uses

TOP = 10
"""Pieces that are told of as the most used."""
RANKS = 240
"""Points of the curve of ranks by frequency."""
EXAMPLES = 12
"""Words that are told of as an example of what only one vocabulary has."""
MOST_KEPT = 3
"""Overviews that are kept, so that a search makes none anew."""


@dataclass(frozen=True)
class Second:
    """The vocabulary that another one is compared with.

    Attributes:
        checkpoint: Whose it is.
        title: What a user reads for it.
        tokenizer: A fast transformers tokenizer.
    """

    checkpoint: str
    title: str
    tokenizer: Any


@dataclass(frozen=True)
class Overview:
    """All that does not depend on what is looked for.

    Attributes:
        key: What it follows from.
        entries: Every piece.
        scripts: Of each that stands for text, by its number.
        uses: How often each stands in the text.
        others: The pieces of the second vocabulary as they are shown; None without one.
        places: Pieces by what they are in a word.
        groups: Pieces by script.
        lengths: How many stand for 0, 1, 2 ... characters.
        sizes: How many stand for 0, 1, 2 ... bytes, in a vocabulary of bytes.
        counted: What the text uses.
        overlap: With the second vocabulary.
    """

    key: str
    entries: tuple[VocabularyEntry, ...]
    scripts: Mapping[int, str]
    uses: Uses
    others: frozenset[str] | None
    places: tuple[Group, ...]
    groups: tuple[Group, ...]
    lengths: Counts
    sizes: Counts
    counted: Counted
    overlap: Overlap | None

    def row(self, one: VocabularyEntry) -> VocabularyRow:
        """A piece with all that is known of it."""
        return _row(one, self.scripts, self.uses.counts, self.others)

    def rows(self, check: Callable[[], None]) -> Iterator[tuple[VocabularyRow, str]]:
        """Every piece, and what it stands for."""
        for at, one in enumerate(self.entries):
            if at % AT_ONCE == 0:
                check()
            yield self.row(one), one.text


def overview_of(
    tokenizer: Any, uses: Uses, second: Second | None, check: Callable[[], None]
) -> Overview:
    """Look at a whole vocabulary.

    Args:
        tokenizer: A fast transformers tokenizer.
        uses: How often its pieces stand in a text.
        second: The vocabulary to compare with; None for none.
        check: Called now and then; may raise to stop.
    """
    digest = hashlib.blake2b(uses.counts.tobytes(), digest_size=16)
    told = (uses.source, uses.sentences, uses.left_out)
    other = ("", "")
    if second is not None:
        other = (second.checkpoint, tokenizer_fingerprint(second.tokenizer))
    key = repr((tokenizer_fingerprint(tokenizer), digest.hexdigest(), told, other))
    return kept(
        "overview of a vocabulary",
        lambda: _made(key, tokenizer, uses, second, check),
        asked=key,
        most=MOST_KEPT,
    )


def _made(
    key: str, tokenizer: Any, uses: Uses, second: Second | None, check: Callable[[], None]
) -> Overview:
    every = entries(tokenizer, check)
    of_text = [one for one in every if one.place.is_text]
    scripts = {one.id: script_of(one.text) for one in of_text}
    check()
    theirs = None if second is None else entries(second.tokenizer, check)
    others = None if theirs is None else frozenset(one.shown for one in theirs)
    unknown = tokenizer.unk_token_id
    return Overview(
        key=key,
        entries=every,
        scripts=scripts,
        uses=uses,
        others=others,
        places=_groups(((one.place.value, one) for one in every), uses.counts),
        groups=_groups(((scripts[one.id], one) for one in of_text), uses.counts),
        lengths=_histogram(len(one.text) for one in of_text if not one.data),
        sizes=_histogram(one.size for one in of_text if is_byte_level(tokenizer)),
        counted=_counted(
            of_text,
            uses,
            0 if unknown is None else int(uses.counts[unknown]),
            lambda one: _row(one, scripts, uses.counts, others),
        ),
        overlap=None if second is None or theirs is None else _overlap(every, theirs, second),
    )


def _row(
    one: VocabularyEntry, scripts: Mapping[int, str], counts: Counts, others: frozenset[str] | None
) -> VocabularyRow:
    return VocabularyRow(
        one.id,
        one.piece,
        one.shown,
        one.place.value,
        scripts.get(one.id, ""),
        None if one.data else len(one.text),
        one.size,
        int(counts[one.id]),
        None if others is None else one.shown in others,
    )


def _groups(named: Iterable[tuple[str, VocabularyEntry]], counts: Counts) -> tuple[Group, ...]:
    """Pieces by what they have in common, the largest group first."""
    pieces: Counter[str] = Counter()
    used: Counter[str] = Counter()
    uses: Counter[str] = Counter()
    for name, one in named:
        count = int(counts[one.id])
        pieces[name] += 1
        used[name] += count > 0
        uses[name] += count
    order = sorted(pieces, key=lambda name: (-pieces[name], name))
    return tuple(Group(name, pieces[name], used[name], uses[name]) for name in order)


def _histogram(numbers: Iterable[int]) -> Counts:
    return np.bincount(np.fromiter(numbers, dtype=np.int64)).astype(np.int64)


def _counted(
    of_text: Sequence[VocabularyEntry],
    uses: Uses,
    unknown: int,
    row: Callable[[VocabularyEntry], VocabularyRow],
) -> Counted:
    own = uses.counts[[one.id for one in of_text]]
    order = np.argsort(-own, kind="stable")
    falling = own[order][own[order] > 0]
    last = len(falling)
    places = np.geomspace(1, max(last, 1), min(RANKS, max(last, 1))).round()
    ranks: Counts = np.unique(places.astype(np.int64))[:last]
    return Counted(
        source=uses.source,
        sentences=uses.sentences,
        left_out=uses.left_out,
        pieces=int(uses.counts.sum()),
        unknown=unknown,
        words=len(of_text),
        used=last,
        efficiency=renyi_efficiency(uses.counts.tolist()),
        top=tuple(row(of_text[at]) for at in order[: min(TOP, last)]),
        ranks=ranks,
        frequencies=falling[ranks - 1],
    )


def _overlap(
    ours: Sequence[VocabularyEntry], theirs: Sequence[VocabularyEntry], second: Second
) -> Overlap:
    """What two vocabularies have in common, by text."""
    own = {one.shown for one in ours if one.place.is_text}
    others = {one.shown for one in theirs if one.place.is_text}
    return Overlap(
        second.checkpoint,
        second.title,
        shared=len(own & others),
        here=len(own - others),
        there=len(others - own),
        alike=len({one.piece for one in ours} & {one.piece for one in theirs}),
        first_here=_first_words(ours, others),
        first_there=_first_words(theirs, own),
    )


def _first_words(every: Sequence[VocabularyEntry], known: Collection[str]) -> tuple[str, ...]:
    """Whole words that are not known, of more letters than one."""
    words = (
        one.text
        for one in every
        if one.place is PieceRole.WORD and one.text.isalpha() and len(one.text) > 1
    )
    return tuple(islice((word for word in words if word not in known), EXAMPLES))
