"""Ways to fill several masks together, on top of `explorer.hf.predict.fillings`.

With an order o of the masks, a filling x has the joint probability
p(x) = product over i of p(x[o_i] | x[o_1] .. x[o_i-1], the rest masked): the chain rule, each
factor a softmax over the whole vocabulary. For a model trained on masks these factors need not
come from one joint distribution, so another order may give another value; every value is named
with its order.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.question import Context
from explorer.hf.predict.fillings import Filling, MaskQuery, Reader
from explorer.hf.predict.predictions import rank_of
from explorer.text import N_


@dataclass(frozen=True)
class FillingPath:
    """A complete filling and what it cost, mask by mask.

    Attributes:
        ids: A piece for each mask, in the order of the input.
        logs: Log-probability of each, given the masks filled before it in the order; nats, in the
            order of the input.
        ranks: Rank of each among all pieces at that moment, 1 for the most probable.
    """

    ids: tuple[int, ...]
    logs: tuple[float, ...]
    ranks: tuple[int, ...]

    @property
    def total(self) -> float:
        """The joint log-probability, in nats."""
        return sum(self.logs)


def before(ids: Sequence[int], order: Sequence[int], step: int) -> Filling:
    """The filling as it was when a step of an order was taken."""
    filled = set(order[:step])
    return tuple(piece if mask in filled else None for mask, piece in enumerate(ids))


def evaluate(
    reader: Reader, fillings: Sequence[Sequence[int]], order: Sequence[int]
) -> tuple[tuple[FillingPath, ...], tuple[tuple[Any, ...], ...]]:
    """The joint log-probability of given fillings in an order.

    Returns:
        A path for every filling, and for every filling the rows (log-probabilities of the whole
        vocabulary) that its steps saw, in the order of the steps.
    """
    questions = [
        MaskQuery(before(ids, order, step), (mask,))
        for ids in fillings
        for step, mask in enumerate(order)
    ]
    rows = [answer[0] for answer in reader.read(questions)]
    paths: list[FillingPath] = []
    seen: list[tuple[Any, ...]] = []
    for number, ids in enumerate(fillings):
        steps = rows[number * len(order) : (number + 1) * len(order)]
        logs = [0.0] * len(ids)
        ranks = [0] * len(ids)
        for mask, row in zip(order, steps, strict=True):
            value = row[ids[mask]]
            logs[mask], ranks[mask] = float(value), rank_of(row, ids[mask])
        paths.append(FillingPath(tuple(ids), tuple(logs), tuple(ranks)))
        seen.append(tuple(steps))
    return tuple(paths), tuple(seen)


def independent(rows: Any, count: int) -> list[tuple[int, ...]]:
    """The fillings with the largest product of probabilities when each mask is taken alone.

    Args:
        rows: Log-probabilities (masks x vocabulary).
        count: Fillings wanted; fewer where there are no more.

    Returns:
        Exactly the best ones: only the `count` best pieces of a mask can be in them.
    """
    import torch

    top, ids = torch.topk(rows.cpu().double(), min(count, rows.shape[-1]), dim=-1)
    best: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for logs, pieces in zip(top.tolist(), ids.tolist(), strict=True):
        best = heapq.nlargest(
            count,
            (
                (total + log, (*so_far, piece))
                for total, so_far in best
                for log, piece in zip(logs, pieces, strict=True)
            ),
            key=lambda one: one[0],
        )
    return [ids for _, ids in best]


def beam(
    reader: Reader, order: Sequence[int], width: int, context: Context
) -> tuple[FillingPath, ...]:
    """The most probable fillings that a beam of a width finds, most probable first.

    At every step each filling that is kept is asked for the next mask of the order, all of them in
    one batch, and the `width` most probable continuations are kept. A width of 1 takes the best
    piece at every step; one as large as the vocabulary to the power of (masks - 1) is exact.
    """
    import torch

    opened: list[FillingPath] = [FillingPath((), (), ())]
    for step, mask in enumerate(order):
        context.progress(N_("filling masks"), float(step), float(len(order)))
        questions = [
            MaskQuery(_opened(path, order[:step], reader.masks), (mask,)) for path in opened
        ]
        rows = torch.cat(reader.read(questions))
        totals = torch.tensor([path.total for path in opened], dtype=torch.float64)
        scores = (rows.cpu().double() + totals[:, None]).flatten()
        top, places = torch.topk(scores, min(width, len(scores)))
        pieces = rows.shape[-1]
        kept = []
        for place in places[torch.isfinite(top)].tolist():
            path, row = opened[place // pieces], rows[place // pieces]
            value = row[place % pieces]
            kept.append(
                FillingPath(
                    (*path.ids, place % pieces),
                    (*path.logs, float(value)),
                    (*path.ranks, rank_of(row, place % pieces)),
                )
            )
        opened = kept
    return tuple(_in_reading_order(path, order) for path in opened)


def confident(reader: Reader, context: Context) -> tuple[FillingPath, tuple[int, ...]]:
    """Fill the mask whose best piece is most probable, look again, and so on.

    Returns:
        The filling, and the order it was filled in.
    """
    filling: list[int | None] = [None] * reader.masks
    logs = [0.0] * reader.masks
    order: list[int] = []
    while len(order) < reader.masks:
        context.progress(N_("filling masks"), float(len(order)), float(reader.masks))
        masks = tuple(mask for mask, piece in enumerate(filling) if piece is None)
        rows = reader.read([MaskQuery(tuple(filling), masks)])[0]
        values, ids = rows.max(dim=-1)
        sure = int(values.argmax())
        mask = masks[sure]
        filling[mask], logs[mask] = int(ids[sure]), float(values[sure])
        order.append(mask)
    ids_now = tuple(piece for piece in filling if piece is not None)
    return FillingPath(ids_now, tuple(logs), (1,) * reader.masks), tuple(order)


def _opened(path: FillingPath, order: Sequence[int], masks: int) -> Filling:
    """A path that was made in an order, with the masks that are still open."""
    filling: list[int | None] = [None] * masks
    for mask, piece in zip(order, path.ids, strict=True):
        filling[mask] = piece
    return tuple(filling)


def _in_reading_order(path: FillingPath, order: Sequence[int]) -> FillingPath:
    """A path's parts by mask, where they were by step."""
    steps = sorted(range(len(order)), key=lambda step: order[step])
    return FillingPath(
        tuple(path.ids[step] for step in steps),
        tuple(path.logs[step] for step in steps),
        tuple(path.ranks[step] for step in steps),
    )
