"""What to look at first: what may be concluded of the claim, with the largest difference."""

from explorer.api.question import Headline
from explorer.learning.experiments.findings import ClaimVerdict
from explorer.questions.learning.experiments.question import ClaimTried, ExperimentsResult
from explorer.questions.learning.experiments.wording import difference_said
from explorer.text.phrase import NOTHING


def headline(result: ExperimentsResult, **_looked_at: object) -> Headline:
    """The difference that decides; silent where nothing can be said."""
    if not result.measured:
        return Headline(NOTHING)
    wanted = result.verdict
    if wanted is ClaimVerdict.IN_PART:
        wanted = ClaimVerdict.BORNE_OUT
    decided = [one for one in result.tried if one.verdict is wanted]
    if wanted is ClaimVerdict.NOTHING or not decided:
        return Headline()
    return Headline(difference_said(max(decided, key=_surety)))


def _surety(tried: ClaimTried) -> float:
    """How many times its interval's half a difference is."""
    if tried.mean is None or tried.low is None or tried.high is None:
        return 0.0
    half = (tried.high - tried.low) / 2
    return abs(tried.mean) / half if half else float("inf")
