"""What is lost when each unit is taken out."""

from itertools import groupby
from typing import Any

import numpy as np

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.explained import ExplainedAnswer, Units
from explorer.attribution.removals import alike, without
from explorer.text import N_


def deletion(explained: ExplainedAnswer, own: Any, units: Units) -> Scores:
    """What is lost when each unit is taken out and the text closes up (Li et al. 2017)."""
    import torch

    whole = float(explained.values(own[None])[0])
    numbered = sorted(range(len(units)), key=lambda n: alike(explained, units[n]))
    found: Scores = np.empty(len(units))
    # Texts that differ in nothing but their pieces share a pass.
    for _key, group in groupby(numbered, key=lambda n: alike(explained, units[n])):
        numbers = list(group)
        shorter = without(explained, units[numbers[0]])
        kept = [[n for n in range(len(own)) if n not in units[number]] for number in numbers]
        values = shorter.values(torch.stack([own[places] for places in kept]))
        found[numbers] = whole - values.numpy()
    return found


METHOD = AttributionMethod(
    "deletion",
    MethodDescription(
        N_("Occlusion by deletion"),
        N_("What the value loses when a word is taken out and the text closes up."),
        N_("Li et al. 2017"),
        from_baseline=False,
    ),
    lambda asked: deletion(asked.explained, asked.own, asked.units),
    by_unit=True,
    texts=lambda tokens, _steps, _samples: tokens,
    short=N_("deletion"),
    order=60,
)
