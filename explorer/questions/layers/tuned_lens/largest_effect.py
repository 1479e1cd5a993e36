"""What to look at first: the step that changes most, read through the lens."""

from explorer.api import Effect
from explorer.questions.layers.lens_effect import largest_step
from explorer.questions.layers.tuned_lens.question import TunedLensResult
from explorer.text.phrase import NOTHING


def largest_effect(result: TunedLensResult) -> Effect:
    """As of the logit lens; nothing where no lens is trained yet."""
    return Effect(NOTHING) if result.read is None else largest_step(result.read)
