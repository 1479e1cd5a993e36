"""What goes into a step of a pass, found among what was there before by its numbers."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from explorer.api.ports.passes import Floats, PassStep, StepKind

LATEST = 10
"""Steps as wide among which the parts of a sum are looked for, with the layers' states."""
REMEMBERED = 40
"""Steps among which one is looked for that gave a vector, with the layers' states."""
MOST_ADDED = 4
"""Vectors that are added at once, as a piece's, its place's, its segment's and its task's."""


class StepTrace:
    """Steps as they come, and where each vector comes from.

    Attributes:
        steps: So far; as they came.
        row: Of the steps that come now.
    """

    def __init__(self, epsilon: float) -> None:
        self.steps: list[PassStep] = []
        self.row = ""
        self._epsilon = epsilon

    def add(self, kind: StepKind, vector: Floats, given: tuple[int, ...] = (), **how: Any) -> int:
        """One more step; its number."""
        self.steps.append(PassStep(self.row, kind, vector, given, **how))
        return len(self.steps) - 1

    def end_row(self, number: int) -> None:
        """Mark a step whose vector leaves the row."""
        self.steps[number] = replace(self.steps[number], ends_row=True)

    def find(self, vector: Floats) -> int:
        """The step that gave a vector; where none did, steps that make it of those before."""
        known = self._same(vector)
        if known is not None:
            return known
        for look in (self._sum, self._product, self._scaled, self._joined, self._function):
            found = look(vector)
            if found is not None:
                return found
        latest = (len(self.steps) - 1,) if self.steps else ()
        return self.add(StepKind.OTHER, vector, latest)

    def leading_to(self, last: int) -> tuple[list[PassStep], list[int]]:
        """The steps that a step is made of, and the numbers of the attentions among them.

        What a model makes besides, as a pooler's state or a layer that its head does not read, is
        no part of that.
        """
        wanted, open_ = set[int](), [last]
        while open_:
            number = open_.pop()
            if number not in wanted:
                wanted.add(number)
                open_ += self.steps[number].given
        order = sorted(wanted)
        numbers = {old: new for new, old in enumerate(order)}
        attending = [n for one in order if (n := self.steps[one].attention) is not None]
        kept = []
        for old in order:
            step = self.steps[old]
            seen = None if step.attention is None else attending.index(step.attention)
            given = tuple(numbers[one] for one in step.given)
            kept.append(replace(step, given=given, attention=seen))
        return kept, attending

    def is_same(self, one: Floats, other: Floats) -> bool:
        """Whether two vectors are the same but for rounding."""
        if one.shape != other.shape:
            return False
        most = max(float(np.abs(other).max()), 1e-6)
        return float(np.abs(one - other).max()) <= 8 * self._epsilon * most

    def _same(self, vector: Floats) -> int | None:
        """The latest step with a vector; a half of one counts, as of a gated network's."""
        first = len(self.steps) - REMEMBERED
        for number in range(len(self.steps) - 1, -1, -1):
            if number < first and not self.steps[number].ends_row:
                continue
            own = self.steps[number].vector
            if own.shape == vector.shape and self.is_same(own, vector):
                return number
            if len(own) == 2 * len(vector) and any(
                self.is_same(half, vector) for half in np.split(own, 2)
            ):
                return number
        return None

    def _candidates(self, width: int) -> list[tuple[int, Floats]]:
        """Vectors that could be parts of one: the latest, and those that left rows."""
        own = [(n, s.vector) for n, s in enumerate(self.steps) if len(s.vector) == width]
        ends = [(n, v) for n, v in own[:-LATEST] if self.steps[n].ends_row][-4:]
        return [*ends, *own[-LATEST:]]

    def _sum(self, vector: Floats) -> int | None:
        candidates = self._candidates(len(vector))
        for count in range(2, MOST_ADDED + 1):
            # What was made last is what something is added to, and that is added to little.
            for group in combinations(reversed(candidates), count):
                if self.is_same(np.sum([one for _, one in group], axis=0), vector):
                    return self.add(StepKind.SUM, vector, _numbers(group))
        return None

    def _product(self, vector: Floats) -> int | None:
        width = len(vector)
        parts: list[tuple[int, Floats]] = []
        for number, step in list(enumerate(self.steps))[-LATEST:]:
            if len(step.vector) == width:
                parts.append((number, step.vector))
            elif len(step.vector) == 2 * width:
                parts += [(number, half) for half in np.split(step.vector, 2)]
        for group in combinations(reversed(parts), 2):
            if self.is_same(group[0][1] * group[1][1], vector):
                return self.add(StepKind.PRODUCT, vector, _numbers(group))
        return None

    def _scaled(self, vector: Floats) -> int | None:
        for number, own in reversed(self._candidates(len(vector))):
            square = float(own @ own)
            factor = float(own @ vector) / square if square else 0.0
            if factor and self.is_same(own * factor, vector):
                return self.add(StepKind.SCALED, vector, (number,), factor=factor)
        return None

    def _joined(self, vector: Floats) -> int | None:
        """A token's vector between those of its neighbours."""
        for number in range(len(self.steps) - 1, -1, -1):
            own = self.steps[number].vector
            if len(vector) == 3 * len(own) and self.is_same(own, vector[len(own) : 2 * len(own)]):
                return self.add(StepKind.JOINED, vector, (number,))
        return None

    def _function(self, vector: Floats) -> int | None:
        """A function of each number of the latest vector, alone or added to another one."""
        if not self.steps:
            return None
        last = len(self.steps) - 1
        latest = self.steps[last].vector
        if latest.shape != vector.shape:
            return None
        for name, value in _functions(latest):
            if self.is_same(value, vector):
                return self.add(StepKind.ACTIVATION, vector, (last,), function=name)
            for number, own in reversed(self._candidates(len(vector))):
                if number != last and self.is_same(own + value, vector):
                    made = self.add(StepKind.ACTIVATION, value, (last,), function=name)
                    return self.add(StepKind.SUM, vector, (number, made))
        return None


def _numbers(group: tuple[tuple[int, Floats], ...]) -> tuple[int, ...]:
    return tuple(sorted(number for number, _ in group))


def _functions(vector: Floats) -> Iterator[tuple[str, Floats]]:
    """Functions that models call without a module for them."""
    import torch
    from torch.nn import functional

    own = torch.tensor(vector)
    yield "gelu", functional.gelu(own).numpy()
    yield "relu", functional.relu(own).numpy()
    yield "tanh", torch.tanh(own).numpy()
    yield "silu", functional.silu(own).numpy()
    yield "gelu_new", functional.gelu(own, approximate="tanh").numpy()
    yield "sigmoid", torch.sigmoid(own).numpy()
    yield "relu2", functional.relu(own).square().numpy()
