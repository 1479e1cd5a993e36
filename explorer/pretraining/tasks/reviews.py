"""Labelled reviews of films, in each language in which the small world is told."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

from explorer.world.grammar import Grammar
from explorer.world.korean.grammar import korean_world
from explorer.world.scenes import small_world
from explorer.world.tasks.films import (
    NEGATIVE,
    POSITIVE,
    TaskText,
    sentiment,
    task_texts,
    whole_review,
)

LABELS: Final = (NEGATIVE, POSITIVE)
WORLDS: Final = {"en": small_world, "ko": korean_world}
"""Whose reviews are judged, by language."""


def drawn(world: Grammar, seed: int, *, withheld: bool, whole: bool) -> Iterator[TaskText]:
    """An endless stream of labelled reviews; the same arguments give the same stream.

    Args:
        world: Whose they are.
        seed: Of the stream.
        withheld: Those that nobody is trained on, instead of all others.
        whole: Whole reviews, instead of what a film was like.
    """
    draw = functools.partial(whole_review if whole else sentiment, world=world)
    return (one for one in task_texts(draw, seed) if one.is_withheld == withheld)
