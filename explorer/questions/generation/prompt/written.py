"""A prompt in the pieces that a model reads."""

from collections.abc import Iterator

from explorer.questions.generation.prompt.question import PromptPieces
from explorer.ui.blocks import Block, Looking, Tokens


def blocks(part: PromptPieces, _looking: Looking) -> Iterator[Block]:
    """Piece by piece."""
    yield Tokens(part.tokens)
