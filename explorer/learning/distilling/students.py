"""Students: fresh ones, and those that begin with layers of their teacher."""

from __future__ import annotations

import re
from typing import Any, Final

from explorer.learning.distilling.choices import StudentStart
from explorer.learning.distilling.plan import DistilPlan
from explorer.learning.models.encoders import spread

FITS: Final = "fits"
"""What a student's projections are called beside its own weights."""
_OF_LAYER = re.compile(r"(.*\b(?:layer|h)\.)(\d+)(\..*)")
_TABLE_OF_PLACES = re.compile(r"position_embeddings\.weight$|wpe\.weight$")


def copied_layers(plan: DistilPlan, teacher_layers: int) -> tuple[int, ...]:
    """For each layer of the student the teacher's that it begins with."""
    if plan.start is StudentStart.FIRST:
        return tuple(range(plan.layers))
    return tuple(layer * teacher_layers // plan.layers for layer in range(plan.layers))


def begin_as(student: Any, teacher: Any, layers: tuple[int, ...]) -> None:
    """Give a fresh student a teacher's embeddings, head and some of its layers.

    Args:
        student: As wide as the teacher; changed.
        teacher: Its weights are called as the student's.
        layers: The teacher's, one for each of the student.

    Raises:
        KeyError: The teacher has no weights of that name.
    """
    taught, own = teacher.state_dict(), student.state_dict()
    prefixes = (f"{student.base_model_prefix}.", f"{teacher.base_model_prefix}.")
    begun = {}
    for name, fresh in own.items():
        source = name.replace(prefixes[0], prefixes[1], 1) if name.startswith(prefixes[0]) else name
        if found := _OF_LAYER.fullmatch(source):
            source = f"{found[1]}{layers[int(found[2])]}{found[3]}"
        weight = taught[source]
        # A student may read shorter texts.
        begun[name] = weight[: len(fresh)] if _TABLE_OF_PLACES.search(name) else weight
    student.load_state_dict(begun)


def add_projections(student: Any, width: int, teacher_width: int, layers: int) -> None:
    """Give a student matrices to its teacher's width: of what its layers read, and of each.

    Args:
        student: Gets `FITS`.
        width: Of its states.
        teacher_width: Of the teacher's.
        layers: The student's.
    """
    from torch import nn

    fits = [nn.Linear(width, teacher_width, bias=False) for _ in range(layers + 1)]
    for one in fits:
        nn.init.normal_(one.weight, std=spread(width))
    setattr(student, FITS, nn.ModuleList(fits))


def without_projections(student: Any) -> Any:
    """A copy of a student that is written: nobody needs its projections any more."""
    fresh = type(student)(student.config)
    weights = student.state_dict()
    own = {name: one for name, one in weights.items() if not name.startswith(f"{FITS}.")}
    fresh.load_state_dict(own)
    return fresh.train(student.training)
