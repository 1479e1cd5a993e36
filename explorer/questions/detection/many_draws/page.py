"""Replaced-token detection over many draws of a sentence: what its page declares."""

from collections.abc import Iterator

from explorer.questions.detection.drawing import THRESHOLD
from explorer.questions.detection.many_draws.question import QUESTION
from explorer.questions.detection.outcomes import Outcomes
from explorer.ui.blocks import Block, Shown, page_of_parts


def stays(shown: Shown) -> Iterator[Block]:
    """The outcomes, which are in sight wherever the page is."""
    yield Outcomes(shown.result.counts_at(shown.value(THRESHOLD)))


PAGE = page_of_parts(QUESTION, stays=stays)
