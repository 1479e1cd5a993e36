"""The answer: scores of every label at every token."""

from typing import Any

from explorer.api.question import Context, TokenClassifier, check_text
from explorer.questions.pairs.token_labels.question import TokenLabelsRequest, TokenLabelsResult


def run(model: Any, request: TokenLabelsRequest, context: Context) -> TokenLabelsResult:
    """Label every token.

    Raises:
        Unavailable: The model has no head for tokens' labels.
        UserMistake: There is no text.
        MachineFault: The scores are not numbers.
        Cancelled: The run was cancelled.
    """
    check_text(request.text)
    port = model.port(TokenClassifier)
    encoded = model.encode(request.text, request.pair)
    return TokenLabelsResult(
        model.stamp,
        encoded.tokens,
        port.labels,
        port.logits(encoded, context).cpu().numpy(),
        encoded.left_out,
    )
