"""What a tokenizer changed of a text's characters: lower case, accents, normal forms, spaces."""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.hf.text.alone import Alone
from explorer.questions.tokenizers.side_by_side.question import CharacterChange

FORMS: tuple[tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], CharacterChange], ...] = (
    ("NFC", CharacterChange.COMPOSED),
    ("NFD", CharacterChange.DECOMPOSED),
    ("NFKC", CharacterChange.COMPATIBLE),
    ("NFKD", CharacterChange.COMPATIBLE),
)


def changes_of(text: str, cut: Alone) -> tuple[Mapping[CharacterChange, int], tuple[int, ...]]:
    """How many pieces are written otherwise than the text, by what was changed; what was removed.

    Args:
        text: As it was typed.
        cut: Its pieces.

    Returns:
        Counts of pieces, and of removed characters; and where the removed characters are.
    """
    plain = np.array([not (k.unknown or k.added or k.data) for k in cut.kinds], dtype=bool)
    chosen = _alone(cut)
    chosen &= plain[cut.which] if len(cut.which) else chosen
    places = (one[chosen].tolist() for one in (cut.which, cut.starts, cut.ends))
    written = Counter([(number, text[a:b]) for number, a, b in zip(*places, strict=True)])
    found: Counter[CharacterChange] = Counter()
    for (number, characters), count in written.items():
        for change in changes_in(characters, cut.kinds[number].written):
            found[change] += count
    removed = removed_from(text, cut)
    if removed:
        found[CharacterChange.REMOVED] = len(removed)
    return dict(found), removed


def _alone(cut: Alone) -> NDArray[np.bool_]:
    """Whether a piece has no character in common with a neighbour, of which both are parts."""
    meets = cut.starts[1:] < cut.ends[:-1]
    shared = np.concatenate((meets, [False])) | np.concatenate(([False], meets))
    return np.logical_not(shared[: len(cut.which)])


def changes_in(characters: str, written: str) -> tuple[CharacterChange, ...]:
    """What was done to characters to make a piece of them.

    A space before the first word, as SentencePiece puts one there, is no change.
    """
    said, typed = written.strip(), characters.strip()
    if said == typed:
        return ()
    if "".join(said.split()) == "".join(typed.split()):
        return (CharacterChange.SPACES,)
    for plain, lowered in ((typed, ()), (typed.lower(), (CharacterChange.CASE,))):
        if said == plain:
            return lowered
        for form, change in FORMS:
            if said == unicodedata.normalize(form, plain):
                return (*lowered, change)
        if said == _bare(plain):
            return (*lowered, CharacterChange.ACCENTS)
    return (CharacterChange.REWRITTEN,)


def _bare(text: str) -> str:
    """Without accents."""
    apart = unicodedata.normalize("NFD", text)
    return "".join(one for one in apart if unicodedata.category(one) != "Mn")


def removed_from(text: str, cut: Alone) -> tuple[int, ...]:
    """Characters, other than spaces, that no piece stands for."""
    edges = np.zeros(len(text) + 1, dtype=np.int64)
    np.add.at(edges, cut.starts, 1)
    np.add.at(edges, cut.ends, -1)
    bare = np.flatnonzero(edges.cumsum()[:-1] == 0)
    return tuple(int(place) for place in bare if not text[place].isspace())
