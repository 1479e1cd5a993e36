"""Whether a disk has room for a run, asked before anything is trained."""

import shutil
from pathlib import Path

from explorer.api.question import MachineFault
from explorer.learning.plan.run_plan import RunPlan
from explorer.learning.runs.beginning import numbers_of
from explorer.learning.runs.frame_steps import frame_steps
from explorer.text import N_
from explorer.text.formatting.quantities import bytes_precisely

FLOAT = 4
BESIDE = 300_000
"""Bytes of what lies beside the weights of a frame: its tokenizer and config."""
STATES = 6
"""A state has the weights and AdamW's two averages, and a new one is written beside the old one."""


def bytes_needed(steps: int, weights: int) -> int:
    """What a run takes.

    Args:
        steps: Of the whole run.
        weights: How many numbers the model has.
    """
    frame = weights * FLOAT + BESIDE
    return len(frame_steps(steps)) * frame + state_bytes(weights)


def state_bytes(weights: int) -> int:
    """What the state of a run takes while a new one is written beside it.

    Args:
        weights: How many numbers the model has.
    """
    return STATES * weights * FLOAT


def check_room(folder: Path, plan: RunPlan) -> None:
    """Refuse a plan for which there is no room.

    Raises:
        MachineFault: There is less than it takes.
    """
    refuse_without_room(folder, bytes_needed(plan.steps, numbers_of(plan)))


def refuse_without_room(folder: Path, needed: int) -> None:
    """Refuse where less is free.

    Args:
        folder: Where it is to lie; need not exist.
        needed: Bytes.

    Raises:
        MachineFault: There is less.
    """
    there = next((one for one in (folder, *folder.parents) if one.is_dir()), None)
    if there is None:
        return
    try:
        free = shutil.disk_usage(there).free
    except OSError:
        return
    if free < needed:
        raise MachineFault(
            N_("The run takes about {needed}, and the disk has {free} left."),
            N_("Make room, or train fewer steps or a smaller model."),
            needed=bytes_precisely(needed),
            free=bytes_precisely(free),
        )
