"""Graph questions of a file: how many are answered rightly, how surely, and by how many paths."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from explorer.api import Cell

COLUMNS = ("is_right", "is_right_alone", "said_score", "paths_read", "paths_found")


@dataclass(frozen=True)
class Accuracy:
    """What the answers to many questions come to.

    Attributes:
        total: Questions whose right choice is known.
        right: Those of them that were answered so.
        right_alone: Those that would be where no path is read.
        sure_right: Mean score of the choice that was said where that is right; None for never.
        sure_wrong: The same where it is wrong.
        paths_read: Paths to all choices that the network read.
        paths_found: All that there are, with those that were pruned or have no vectors.
    """

    total: int
    right: int
    right_alone: int
    sure_right: float | None
    sure_wrong: float | None
    paths_read: int
    paths_found: int

    @property
    def accuracy(self) -> float:
        """Share of the questions that are answered rightly."""
        return self.right / self.total

    @property
    def paths_used(self) -> float | None:
        """Share of the paths that the network read; None where there is none."""
        return self.paths_read / self.paths_found if self.paths_found else None


def gather(rows: Iterable[Sequence[Cell]]) -> Accuracy | None:
    """All rows' answers; None where no right one is known."""
    total = alone = read = found = 0
    sure: dict[bool, list[float]] = {True: [], False: []}
    for is_right, is_right_alone, score, paths_read, paths_found in rows:
        if is_right is None:
            continue
        total += 1
        alone += bool(is_right_alone)
        sure[bool(is_right)].append(float(score or 0.0))
        read += int(paths_read or 0)
        found += int(paths_found or 0)
    if not total:
        return None
    mean = {one: sum(some) / len(some) if some else None for one, some in sure.items()}
    return Accuracy(total, len(sure[True]), alone, mean[True], mean[False], read, found)


def told(pooled: Accuracy) -> Mapping[str, Cell]:
    """The numbers."""
    return {
        "questions": pooled.total,
        "right": pooled.right,
        "accuracy": pooled.accuracy,
        "accuracy_without_paths": pooled.right_alone / pooled.total,
        "score_where_right": pooled.sure_right,
        "score_where_wrong": pooled.sure_wrong,
        "paths_used": pooled.paths_used,
    }
