"""Every layer's states through the model's own head."""

from typing import Any

from explorer.api.question import Context, Predictor, check_text, check_top_k
from explorer.hf.predict.masked_text import refuse_pair
from explorer.questions.layers.logit_lens.question import LogitLensRequest, LogitLensResult
from explorer.questions.layers.reading import read_layers


def run(model: Any, request: LogitLensRequest, context: Context) -> LogitLensResult:
    """Read every layer (nostalgebraist 2020, "interpreting GPT: the logit lens").

    Raises:
        UserMistake: The text is empty, there is a second one for a model that reads one, or a
            causal model's first token is masked.
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled.
    """
    check_text(request.text)
    check_top_k(request.top_k)
    refuse_pair(model.port(Predictor), request.pair)
    context.check()
    encoded = model.encode(request.text, request.pair, request.masks)
    grid, missing = read_layers(model, encoded, request.words, request.top_k, context)
    return LogitLensResult(model.stamp, encoded.tokens, grid, missing, encoded.left_out)
