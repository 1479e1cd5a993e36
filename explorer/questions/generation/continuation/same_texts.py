"""Branches of a beam search that end in the same text, by other pieces: none of them is merged."""

from collections.abc import Sequence
from math import exp, log

from explorer.questions.generation.continuation.question import BeamToken


def same_texts(
    parents: Sequence[int | None], pieces: Sequence[str], sums: Sequence[float]
) -> tuple[int | None, ...]:
    """For each token of a tree the most probable other one with which the same text ends.

    Pieces that are written one behind the other are the text, whatever stands for a space in them.

    Args:
        parents: The token before each, which stands before it in the tree.
        pieces: As the tokenizer writes them.
        sums: Log-probabilities up to each.

    Returns:
        None for the most probable one of those that are alike, and for those that are like none.
    """
    texts: list[str] = []
    best: dict[str, int] = {}
    for number, (parent, piece) in enumerate(zip(parents, pieces, strict=True)):
        text = piece if parent is None else texts[parent] + piece
        texts.append(text)
        if text not in best or sums[number] > sums[best[text]]:
            best[text] = number
    return tuple(None if best[text] == n else best[text] for n, text in enumerate(texts))


def ways(tree: Sequence[BeamToken]) -> dict[int, list[int]]:
    """Tokens with which the same text ends, by each of them; only texts that end in several."""
    groups: dict[int, list[int]] = {}
    for number, one in enumerate(tree):
        if one.same_as is not None:
            groups.setdefault(one.same_as, [one.same_as]).append(number)
    return {number: group for group in groups.values() for number in group}


def together(tree: Sequence[BeamToken], numbers: Sequence[int]) -> float:
    """The log-probability of a text in all the ways that were found, in nats."""
    logs = [tree[number].log_probability for number in numbers]
    most = max(logs)
    return most + log(sum(exp(one - most) for one in logs))
