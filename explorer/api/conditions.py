"""What a document must hold before a question can be asked of it, and what to do until then."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class Asking(Protocol):
    """What a condition looks at: a document."""

    @property
    def text(self) -> str:
        """The sentence."""

    @property
    def masks(self) -> Sequence[Any]:
        """What is masked."""

    def literal_masks(self) -> Sequence[Any]:
        """Masks that were typed."""

    def option(self, key: str, default: Any = None) -> Any:
        """What a tool is set to."""


@dataclass(frozen=True)
class Condition:
    """One thing that must be there.

    Attributes:
        holds: Whether it is.
        hint: What to do where it is not, in one sentence.
        of_masks: It is that something is masked.
    """

    holds: Callable[[Asking], bool]
    hint: str
    of_masks: bool = False


def a_text(hint: str) -> Condition:
    """There is a sentence."""
    return Condition(lambda document: bool(document.text.strip()), hint)


def a_mask(hint: str) -> Condition:
    """Something is masked, or a mask was typed."""
    return Condition(_is_masked, hint, of_masks=True)


def _is_masked(document: Asking) -> bool:
    return bool(document.masks or document.literal_masks())


def missing(conditions: Sequence[Condition], document: Asking) -> str:
    """The hint of the first condition that does not hold; "" where all do."""
    return next((one.hint for one in conditions if not one.holds(document)), "")
