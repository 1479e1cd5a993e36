"""What to look at first: the place at which most errors remain."""

from explorer.api.question import Headline
from explorer.numerics.evaluation.clustered_rates import wilson
from explorer.numerics.evaluation.outcomes import DEFAULT_THRESHOLD
from explorer.questions.detection.many_draws.question import ManyDrawsResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant, whole
from explorer.text.phrase import NOTHING
from explorer.text.pieces import readable


def headline(result: ManyDrawsResult, threshold: float = DEFAULT_THRESHOLD) -> Headline:
    """The token in whose place most replacements are missed, else most false alarms are raised.

    Numbers of errors are compared and not shares, which few draws would leave to chance; and only
    where they are surely more than at the other places (their interval after Wilson, at 95 %).

    Args:
        result: The answer.
        threshold: Above which a token is called replaced.
    """
    at = significant(threshold, 3)
    by_place = result.counts_by_place(threshold)
    if not by_place:
        return Headline(NOTHING)
    numbers = range(len(by_place))
    most = max(numbers, key=lambda n: by_place[n].misses)
    place, counts = result.places[most], by_place[most]
    if counts.misses:
        every = sum(one.misses for one in by_place) / sum(one.replaced for one in by_place)
        if wilson(counts.misses / counts.replaced, counts.replaced)[0] <= every:
            return Headline()
        sentence = Phrase(
            N_(
                "Most misses are at “{word}”: {misses} of its {replaced} replacements, at a "
                "threshold of {threshold}."
            ),
            threshold=at,
            word=readable(place.piece),
            misses=whole(counts.misses),
            replaced=whole(counts.replaced),
        )
        return Headline(sentence, place.position)
    most = max(numbers, key=lambda n: by_place[n].false_alarms)
    place, counts = result.places[most], by_place[most]
    here = counts.false_alarms + counts.correct_rejections
    every = sum(one.false_alarms for one in by_place) / max(
        1, sum(one.false_alarms + one.correct_rejections for one in by_place)
    )
    if not counts.false_alarms or wilson(counts.false_alarms / here, here)[0] <= every:
        return Headline()
    sentence = Phrase(
        N_(
            "No replacement is missed at a threshold of {threshold}, but “{word}” is called "
            "replaced in {alarms} of {originals} draws where it is not."
        ),
        threshold=at,
        word=readable(place.piece),
        alarms=whole(counts.false_alarms),
        originals=whole(here),
    )
    return Headline(sentence, place.position)
