"""Two models' logits laid on the classes that both know, and the rows worth reading."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.hf.text.paired import SharedMask
from explorer.hf.text.vocabularies.overlap import same_vocabulary, shared_words, whole_words
from explorer.hf.text.vocabularies.pieces import glue, written
from explorer.numerics.distributions.temperature import ranks, softmax
from explorer.questions.distillation.soft_targets.targets import SharedClass, Targets, WantedWord
from explorer.text import N_, Phrase

Floats32 = NDArray[np.float32]


@dataclass(frozen=True)
class Wanted:
    """The classes that are told one by one.

    Attributes:
        top_k: The most probable of either model, united.
        words: Those that alone count; () for all.
    """

    top_k: int = 1
    words: tuple[str, ...] = ()


class Aligned:
    """Two vocabularies, laid on each other.

    Attributes:
        same: The same pieces have the same numbers; a class is then a piece, else a shared word.
    """

    def __init__(self, teacher: Any, student: Any, teacher_width: int, student_width: int) -> None:
        self._teacher, self._student = teacher, student
        self._widths = teacher_width, student_width
        self.same = same_vocabulary(teacher, student)

    def targets(
        self, taught: Floats32, learnt: Floats32, place: SharedMask, wanted: Wanted
    ) -> Targets:
        """Both models' scores at one mask.

        Args:
            taught: The teacher's, one a piece of its vocabulary.
            learnt: The student's.
            place: Of the mask.
            wanted: How many rows, and which words.
        """
        if self.same:
            return self._by_piece(taught, learnt, place, wanted)
        return self._by_word(taught, learnt, place, wanted)

    def _by_piece(
        self, taught: Floats32, learnt: Floats32, place: SharedMask, wanted: Wanted
    ) -> Targets:
        width = min(self._widths)

        def name(index: int) -> tuple[str, str, str]:
            piece = self._teacher.convert_ids_to_tokens(index)
            if piece is None:  # rows of the embedding that no piece uses
                return f"<{index}>", f"<{index}>", ""
            return written(self._teacher, piece), piece, glue(self._teacher, piece)

        words = whole_words(self._teacher, after_space=place.after_space)
        original = place.original_id
        if original is None and place.original:
            original = _found(words, place.original)
        indices = [_found(words, word) for word in wanted.words]
        shared = _Shared(
            taught[:width],
            learnt[:width],
            name,
            (_share_of_first(taught, width), _share_of_first(learnt, width)),
        )
        return shared.targets(place.position, wanted, original, indices)

    def _by_word(
        self, taught: Floats32, learnt: Floats32, place: SharedMask, wanted: Wanted
    ) -> Targets:
        shared = shared_words(self._teacher, self._student, after_space=place.after_space)
        inside = (shared.left_ids < len(taught)) & (shared.right_ids < len(learnt))
        left, right = shared.left_ids[inside], shared.right_ids[inside]
        words = [word for word, kept in zip(shared.words, inside, strict=True) if kept]
        if not words:
            nothing = np.zeros(0, dtype=np.float32)
            return Targets(place.position, nothing, nothing, (), None, (), 0.0, 0.0)
        places = {word: index for index, word in enumerate(words)}

        def name(index: int) -> tuple[str, str, str]:
            return words[index], str(self._teacher.convert_ids_to_tokens(int(left[index]))), ""

        original = _found(places, place.original) if place.original else None
        indices = [_found(places, word) for word in wanted.words]
        masses = float(softmax(taught)[left].sum()), float(softmax(learnt)[right].sum())
        both = _Shared(taught[left], learnt[right], name, masses)
        return both.targets(place.position, wanted, original, indices)


def _share_of_first(logits: Floats32, width: int) -> float:
    """What the first classes hold: all of it where a table has no more rows than the other's."""
    return 1.0 if len(logits) == width else float(softmax(logits)[:width].sum())


def class_targets(names: Sequence[str], taught: Floats32, learnt: Floats32, top_k: int) -> Targets:
    """Both classifiers' scores for a text."""
    both = _Shared(taught, learnt, lambda i: (names[i], names[i], ""))
    return both.targets(-1, Wanted(top_k))


@dataclass(frozen=True, eq=False)
class _Shared:
    """Both models' scores of the classes that both know.

    Attributes:
        taught: The teacher's.
        learnt: The student's, of the same classes.
        name: A class's word, piece, and what the piece is in a word.
        masses: The share of either one's probability that these classes hold.
    """

    taught: Floats32
    learnt: Floats32
    name: Callable[[int], tuple[str, str, str]]
    masses: tuple[float, float] = (1.0, 1.0)

    def targets(
        self,
        position: int,
        wanted: Wanted,
        original: int | None = None,
        indices: Sequence[int | None] = (),
    ) -> Targets:
        """The rows that are worth reading.

        Args:
            position: Of the mask.
            wanted: How many rows, and which words.
            original: The class that stood there; None where nobody knows.
            indices: The class of each of the wanted words; None of one that is no class.
        """
        taught_ranks, learnt_ranks = ranks(self.taught), ranks(self.learnt)

        def target(index: int) -> SharedClass:
            word, token, part = self.name(index)
            ranks_of_both = int(taught_ranks[index]), int(learnt_ranks[index])
            return SharedClass(word, token, index, *ranks_of_both, part)

        first = np.flatnonzero((taught_ranks <= wanted.top_k) | (learnt_ranks <= wanted.top_k))
        rows = sorted((target(int(i)) for i in first), key=lambda row: row.teacher_rank)
        teacher_mass, student_mass = self.masses
        return Targets(
            position,
            np.array(self.taught, dtype=np.float32),
            np.array(self.learnt, dtype=np.float32),
            tuple(rows),
            target(original) if original is not None else None,
            tuple(_wanted(wanted.words, indices, target)),
            min(1.0, teacher_mass),
            min(1.0, student_mass),
        )


def _wanted(
    words: Sequence[str], indices: Sequence[int | None], target: Callable[[int], SharedClass]
) -> Iterator[WantedWord]:
    """The words that were asked for, or why one has no row."""
    seen = set()
    for word, index in zip(words, indices, strict=True):
        if index is None:
            why = Phrase(
                N_('"{word}" is no single piece of the vocabulary at this place: it is left out.'),
                word=word,
            )
            yield WantedWord(word, None, why)
        elif index in seen:
            yield WantedWord(word, None, Phrase(N_('"{word}" is in the list twice.'), word=word))
        else:
            seen.add(index)
            yield WantedWord(word, target(index))


def _found(words: dict[str, int], word: str) -> int | None:
    """A word's number; in small letters where the vocabulary has no others."""
    return words.get(word, words.get(word.lower()))
