"""The words a model expects at the masks of a text: `MaskedTokensRequest`'s answer."""

from typing import Any

from explorer.api.question import Context, Direction, Predictor, check_text, check_top_k
from explorer.hf.predict.masked_text import masked_input, note_of, predict_masks
from explorer.hf.predict.span_fillings import fill_spans
from explorer.questions.masking.masked_tokens.question import (
    MaskedTokensRequest,
    MaskedTokensResult,
)


def run(model: Any, request: MaskedTokensRequest, context: Context) -> MaskedTokensResult:
    """Run the model once, and its head at the masked positions only.

    The probabilities are softmax(logits) over the whole vocabulary (Devlin et al. 2019,
    section 3.1, task 1), and several masks are predicted independently of each other.

    Raises:
        Unavailable: The model has no masked-LM head with weights of its own.
        UserMistake: The text is empty, nothing is masked, no prediction is asked for, or there is a
            second text for a model that reads one.
    """
    predictor = model.port(Predictor)
    check_text(request.text)
    check_top_k(request.top_k)
    encoded = masked_input(model, request, context, request.languages)
    if predictor.direction is Direction.SPANS:
        answers = fill_spans(model, encoded, request.top_k, context)
    else:
        answers = predict_masks(model, encoded, request.top_k, context)
    return MaskedTokensResult(
        model.stamp, encoded.tokens, answers, encoded.left_out, note_of(predictor, encoded)
    )
