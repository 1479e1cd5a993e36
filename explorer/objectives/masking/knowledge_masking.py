"""Knowledge masking: whole entities and whole phrases.

Sun et al. 2019 (ERNIE, Baidu), section 3.2. 15 % of a text are masked in units of one of three
levels: basic (words, which for English are the basic units), phrase (a few phrases are chosen, and
all words of each are masked and predicted), entity (likewise with the names of things and people).
A phrase or name cannot then be guessed from its own other words; it has to be known.

What differs from the paper: there the levels are three stages of training, one after the other;
here each text draws its level, so that the last does not wash out the first. A unit is replaced as
a whole (80/10/10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from explorer.objectives.masking.span_masking import Range

BASIC, PHRASE, ENTITY = "basic", "phrase", "entity"
LEVELS: Final = (BASIC, PHRASE, ENTITY)


def choose_units(
    units: Mapping[str, Sequence[Range]], room: int, generator: np.random.Generator
) -> list[Range]:
    """Units of one level, drawn at random.

    Args:
        units: the tokens of each unit, by level; there are basic ones at least.
        room: how many tokens may be selected. One unit is taken even where it is longer; more
            follow as long as they fit.
        generator: source of randomness.
    """
    level = LEVELS[int(generator.integers(len(LEVELS)))]
    offered = units.get(level) or units[BASIC]
    chosen: list[Range] = []
    for index in generator.permutation(len(offered)):
        start, end = offered[int(index)]
        if chosen and end - start > room:
            continue
        chosen.append((start, end))
        room -= end - start
        if room <= 0:
            break
    return sorted(chosen)
