"""What to look at first: whether the best method is surely better than the worst one."""

from explorer.api import Headline
from explorer.questions.cause.attribution_benchmark.question import AttributionBenchmarkResult
from explorer.questions.cause.attribution_benchmark.wording import title_phrase
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import percent


def headline(result: AttributionBenchmarkResult) -> Headline:
    """How far the methods are apart, where their intervals allow to say so."""
    best, worst = result.ranked[0], result.ranked[-1]
    values = {
        "best": title_phrase(best.way),
        "high": percent(best.share, 1),
        "worst": title_phrase(worst.way),
        "low": percent(worst.share, 1),
    }
    if best.low > worst.high:
        sentence = Phrase(
            N_(
                "{best} is right at {high} of the places, {worst} only at {low}, and their "
                "intervals do not overlap."
            ),
            **values,
        )
        return Headline(sentence)
    sentence = Phrase(
        NN_(
            "With {count} place, no method is clearly better: even the intervals of {best} "
            "({high}) and {worst} ({low}) overlap.",
            "With {count} places, no method is clearly better: even the intervals of {best} "
            "({high}) and {worst} ({low}) overlap.",
        ),
        count=len(result.places),
        **values,
    )
    return Headline(sentence)
