"""What to look at first: the step that changes most, read through the lens."""

from explorer.api import Headline
from explorer.questions.layers.lens_headline import largest_step
from explorer.questions.layers.tuned_lens.question import TunedLensResult
from explorer.text.phrase import NOTHING


def headline(result: TunedLensResult) -> Headline:
    """As of the logit lens; nothing where no lens is trained yet."""
    return Headline(NOTHING) if result.read is None else largest_step(result.read)
