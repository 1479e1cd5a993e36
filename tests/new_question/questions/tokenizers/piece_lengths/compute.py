"""The answer: letters of the text under each token."""

from explorer.api.question import check_text

from .question import PieceLength, PieceLengthsResult


def run(model, request, context):
    check_text(request.text)
    encoded = model.encode(request.text)
    lengths = (
        PieceLength(position, token.text, token.end - token.start)
        for position, token in enumerate(encoded.tokens)
        if not token.special and token.end - token.start >= request.least
    )
    return PieceLengthsResult(model.stamp, encoded.tokens, tuple(lengths), encoded.left_out)
