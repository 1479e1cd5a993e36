"""XLM's answer to masked tokens, and which language it took the text for."""

from explorer.api import Context, LoadedModel, Unavailable
from explorer.hf.left import Left, predict_left
from explorer.hf.masked import predict_masks
from explorer.operations.fill_mask import FillMask, FillMaskResult, check, check_masked

from .encoding import read
from .tokenizer import SEGMENTED


def run(model: LoadedModel, request: FillMask, context: Context) -> FillMaskResult:
    """Predict masked tokens; a causal checkpoint ("clm") predicts them from the left.

    Raises:
        Unavailable: The checkpoint has no prediction layer.
        UserMistake: The text is empty, nothing is masked, or a language is not known.
        Cancelled: The run was cancelled; checked before every layer.
    """
    if model.masked_lm_head is None:
        raise Unavailable(model.unavailable.get("fill_mask", "This model has no masked-LM head."))
    check(request)
    context.check()
    found = read(model, request.text, request.pair, request.masks, request.languages)
    check_masked(found.encoded)
    notes = []
    if model.config.causal:
        left = Left(start=None, cache=None, who="This XLM")
        answers = predict_left(left, model, found.encoded, request.top_k, context)
        notes.append(left.note(len(answers)))
    else:
        answers = predict_masks(model, found.encoded, request.top_k, context)
        if len(answers) > 1:
            notes.append("Each mask is predicted independently of the others.")
    if model.config.n_langs > 1:
        notes.append(f"Read as {' and '.join(found.languages)}.")
    if SEGMENTED & set(found.languages):
        notes.append("XLM was trained on this language cut into words: put spaces between them.")
    encoded = found.encoded
    return FillMaskResult(model.stamp, encoded.tokens, answers, encoded.left_out, " ".join(notes))
