"""What is kept of a distribution over a whole vocabulary: its top, and what was cut."""

from dataclasses import dataclass

from explorer.hf.generate.warping import Warped
from explorer.hf.predict.predictions import rank_of


@dataclass(frozen=True)
class Seen:
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
class Look:
    """A distribution.

    Attributes:
        pieces: The model's most probable ones, and behind them a chosen one that is none of them.
        entropy: Of the model's own distribution, in nats.
        left: How many pieces can be drawn.
        cuts: What was applied, in order: its name, how many pieces it cut of those that were left,
            and which probability these have together.
    """

    pieces: tuple[Seen, ...]
    entropy: float
    left: int
    cuts: tuple[tuple[str, int, float], ...]

    def piece(self, number: int) -> Seen:
        """One of its pieces.

        Raises:
            KeyError: It is not among them.
        """
        for one in self.pieces:
            if one.id == number:
                return one
        raise KeyError(number)


def look(one: Warped, count: int, *chosen: int) -> Look:
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
    cuts = []
    for number, name in enumerate(one.names, start=1):
        gone = cut_by == number
        cuts.append((name, int(gone.sum()), float(probabilities[gone].sum())))
    return Look(
        pieces=tuple(
            Seen(piece, log, share, ranks.get(piece) or rank_of(logs, piece), names[cut])
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
    )
