"""What to look at first: the step from one layer to the next that changes most."""

from explorer.api import Headline
from explorer.questions.layers.lens_headline import largest_step
from explorer.questions.layers.logit_lens.question import LogitLensResult


def headline(result: LogitLensResult) -> Headline:
    """Where the word that is predicted at the end moves most."""
    return largest_step(result)
