"""Ranges of words that labels mark: B- begins one, I- goes on with it, O is nothing.

Tjong Kim Sang and De Meulder 2003 (CoNLL 2003): a range counts where its ends and its kind are
right.
"""

from collections.abc import Sequence

Labels = tuple[str, ...]
"""One a word."""


def ranges(labels: Labels) -> list[tuple[int, int, str]]:
    """First word, the one after the last, and kind of each range; a lone "I-" begins one."""
    found: list[tuple[int, int, str]] = []
    for at, one in enumerate(labels):
        part, _, kind = one.partition("-")
        if part == "I" and found and found[-1][1:] == (at, kind):
            found[-1] = (found[-1][0], at + 1, kind)
        elif kind:
            found.append((at, at + 1, kind))
    return found


def range_f1(right: Sequence[Labels], said: Sequence[Labels]) -> float:
    """F1 of whole ranges of all texts together; 1 where there is none and none is said."""
    ours = {(n, *span) for n, labels in enumerate(right) for span in ranges(labels)}
    theirs = {(n, *span) for n, labels in enumerate(said) for span in ranges(labels)}
    return 2.0 * len(ours & theirs) / (len(ours) + len(theirs)) if ours or theirs else 1.0
