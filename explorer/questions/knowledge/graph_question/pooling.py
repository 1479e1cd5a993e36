"""Graph questions of a file: how many are answered rightly, how surely, and by how many paths."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from explorer.api.question import Amount, Amounts, Cell
from explorer.text import N_
from explorer.text.formatting.numbers import percent
from explorer.text.formatting.probabilities import in_digits

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


def parts(found: Accuracy) -> tuple[Amounts]:
    """How many are right, with paths and without; how sure the network is; paths that it read."""
    sure = N_("Of the choice that was said, from 0 to 1.")
    share = partial(percent, places=1)
    amounts = (
        Amount(
            "accuracy",
            N_("answered rightly"),
            found.accuracy,
            words=N_("Of the questions whose right answer is in the file."),
            written=share,
        ),
        Amount(
            "accuracy_without_paths",
            N_("without any path"),
            found.right_alone / found.total,
            words=N_("Answered rightly where the network is given no path: by the sentence alone."),
            written=share,
        ),
        Amount("questions", N_("questions"), found.total),
        Amount("right", N_("right"), found.right, shown=False),
        Amount(
            "score_where_right",
            N_("mean score, where right"),
            found.sure_right,
            words=sure,
            written=in_digits,
        ),
        Amount(
            "score_where_wrong",
            N_("mean score, where wrong"),
            found.sure_wrong,
            words=sure,
            written=in_digits,
        ),
        Amount(
            "paths_used",
            N_("of the paths read"),
            found.paths_used,
            words=N_(
                "The others were pruned by TransE, or meet what the network has no vector of."
            ),
            written=share,
        ),
    )
    return (Amounts(amounts),)
