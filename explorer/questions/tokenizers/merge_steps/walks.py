"""The three ways to find pieces, with every step on the way; the papers' algorithms as they stand.

The tokenizers' own library says only where they end. Each walk here ends there too, which is
checked whenever one is taken.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import pairwise

from explorer.questions.tokenizers.merge_steps.question import MergeStep, SegmentationPath

PATHS = 8
"""Ways to cut a word that are told of."""
UNKNOWN_PENALTY = 10.0
"""How much less likely than its rarest piece an unknown letter is, in nats (SentencePiece)."""


def merges(letters: Sequence[str], ranks: Mapping[tuple[str, str], int]) -> Iterator[MergeStep]:
    """Byte-pair encoding: the pair that was learnt first is merged, wherever it stands.

    Sennrich et al. 2016, algorithm 1.
    """
    pieces = list(letters)
    ends = list(range(1, len(letters) + 1))
    yield MergeStep(tuple(ends), -1)
    while len(pieces) > 1:
        best = min(pairwise(pieces), key=lambda pair: ranks.get(pair, math.inf))
        if best not in ranks:
            return
        at, first = 0, -1
        while at < len(pieces) - 1:
            if (pieces[at], pieces[at + 1]) == best:
                pieces[at : at + 2] = ["".join(best)]
                del ends[at]
                first = at if first < 0 else first
            at += 1
        yield MergeStep(tuple(ends), first, rank=ranks[best])


def longest_first(
    letters: str, knows: Callable[[str, bool], bool], most: int
) -> Iterator[MergeStep]:
    """WordPiece: from the left the longest piece that the vocabulary has; every try is a step.

    Wu et al. 2016, section 4.1; where nothing fits, the word as a whole is unknown.

    Args:
        letters: The word.
        knows: Whether the vocabulary has a piece, and one that continues a word.
        most: Letters of the longest word that is looked at at all.
    """
    done: tuple[int, ...] = ()
    yield MergeStep((), -1)
    if len(letters) > most:
        yield MergeStep((len(letters),), 0, found=False)
        return
    start = 0
    while start < len(letters):
        for end in range(len(letters), start, -1):
            found = knows(letters[start:end], start > 0)
            yield MergeStep((*done, end), len(done), found=found)
            if found:
                break
        else:
            yield MergeStep((len(letters),), 0, found=False)
            return
        done, start = (*done, end), end


Way = tuple[float, tuple[int, ...]]
"""Its log-probability and where its pieces end."""


def lattice(
    letters: str, scores: Mapping[str, float], unknown: float
) -> tuple[tuple[MergeStep, ...], tuple[SegmentationPath, ...]]:
    """Unigram: for each letter the likeliest way to it, and at the end the likeliest ways of all.

    Kudo 2018, section 3.2: the best way by Viterbi's algorithm, the sum over all ways by the
    forward algorithm.

    Args:
        letters: What is cut.
        scores: Log-probabilities of the pieces.
        unknown: That of a letter that is no piece.
    """
    longest = max(map(len, scores), default=1)
    ways: list[list[Way]] = [[(0.0, ())]]
    total = [0.0]
    for end in range(1, len(letters) + 1):
        reached: list[Way] = []
        sums: list[float] = []
        for start in range(max(0, end - longest), end):
            score = scores.get(letters[start:end])
            if score is None:
                if end - start > 1:
                    continue
                score = unknown
            reached += [(before + score, (*cut, end)) for before, cut in ways[start]]
            sums.append(total[start] + score)
        ways.append(nlargest(PATHS, reached, key=lambda way: way[0]))
        high = max(sums)
        total.append(high + math.log(sum(math.exp(one - high) for one in sums)))
    steps = [MergeStep((), -1, score=0.0)]
    for own in ways[1:]:
        score, cut = own[0]
        steps.append(MergeStep(cut, len(cut) - 1, score=score))
    paths = tuple(
        SegmentationPath(cut, score, math.exp(score - total[-1])) for score, cut in ways[-1]
    )
    return tuple(steps), paths
