"""What to look at first: the step from one layer to the next that changes most."""

from explorer.api import Effect
from explorer.questions.layers.lens_effect import largest_step
from explorer.questions.layers.logit_lens.question import LogitLensResult


def largest_effect(result: LogitLensResult) -> Effect:
    """Where the word that is predicted at the end moves most."""
    return largest_step(result)
