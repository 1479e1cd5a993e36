"""Activation patching that disturbs: states of the baseline in runs on the text."""

from explorer.api.attribution import AttributionMethod, MethodDescription, Scores
from explorer.attribution.patching import PASSES, disturbed
from explorer.attribution.scoring import ScoresAsked
from explorer.text import N_


def most_disturbed(asked: ScoresAsked) -> Scores:
    """The most that is lost with a word's state of the baseline in any layer."""
    found: Scores = disturbed(asked).max(0)
    return found


METHOD = AttributionMethod(
    "patching_noising",
    MethodDescription(
        N_("Activation patching, noising"),
        N_(
            "The most that the value loses with a word's state of a run on the baseline in one "
            "layer, over all layers; after the embeddings that is occlusion."
        ),
        N_("Vig et al. 2020; Zhang and Nanda 2024"),
        from_baseline=False,
    ),
    most_disturbed,
    by_unit=True,
    takes=frozenset({"baseline"}),
    texts=lambda tokens, _steps, _samples: PASSES * tokens,
    short=N_("noising"),
    order=200,
)
