"""Words to choose one of, things to switch on and off, or to do with a page."""

from dataclasses import dataclass
from typing import Any

from explorer.api.question.parts.gestures import Gesture
from explorer.api.question.parts.part import Part


@dataclass(frozen=True)
class OneChoice:
    """One of them.

    Attributes:
        words: A Phrase or marked for translation; `verbatim` for what no language changes.
        gesture: What choosing it does.
        chosen: It is the one that is chosen now.
        pressed: Whether the switch that it is is pressed; None for what is no switch.
        tip: What it does, for a tooltip.
        key: Which one it is, so that the keyboard stays on it; None for its words.
        undoes: It stands there only while it changes something.
    """

    words: str
    gesture: Gesture
    chosen: bool = False
    pressed: bool | None = None
    tip: str = ""
    key: Any = None
    undoes: bool = False


@dataclass(frozen=True)
class Choices(Part):
    """Choices side by side.

    Attributes:
        choices: In reading order.
        label: Before them, in small letters; "" for nothing.
        on_paper: A picture has them, too: what is chosen is said nowhere else.
        begun: What stands in their place once Run was chosen, a Phrase or marked; "" for them.
    """

    choices: tuple[OneChoice, ...]
    label: str = ""
    on_paper: bool = False
    begun: str = ""
