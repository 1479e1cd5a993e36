"""What to look at first: whether the best method is surely better than the worst one."""

from typing import Any

from explorer.api.question import Headline
from explorer.questions.cause.attribution_benchmark.tested import AttributionBenchmarkResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import percent


def headline(result: AttributionBenchmarkResult, **_shown: Any) -> Headline:
    """How far the methods are apart, where their intervals allow to say so."""
    best, worst = result.ranked[0], result.ranked[-1]
    values = {
        "best": best.way.title,
        "high": percent(best.share, 1),
        "worst": worst.way.title,
        "low": percent(worst.share, 1),
    }
    if best.low <= worst.high:
        return Headline()  # so many places tell no method from another
    sentence = Phrase(
        N_(
            "{best} is right at {high} of the places, {worst} only at {low}, and their "
            "intervals do not overlap."
        ),
        **values,
    )
    return Headline(sentence)
