"""What to look at first: the phenomenon that the model does not know, or that it knows all."""

from typing import Any

from explorer.api.question import Headline
from explorer.questions.pairs.minimal_pairs.question import (
    SCORE,
    MinimalPairsResult,
    SentenceScore,
    paired_p,
    share_of,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import percent

SURE = 0.05


def headline(result: MinimalPairsResult, score: str = SCORE.default, **_set: Any) -> Headline:
    """Where its interval reaches below chance and that of another phenomenon does not."""
    kind = SentenceScore(score)
    p = paired_p(result, kind)
    if p is not None and p < SURE:
        first, second = (share_of(result, one, kind, None).accuracy for one in result.judged[:2])
        return Headline(
            Phrase(
                N_("The models differ: {first} of the pairs against {second}."),
                first=percent(first, 1),
                second=percent(second, 1),
            )
        )
    shares = {name: share_of(result, result.scored[0], kind, name) for name in result.phenomena}
    shares = {name: one for name, one in shares.items() if name and one.among}
    if len(shares) < 2:
        return Headline()
    worst = min(shares, key=lambda name: shares[name].accuracy)
    best = max(shares, key=lambda name: shares[name].accuracy)
    if shares[worst].interval[1] >= shares[best].interval[0]:
        return Headline()  # so few pairs tell no phenomenon from another
    return Headline(
        Phrase(
            N_("“{worst}” is hardest: right in {low} of its pairs, “{best}” in {high}."),
            worst=result.title_of(worst),
            best=result.title_of(best),
            low=percent(shares[worst].accuracy, 1),
            high=percent(shares[best].accuracy, 1),
        )
    )
