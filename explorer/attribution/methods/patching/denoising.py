"""Activation patching that restores: states of the text in runs on the baseline."""

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.patching import PASSES, restored
from explorer.attribution.scoring import ScoresAsked
from explorer.text import N_


def most_restored(asked: ScoresAsked) -> Scores:
    """The most that a word's state brings back in any layer: its brightest cell."""
    found: Scores = restored(asked).max(0)
    return found


METHOD = AttributionMethod(
    "patching_denoising",
    MethodDescription(
        N_("Activation patching, denoising"),
        N_(
            "The most that a word's state in one layer brings back in a run on the baseline, over "
            "all layers."
        ),
        N_("Meng et al. 2022; Zhang and Nanda 2024"),
        from_baseline=False,
    ),
    most_restored,
    by_unit=True,
    takes=frozenset({"baseline"}),
    texts=lambda tokens, _steps, _samples: PASSES * tokens,
    short=N_("denoising"),
    order=190,
)
