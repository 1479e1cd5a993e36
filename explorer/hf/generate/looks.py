"""What is kept of a distribution over a whole vocabulary: its top, and what was cut."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from explorer.hf.generate.warping import Warped
from explorer.hf.predict.predictions import rank_of
from explorer.numerics.distributions.kept_ranks import kept_ranks

_kept = lru_cache(maxsize=16)(kept_ranks)
"""Asked with every piece that is drawn, of a few models' vocabularies."""


@dataclass(frozen=True)
class ListedPiece:
    """One piece of a distribution.

    Attributes:
        id: Its number.
        log_probability: The model's own, in nats.
        share: What it is drawn with.
        rank: 1 for the model's most probable.
        cut_by: What cut it; "" for one that was left.
    """

    id: int
    log_probability: float
    share: float
    rank: int
    cut_by: str


@dataclass(frozen=True)
class StepDistribution:
    """A distribution.

    Attributes:
        pieces: The model's most probable ones, and behind them a chosen one that is none of them.
        entropy: Of the model's own distribution, in nats.
        left: How many pieces can be drawn.
        cuts: What was applied, in order: its name, how many pieces it cut of those that were left,
            which probability these have together, and the first and the last rank that it left.
        by_rank: The model's own probability at each of the `kept_ranks`, and what a piece there is
            drawn with; none where nothing was applied.
    """

    pieces: tuple[ListedPiece, ...]
    entropy: float
    left: int
    cuts: tuple[tuple[str, int, float, int, int], ...]
    by_rank: tuple[tuple[float, float], ...] = ()

    def piece(self, number: int) -> ListedPiece:
        """One of its pieces.

        Raises:
            KeyError: It is not among them.
        """
        for one in self.pieces:
            if one.id == number:
                return one
        raise KeyError(number)


def look(one: Warped, count: int, *chosen: int) -> StepDistribution:
    """Look at a distribution.

    Args:
        one: Before and after.
        count: So many of its most probable pieces.
        *chosen: Pieces that are kept, too, wherever they stand.
    """
    logs, shares, cut_by = one.logs, one.shares, one.cut_by
    probabilities = logs.exp()
    top = logs.topk(min(count, len(logs))).indices.tolist()
    ranks = {piece: rank for rank, piece in enumerate(top, start=1)}
    pieces = [*top, *(piece for piece in chosen if piece not in ranks)]
    names = ("", *one.names)
    cuts, by_rank = _by_rank(one, probabilities) if one.names else ([], ())
    return StepDistribution(
        pieces=tuple(
            ListedPiece(piece, log, share, ranks.get(piece) or rank_of(logs, piece), names[cut])
            for piece, log, share, cut in zip(
                pieces,
                logs[pieces].tolist(),
                shares[pieces].tolist(),
                cut_by[pieces].tolist(),
                strict=True,
            )
        ),
        # A piece without any probability adds nothing.
        entropy=float(-(probabilities * logs.clamp(min=-1e4)).sum()),
        left=int((cut_by == 0).sum()),
        cuts=tuple(cuts),
        by_rank=by_rank,
    )


def _by_rank(
    one: Warped, probabilities: Any
) -> tuple[list[tuple[str, int, float, int, int]], tuple[tuple[float, float], ...]]:
    """Each cut, and what is left at the ranks that are kept."""
    order = probabilities.argsort(descending=True, stable=True)
    own, shares, cut_by = (tensor[order] for tensor in (probabilities, one.shares, one.cut_by))
    cuts = []
    for number, name in enumerate(one.names, start=1):
        gone = cut_by == number
        left = ((cut_by == 0) | (cut_by > number)).nonzero()
        cuts.append(
            (name, int(gone.sum()), float(own[gone].sum()), int(left[0]) + 1, int(left[-1]) + 1)
        )
    at = [rank - 1 for rank in _kept(len(own))]
    pairs = zip(own[at].tolist(), shares[at].tolist(), strict=True)
    # Six digits are more than a chart shows, and half of what a log would keep.
    return cuts, tuple((float(f"{p:.6g}"), float(f"{share:.6g}")) for p, share in pairs)
