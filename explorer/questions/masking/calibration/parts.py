"""How sure the model is of every token's place, and whether that is deserved."""

from collections.abc import Iterator

from explorer.api.question import Amounts, Calibration, Manner, Rows, Said, Score, Scores
from explorer.questions.masking.calibration import pooling
from explorer.questions.masking.calibration.bundled import bundled
from explorer.questions.masking.calibration.question import CalibrationResult
from explorer.questions.masking.hiding import method_said
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.pieces import readable


def parts(result: CalibrationResult) -> Iterator[Said | Amounts | Calibration | Rows | Scores]:
    """The text on colours of its confidence, then what all of its tokens say together."""
    scores = []
    for one in result.places:
        said = (
            N_("{share} for “{first}”, which is right.")
            if one.is_right
            else N_("{share} for “{first}”, which is wrong.")
        )
        words = Phrase(said, share=in_percent(one.confidence), first=readable(one.first))
        # Wrong ones go to the other side: a strong colour there is a sure mistake.
        value = one.confidence if one.is_right else -one.confidence
        scores.append(Score(one.position, value, words=words))
    yield from pooling.parts(result.pooled)
    yield Said(N_("Confidence, token by token"), Manner.TITLE)
    name = N_("Confidence in the first word: above 0 where it is right, below where it is wrong")
    yield Said(name, Manner.EXPLANATION)
    yield Scores(result.tokens, tuple(scores), name, high=1.0)
    yield Said(method_said(result.method), Manner.ABOUT)
    yield from bundled(result.model.id)
