"""The first word at every token: `CalibrationRequest`'s answer."""

import math

from explorer.api.question import Context, LoadedModel, UserMistake
from explorer.questions.masking.calibration.question import (
    CalibrationRequest,
    CalibrationResult,
    JudgedToken,
)
from explorer.questions.masking.calibration.word_classes import classes_of
from explorer.questions.masking.hidden_in_turn import TextToScore, score_texts


def run(model: LoadedModel, request: CalibrationRequest, context: Context) -> CalibrationResult:
    """Hide every token in turn, and read the first word in its place.

    Raises:
        Unavailable: The model has no head that predicts tokens, or sees both sides and is asked
            from left to right.
        UserMistake: There is no token to ask about.
        MachineFault: There is not enough memory even for one pass.
        Cancelled: The run was cancelled; checked before every layer.
    """
    text = TextToScore(request.text, request.pair, request.method)
    (scored,) = score_texts(model, [text], context)
    if isinstance(scored, UserMistake):
        raise scored
    classes = classes_of(scored.encoded.tokens, request.text, request.pair)
    places = tuple(
        JudgedToken(
            one.position,
            classes[one.position],
            one.predictions[0].probability,
            one.predictions[0].word,
            one.predictions[0].id == scored.encoded.tokens[one.position].id,
            math.exp(one.log_probability),
        )
        for one in scored.surprises
    )
    return CalibrationResult(
        model.stamp, scored.encoded.tokens, scored.method, places, scored.encoded.left_out
    )
