"""How much reading a question may ask of a model before it waits for the Run button."""

from explorer.api.question import ModelCard
from explorer.document import Document

DEAR = 4e11
"""Multiplications above which a question waits for the Run button: some seconds on a CPU."""

TOKENS_A_WORD = 1.5
"""About so many, in most languages and vocabularies."""


def tokens_about(document: Document) -> float:
    """About how many tokens both texts have, before any model has cut them."""
    return TOKENS_A_WORD * len(f"{document.text} {document.pair or ''}".split())


def takes_long(card: ModelCard, tokens: float) -> bool:
    """Whether a model takes seconds to read so many tokens, each once with every parameter."""
    return card.parameters * tokens > DEAR
