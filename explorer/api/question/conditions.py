"""What a document must hold before a question can be asked of it, and what to do until then."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from explorer.api.errors import UserMistake
from explorer.text import N_

if TYPE_CHECKING:
    from explorer.api.model import ModelCard


class Asking(Protocol):
    """What a condition looks at: a document."""

    @property
    def text(self) -> str:
        """The sentence."""

    @property
    def pair(self) -> str | None:
        """The second sentence, or None."""

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
        spared: Whether the models that are asked do without it, as classifiers do without a mask;
            None for no model.
    """

    holds: Callable[[Asking], bool]
    hint: str
    of_masks: bool = False
    spared: "Callable[[Asking, Sequence[ModelCard]], bool] | None" = None

    def is_met(self, document: Asking, cards: "Sequence[ModelCard]" = ()) -> bool:
        """Whether it holds of a document, or the models that are asked do without."""
        return self.holds(document) or (self.spared is not None and self.spared(document, cards))


def a_text(hint: str) -> Condition:
    """There is a sentence."""
    return Condition(lambda document: bool(document.text.strip()), hint)


def a_mask(
    hint: str, spared: "Callable[[Asking, Sequence[ModelCard]], bool] | None" = None
) -> Condition:
    """Something is masked, or a mask was typed.

    Args:
        hint: What to do where nothing is.
        spared: Whether the models that are asked do without.
    """
    return Condition(_is_masked, hint, of_masks=True, spared=spared)


def _is_masked(document: Asking) -> bool:
    return bool(document.masks or document.literal_masks())


def missing(
    conditions: Sequence[Condition], document: Asking, cards: "Sequence[ModelCard]" = ()
) -> str:
    """The hint of the first condition that does not hold; "" where all do."""
    return next((one.hint for one in conditions if not one.is_met(document, cards)), "")


def check_text(text: str) -> None:
    """Refuse a request without a text, which no model can answer.

    Raises:
        UserMistake: There is nothing but spaces.
    """
    if not text.strip():
        raise UserMistake(N_("There is no text yet."), N_("Type a sentence."))


def check_top_k(top_k: int) -> None:
    """Refuse a request for no prediction at all.

    Raises:
        UserMistake: Fewer than one is asked for.
    """
    if top_k < 1:
        raise UserMistake(
            N_("At least one prediction must be asked for."), N_("Choose top k from 1 on.")
        )
