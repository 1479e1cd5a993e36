"""Judgements of many pairs: how many are right, and which classes are taken for which."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from explorer.api import Cell, Table

COLUMNS = ("right_label", "said_label")


@dataclass(frozen=True)
class Confusion:
    """Which classes were said of which.

    Attributes:
        labels: Right ones and said ones, in the order they came.
        counts: By the right label and the said one.
    """

    labels: tuple[str, ...]
    counts: Mapping[tuple[str, str], int]

    @property
    def total(self) -> int:
        """Pairs whose right class is known."""
        return sum(self.counts.values())

    @property
    def right(self) -> int:
        """Those that were judged so."""
        return sum(count for (wanted, said), count in self.counts.items() if wanted == said)


def gather(rows: Iterable[Sequence[Cell]]) -> Confusion | None:
    """All rows' classes; None where no right one is known."""
    pairs = [(str(wanted), str(said)) for wanted, said in rows if wanted not in ("", None)]
    if not pairs:
        return None
    labels = sorted({label for pair in pairs for label in pair})
    return Confusion(tuple(labels), Counter(pairs))


def told(pooled: Confusion) -> Mapping[str, Cell]:
    """The numbers."""
    return {
        "pairs": pooled.total,
        "right": pooled.right,
        "accuracy": pooled.right / pooled.total,
    }


def confusion(pooled: Confusion) -> Table:
    """One row a right class and a said one."""
    rows = tuple(
        (wanted, said, pooled.counts.get((wanted, said), 0))
        for wanted in pooled.labels
        for said in pooled.labels
    )
    return Table(("right", "said", "count"), rows)
