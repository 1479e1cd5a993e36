"""Ready-made comparisons: which questions make a sheet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.errors import UserMistake
from explorer.api.model import ModelCard
from explorer.text import N_


@dataclass(frozen=True)
class TemplateEntry:
    """One entry to be asked for.

    Attributes:
        operation: Its name.
        document: What it is asked of.
        slot: The model that answers, "" for those the view takes by itself.
        label: What the sheet calls the entry.
        baseline: The number of an earlier question whose answer this one is shown as the
            difference to, or None.
    """

    operation: str
    document: Any
    slot: str = ""
    label: str = ""
    baseline: int | None = None


@dataclass(frozen=True)
class Situation:
    """What a template can build on.

    Attributes:
        document: What is on screen.
        cards: The loaded models by slot.
        operation: The view that was used last; "" for none.
        single: The questions that one model answers, in the order of the list of questions.
        sees_masks: Those of them that can be asked without a mask and then ask something else,
            those that draw differences first.
    """

    document: Any
    cards: Mapping[str, ModelCard]
    operation: str
    single: tuple[str, ...]
    sees_masks: tuple[str, ...] = ()

    def both(self) -> tuple[ModelCard, ModelCard]:
        """The two models.

        Raises:
            UserMistake: Only one is loaded, or none.
        """
        if not {"A", "B"} <= set(self.cards):
            raise UserMistake(
                N_("This comparison takes two models."),
                N_("Load a second one as B from the model library."),
            )
        return self.cards["A"], self.cards["B"]


@dataclass(frozen=True)
class Template:
    """A comparison.

    Attributes:
        name: For finding it.
        title: What the menu says, and the sheet's title.
        explanation: What it shows.
        questions: What is to be asked; raises UserMistake where something is missing.
    """

    name: str
    title: str
    explanation: str
    questions: Callable[[Situation], Sequence[TemplateEntry]]
