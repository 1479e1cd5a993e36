"""Which of a student's layers came from which of its teacher's, told by the weights themselves.

A layer that began as a copy still points the same way after training; two layers that were
trained apart are as good as orthogonal, since vectors of a million numbers nearly always are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.api.family import Role
from explorer.api.family.tensors import layer_of
from explorer.text import N_

Named = tuple[Any, Callable[[str], Role]]
"""A torch module, and what a tensor of its family is for, by its name."""

LIKE = 0.2
"""Cosine from which a layer may be a descendant; unrelated layers of 100,000 weights stay within
0.02 (five standard deviations, 1 / sqrt(n) each)."""
CLEARLY = 1.5
"""How many times as like the best layer must be as the second best."""


@dataclass(frozen=True)
class Ancestry:
    """How like the layers of two models are.

    Attributes:
        cosines: Student's layers x teacher's layers: cosine of all matrices of a layer, taken
            together as one vector.
        by_role: For each role that both have, in the order of roles: the same of that matrix
            alone (roles x student's layers x teacher's layers).
        roles: Their names.
        came_from: For each of the student's layers the teacher's it came from; None where no
            layer is clearly the one.
        embedding: Cosine of the piece embeddings; None where their sizes differ.
        why_not: Why weights can't be compared; "" where they can.
    """

    cosines: np.ndarray
    by_role: np.ndarray
    roles: tuple[str, ...]
    came_from: tuple[int | None, ...]
    embedding: float | None = None
    why_not: str = ""


def ancestry_of(student: Named, teacher: Named, check: Callable[[], None]) -> Ancestry:
    """Compare the layers of two loaded models.

    Args:
        student: With its weights.
        teacher: With its weights.
        check: Called before each of the student's layers; raises to stop.
    """
    ours, theirs = _layers(student), _layers(teacher)
    embedding = _embedding_cosine(student, teacher)
    if not ours or not theirs:
        return _nothing(N_("One of the two has no numbered layers."), embedding)
    roles = tuple(role for role in ours[0] if all(role in layer for layer in (*ours, *theirs)))
    # A mixture of experts may begin with layers of another shape.
    alike = tuple(r for r in roles if len({layer[r].shape for layer in (*ours, *theirs)}) == 1)
    if not alike:
        return _nothing(
            N_(
                "Their layers differ in width: no matrix of a layer fits one of the other's layers."
            ),
            embedding,
        )
    by_role = np.zeros((len(alike), len(ours), len(theirs)))
    norms = np.zeros_like(by_role)
    products = np.zeros_like(by_role)
    for i, mine in enumerate(ours):
        check()
        for j, other in enumerate(theirs):
            for r, role in enumerate(alike):
                a, b = mine[role].flatten().double(), other[role].flatten().double()
                products[r, i, j] = float(a @ b)
                norms[r, i, j] = float(a.norm() * b.norm())
                by_role[r, i, j] = products[r, i, j] / max(norms[r, i, j], 1e-30)
    whole = _whole(ours, alike)[:, None] * _whole(theirs, alike)[None, :]
    cosines = products.sum(axis=0) / np.maximum(whole, 1e-30)
    for array in (cosines, by_role):
        array.setflags(write=False)
    names = tuple(role.value for role in alike)
    return Ancestry(cosines, by_role, names, _best(cosines), embedding)


def _layers(model: Named) -> list[dict[Role, Any]]:
    """For each layer its matrices by role."""
    module, role_of = model
    found: dict[int, dict[Role, Any]] = {}
    for name, weight in module.named_parameters():
        number, role = layer_of(name), role_of(name)
        if number is not None and weight.dim() > 1 and not role.startswith("Head"):
            found.setdefault(number, {}).setdefault(role, weight.detach().cpu())
    return [found[number] for number in sorted(found)]


def _whole(layers: list[dict[Role, Any]], roles: tuple[Role, ...]) -> np.ndarray:
    """The length of each layer's matrices as one vector."""
    squares = [sum(float(layer[r].double().square().sum()) for r in roles) for layer in layers]
    lengths: np.ndarray = np.sqrt(np.array(squares))
    return lengths


def _best(cosines: np.ndarray) -> tuple[int | None, ...]:
    found: list[int | None] = []
    for row in cosines:
        order = np.argsort(row)[::-1]
        best = float(row[order[0]])
        second = float(row[order[1]]) if len(order) > 1 else 0.0
        clear = best >= LIKE and best >= CLEARLY * max(second, 0.0)
        found.append(int(order[0]) if clear else None)
    return tuple(found)


def _embedding_cosine(student: Named, teacher: Named) -> float | None:
    tables = []
    for module, role_of in (student, teacher):
        named = module.named_parameters()
        tables.append(next((w for n, w in named if role_of(n) is Role.PIECES), None))
    a, b = tables
    if a is None or b is None or a.shape != b.shape:
        return None
    a, b = (one.detach().cpu().flatten().double() for one in (a, b))
    return float(a @ b / (a.norm() * b.norm()))


def _nothing(why: str, embedding: float | None) -> Ancestry:
    return Ancestry(np.zeros((0, 0)), np.zeros((0, 0, 0)), (), (), embedding, why)
