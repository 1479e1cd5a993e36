"""What to look at first: the surest mask, and the one where the model hesitates."""

from explorer.api import Headline
from explorer.api.question.standing_out import CERTAIN, FLAT, lead
from explorer.questions.masking.masked_tokens.question import MaskedTokensResult, MaskPredictions
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.pieces import drawn


def headline(result: MaskedTokensResult) -> Headline:
    """How sure the model is of the surest mask, and of the least sure one."""
    if len(result.masks) == 1:
        return Headline(_of_one(result.masks[0]), result.masks[0].position)
    surest = max(result.masks, key=_chance)
    least = min(result.masks, key=_chance)
    best = surest.predictions[0]
    values = {"word": drawn(best), "share": in_percent(best.probability)}
    if _chance(surest) < FLAT:
        return Headline()
    other = drawn(least.predictions[0])
    if _chance(least) >= CERTAIN:
        values |= {"other": other, "its": in_percent(_chance(least))}
        sentence = Phrase(
            N_(
                "The model is all but certain at every mask: “{word}” has {share}, and the least "
                "sure, “{other}”, still {its}."
            ),
            **values,
        )
        return Headline(sentence, least.position)
    values |= {"position": str(least.position), "first": other}
    if len(least.predictions) > 1:
        values |= {"second": drawn(least.predictions[1])}
        if _chance(surest) >= CERTAIN:
            sentence = Phrase(
                N_(
                    "“{word}” is all but certain ({share}), while the model is least sure at "
                    "position {position}, between “{first}” and “{second}”."
                ),
                **values,
            )
        else:
            sentence = Phrase(
                N_(
                    "The model is surest of “{word}” ({share}), and least sure at position "
                    "{position}, between “{first}” and “{second}”."
                ),
                **values,
            )
        return Headline(sentence, least.position)
    values |= {"its": in_percent(_chance(least))}
    sentence = Phrase(
        N_(
            "The model is surest of “{word}” ({share}), and least sure of “{first}” at "
            "position {position} ({its})."
        ),
        **values,
    )
    return Headline(sentence, least.position)


def _chance(mask: MaskPredictions) -> float:
    return mask.predictions[0].probability


def _of_one(mask: MaskPredictions) -> Phrase:
    words = [(drawn(one), one.probability) for one in mask.predictions[:2]]
    return lead(words)
