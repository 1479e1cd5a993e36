"""Models that answer a text of which nothing is masked."""

from collections.abc import Sequence
from typing import Any

from explorer.api.question import ModelCard


def answers_unmasked(_document: Any, cards: Sequence[ModelCard]) -> bool:
    """Whether the model judges every token, or reads from the left and has no mask token."""
    return bool(cards) and ("replaced_tokens" in cards[0].operations or not cards[0].mask_token)
