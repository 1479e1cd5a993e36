"""The sentence as the model read it, with words below its tokens and what choosing one does."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.api.question.parts.gestures import Gesture
from explorer.api.question.parts.part import Part
from explorer.api.tokens import LeftOut, Token


@dataclass(frozen=True)
class Sentence(Part):
    """The tokens of a text, in lines.

    Attributes:
        tokens: The input as the model saw it.
        notes: Words under tokens, by position: Phrases, or marked for translation.
        words: Tooltips of the tokens that explain themselves, by position.
        gestures: What choosing a token does, by position.
        left_out: What did not fit, which is said behind it; None for nothing.
        only_alone: It stands where the answer must be understood without the window, which shows
            the sentence above.
    """

    tokens: tuple[Token, ...]
    notes: Mapping[int, str] = field(default_factory=dict)
    words: Mapping[int, str] = field(default_factory=dict)
    gestures: Mapping[int, Gesture] = field(default_factory=dict)
    left_out: LeftOut | None = None
    only_alone: bool = False
