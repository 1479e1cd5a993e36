"""What to look at first: the place at which most errors remain."""

from explorer.api import Headline
from explorer.numerics.evaluation.outcomes import DEFAULT_THRESHOLD
from explorer.questions.detection.many_draws.question import ManyDrawsResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant, whole
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import readable


def headline(result: ManyDrawsResult, threshold: float = DEFAULT_THRESHOLD) -> Headline:
    """The token in whose place most replacements are missed, else most false alarms are raised.

    Numbers of errors are compared and not shares, which few draws would leave to chance.

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
    if counts.false_alarms:
        sentence = Phrase(
            N_(
                "No replacement is missed at a threshold of {threshold}, but “{word}” is called "
                "replaced in {alarms} of {originals} draws where it is not."
            ),
            threshold=at,
            word=readable(place.piece),
            alarms=whole(counts.false_alarms),
            originals=whole(counts.false_alarms + counts.correct_rejections),
        )
        return Headline(sentence, place.position)
    most = int(abs(result.probability - result.truth).argmax())
    place = result.places[int(result.place[most])]
    sentence = Phrase(
        N_(
            "At a threshold of {threshold}, no verdict is wrong; in the hardest case, “{word}”, "
            "the chance of a replacement is put at {share}."
        ),
        threshold=at,
        word=readable(place.piece),
        share=in_percent(float(result.probability[most])),
    )
    return Headline(sentence, place.position)
