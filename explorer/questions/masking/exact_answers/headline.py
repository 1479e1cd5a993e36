"""What to look at first: what the model is most wrong about."""

from explorer.api import Headline
from explorer.questions.masking.exact_answers.question import About, ExactAnswersResult
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import word_or_piece

SMALL = 0.01
"""An error that does not stand out."""


def headline(result: ExactAnswersResult) -> Headline:
    """The word that the model takes for far too probable or improbable."""
    told = [(place, one) for place in result.places for one in place.words]
    if not told:
        if result.outside is None or result.why:
            return Headline(NOTHING)  # the page says why
        sentence = Phrase(
            N_("The text leaves the miniatures' world at “{word}”: change that word to compare."),
            word=result.word,
        )
        return Headline(sentence, result.outside)
    place, worst = max(told, key=lambda one: abs(one[1].error))
    values = {
        "word": word_or_piece(worst),
        "model": in_percent(worst.model),
        "exact": in_percent(worst.exact),
    }
    if place.about is About.ANSWER and not worst.word:
        sentence = Phrase(
            N_(
                "The model is most wrong about there being no answer: it says {model}, where "
                "{exact} would be exact."
            ),
            **values,
        )
        return Headline(sentence)
    if abs(worst.error) < SMALL:
        return Headline()
    if place.about is About.WORDS:
        sentence = Phrase(
            N_(
                "The model is most wrong about “{word}” at position {position}: it says {model}, "
                "where {exact} would be exact."
            ),
            position=str(place.position),
            **values,
        )
    else:
        sentence = Phrase(
            N_(
                "The model is most wrong about “{word}”: it says {model}, where {exact} would be "
                "exact."
            ),
            **values,
        )
    return Headline(sentence, place.position if place.about is About.WORDS else None)
