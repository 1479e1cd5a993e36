"""What to look at first: where more is read off a state than which word it is."""

from explorer.api.question import Headline, layer_phrase
from explorer.questions.layers.probe.question import FEW_TYPES, ProbeResult
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING


def headline(result: ProbeResult) -> Headline:
    """Selectivity, or the fall on words that were never trained on, whichever is larger.

    A difference counts where it has the same sign on every split.
    """
    scores, best = result.scores, result.best
    selectivity = scores.selectivity
    at = int(selectivity.mean(axis=1).argmax())
    values = {
        "layer": layer_phrase(result.layers[best]),
        "share": in_percent(float(scores.accuracy[best].mean())),
    }
    if (scores.accuracy[best] - scores.majority).min() <= 0 or result.types < FEW_TYPES:
        values |= {"majority": in_percent(float(scores.majority.mean()))}
        return Headline(_beside_majority(result, values))
    unseen = None if result.withheld is None else result.withheld.accuracy[best]
    if unseen is not None and scores.accuracy[best].min() > unseen.max():
        fall = float(scores.accuracy[best].mean() - unseen.mean())
        if fall > selectivity[at].mean():
            sentence = Phrase(
                N_(
                    "The probe has memorised the words: at {layer} it gets {share} right, and "
                    "{new} of words that it was never trained on."
                ),
                new=in_percent(float(unseen.mean())),
                **values,
            )
            return Headline(sentence)
    values = {
        "layer": layer_phrase(result.layers[at]),
        "share": in_percent(float(scores.accuracy[at].mean())),
        "control": in_percent(float(scores.control[at].mean())),
    }
    if selectivity[at].min() <= 0:
        return Headline()  # no layer tells more than which word it is
    sentence = Phrase(
        N_(
            "Selectivity is largest at {layer}: the probe gets {share} of the labels right, and "
            "only {control} of random ones."
        ),
        **values,
    )
    return Headline(sentence)


def _beside_majority(result: ProbeResult, values: dict[str, str]) -> Phrase:
    """Where selectivity says nothing: beside what always saying one label gets."""
    scores, best = result.scores, result.best
    if (scores.accuracy[best] - scores.majority).min() <= 0:
        return NOTHING
    return Phrase(
        N_(
            "The probe of {layer} is furthest above always saying the commonest label: {share} "
            "right instead of {majority}."
        ),
        **values,
    )
