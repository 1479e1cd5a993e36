"""What the cards of the DeBERTa miniatures say beside their measurements."""

from __future__ import annotations

from typing import Final

from explorer.pretraining.card import Card

LOADS: Final = "`AutoTokenizer` and `AutoModel` (the encoder; transformers leaves the head out)"


def masked_lm_card(recipe: str, family: str) -> Card:
    """A DeBERTa that predicts masked tokens through the enhanced mask decoder."""
    return Card(
        recipe=recipe,
        family=family,
        tokenizer="WordPiece, uncased, the same as bert-miniature's",
        loads_with=LOADS,
        rows=(
            (
                "Attention",
                "disentangled: content to content, content to position, position to content",
            ),
            (
                "Absolute positions",
                "in the enhanced mask decoder only: the last layer, applied twice",
            ),
        ),
    )
