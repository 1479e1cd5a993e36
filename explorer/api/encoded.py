"""A text as one model sees it."""

from dataclasses import dataclass
from typing import Any

from explorer.api.tokens import LeftOut, Token
from explorer.text.phrase import Phrase


@dataclass(frozen=True)
class Encoded:
    """A model's input.

    Attributes:
        inputs: Keyword arguments for the encoder: input_ids, and whatever else the model takes
            (token_type_ids, langs); int64 tensors (1 x tokens) on the model's device. There is
            one sequence and no padding, so no attention mask.
        tokens: In order, special ones included.
        mask_positions: Indices of the masked tokens.
        left_out: What did not fit, or None.
        notes: What must be known of how the text was read, a sentence each.
        hidden: For models that fill spans: what the user masked at each mask, a run of pieces that
            one token stands for; None where any of it was typed as a mask.
    """

    inputs: dict[str, Any]
    tokens: tuple[Token, ...]
    mask_positions: tuple[int, ...]
    left_out: LeftOut | None
    notes: tuple[Phrase, ...] = ()
    hidden: tuple[tuple[int, ...] | None, ...] = ()

    @property
    def input_ids(self) -> Any:
        """Tensor (1 x tokens), int64."""
        return self.inputs["input_ids"]
