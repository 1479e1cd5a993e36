"""Beam search as transformers' `generate` does it, with every branch that was looked at kept."""

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Generic, TypeVar

from explorer.api.family import Context, GenerationState
from explorer.hf.generate.loop import most_new, ruled, told
from explorer.hf.generate.rules import Rules
from explorer.hf.generate.warping import Warped, warped

Seen = TypeVar("Seen")


class BranchFate(enum.StrEnum):
    """What became of a branch."""

    KEPT = "kept"
    """It was gone on with."""
    PRUNED = "pruned"
    """It was looked at, and others were better."""
    ENDED = "ended"
    """It ended, and is one of the texts that were found."""


@dataclass(frozen=True)
class Search:
    """How beams are searched.

    Attributes:
        beams: Continuations that are gone on with at each step.
        most: Tokens at most.
        length_penalty: The power of its length by which a text's log-probability is divided:
            above 0 longer texts win more often, below 0 shorter ones.
        early: Stop as soon as as many texts ended as there are beams.
        taken: The first tokens, given.
    """

    beams: int
    most: int
    length_penalty: float = 1.0
    early: bool = False
    taken: tuple[int, ...] = ()


@dataclass
class BeamBranch:
    """One token of the tree.

    Attributes:
        parent: The branch that it goes on from, by its number; None at the root.
        id: The piece.
        log_probability: Of this token after those before it, in nats.
        sum: Of all tokens up to this one; one that the checkpoint forces adds nothing.
        step: Which token of the text, from 0.
        fate: What became of it.
        score: Of a text that ended here: the sum of all tokens that were not given, divided by a
            power of their number.
    """

    parent: int | None
    id: int
    log_probability: float
    sum: float
    step: int
    fate: BranchFate = BranchFate.PRUNED
    score: float | None = None


@dataclass
class Tree(Generic[Seen]):
    """All that was looked at.

    Attributes:
        branches: In the order in which they were found.
        best: The branch at which the best text ends; None where nothing was written.
        seen: What was made of the distribution behind each branch that was gone on with; under
            None that of the beginning.
    """

    branches: list[BeamBranch] = field(default_factory=list)
    best: int | None = None
    seen: dict[int | None, Seen] = field(default_factory=dict)

    def path(self, branch: int | None) -> list[int]:
        """The branches from the first token to one, by number."""
        found: list[int] = []
        while branch is not None:
            found.append(branch)
            branch = self.branches[branch].parent
        return found[::-1]

    def ids(self, branch: int | None) -> list[int]:
        """The pieces up to a branch."""
        return [self.branches[one].id for one in self.path(branch)]


def beam_search(
    writing: GenerationState,
    search: Search,
    see: Callable[[Warped, tuple[int, ...]], Seen],
    context: Context,
    look: Callable[[Tree[Seen]], None] = lambda _tree: None,
) -> Tree[Seen]:
    """The text whose tokens are together most probable, as far as a beam finds it.

    Args:
        writing: What is gone on with.
        search: How.
        see: What is kept of each distribution, from it and the pieces that the tree goes on with.
        context: For progress, and for a cancel between tokens.
        look: Called with the tree after every step.
    """
    tree: Tree[Seen] = Tree()
    most = most_new(writing, search.most)
    rules = Rules(writing.opening, most)
    first = _given(tree, writing, search.taken[:most], see, context)
    running: list[int | None] = [first]
    ended: list[int] = []
    begin = 0 if first is None else tree.branches[first].step + 1
    before = 0.0 if first is None else tree.branches[first].sum
    if first is not None and (begin >= most or tree.branches[first].id in writing.opening.ends):
        tree.best = first
        return tree
    for step in range(begin, most):
        told(context, step, most)
        written = [tree.ids(one) for one in running]
        rows = writing.logits(written, context)
        logs = rows.log_softmax(-1)
        scores = rules(written, logs)
        found = _candidates(tree, running, logs, scores, search.beams, writing.opening.ends, step)
        for one, ids, row in zip(running, written, rows, strict=True):
            next_ids = tuple(tree.branches[n].id for n in found if tree.branches[n].parent == one)
            tree.seen[one] = see(warped(row, ruled(rules), written=ids), next_ids)
        is_last = step + 1 == most
        done = [tree.branches[one].id in writing.opening.ends or is_last for one in found]
        # Only what is among the best may end: the rest is there so that enough goes on.
        for one, ends in zip(found[: search.beams], done, strict=False):
            if ends and not (search.early and len(ended) == search.beams):
                branch = tree.branches[one]
                branch.score = (branch.sum - before) / (step + 1 - begin) ** search.length_penalty
                ended.append(one)
        ended = sorted(ended, key=lambda one: -_score(tree, one))[: search.beams]
        going = [one for one, ends in zip(found, done, strict=True) if not ends][: search.beams]
        for one in going:
            tree.branches[one].fate = BranchFate.KEPT
        running = [*going]
        tree.best = ended[0] if ended else going[0]
        look(tree)
        full = len(ended) == search.beams
        if all(done) or (full and search.early):
            break
        reach = (step + 1 - begin) ** search.length_penalty
        if full and (tree.branches[going[0]].sum - before) / reach <= _score(tree, ended[-1]):
            break
    for one in ended:
        tree.branches[one].fate = BranchFate.ENDED
    return tree


def _given(
    tree: Tree[Seen],
    writing: GenerationState,
    taken: Sequence[int],
    see: Callable[[Warped, tuple[int, ...]], Seen],
    context: Context,
) -> int | None:
    """Put the tokens that are given into a tree; the last one's number."""
    last: int | None = None
    for step, piece in enumerate(taken):
        told(context, step, len(taken))
        row = writing.logits([tree.ids(last)], context)[0]
        one = warped(row, [])
        tree.seen[last] = see(one, (piece,))
        log = float(one.logs[piece])
        before = 0.0 if last is None else tree.branches[last].sum
        tree.branches.append(BeamBranch(last, piece, log, before + log, step, BranchFate.KEPT))
        last = len(tree.branches) - 1
        if piece in writing.opening.ends:
            break
    return last


def _candidates(
    tree: Tree[Seen],
    running: Sequence[int | None],
    logs: Any,
    scores: Any,
    beams: int,
    ends: Sequence[int],
    step: int,
) -> list[int]:
    """The best next tokens of all running branches together, best first, put into the tree."""
    import torch

    sums = [0.0 if one is None else tree.branches[one].sum for one in running]
    scores = scores + torch.tensor(sums, device=logs.device, dtype=logs.dtype)[:, None]
    # At most one of each branch's tokens is each of the ends: as many as there are beams go on.
    wanted = min(max(2, 1 + len(ends)) * beams, scores.numel())
    values, places = torch.topk(scores.flatten(), wanted)
    pieces = logs.shape[-1]
    own = logs.flatten()[places].tolist()
    found = []
    for value, place, log in zip(values.tolist(), places.tolist(), own, strict=True):
        if value == -inf:  # rules leave fewer
            break
        tree.branches.append(BeamBranch(running[place // pieces], place % pieces, log, value, step))
        found.append(len(tree.branches) - 1)
    return found


def _score(tree: Tree[Seen], branch: int) -> float:
    score = tree.branches[branch].score
    assert score is not None
    return score
