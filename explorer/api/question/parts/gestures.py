"""What a click in a part does, said as data: a part knows no window."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.question.options.options import Option
from explorer.api.tokens import Mask

Where = Callable[[Mask], Mask]
"""Where characters of the text that was asked about stand in the text of now."""


@dataclass(frozen=True)
class Sets:
    """Options become something else, in one step that can be undone.

    Attributes:
        values: By the options' keys, as documents hold them; None for the default.
        step: What the step is called in the list of what can be undone; a Phrase or marked for
            translation.
    """

    values: Mapping[str, Any]
    step: str


@dataclass(frozen=True)
class Toggles:
    """Items are taken out of an option's list where all of them are in it, else put there.

    Attributes:
        option: The list; several may be clicked before an answer comes.
        items: Which.
        step: What the step is called.
    """

    option: Option[Any]
    items: tuple[Any, ...]
    step: str


@dataclass(frozen=True)
class Turns:
    """A token of the model's input is turned to, on all pages.

    Attributes:
        position: Which; None for none.
    """

    position: int | None


@dataclass(frozen=True)
class Runs:
    """What waits for the Run button is done."""


@dataclass(frozen=True)
class Put:
    """Words in the place of some characters of the text that was asked about.

    Attributes:
        place: The characters.
        words: What comes there.
        glued: They go on with the word before, so that a space before them goes.
    """

    place: Mask
    words: str
    glued: bool = False


@dataclass(frozen=True)
class Puts:
    """Words come into the text, at places that are apart from each other."""

    puts: tuple[Put, ...]


@dataclass(frozen=True)
class Changes:
    """The document of now becomes another one, in a way of the question's own.

    Attributes:
        change: From the document of now, and where characters stand in it, to the new one.
        step: What the step is called in the list of what can be undone; a Phrase or marked for
            translation.
    """

    change: Callable[[Any, Where], Any]
    step: str


Gesture = Sets | Toggles | Turns | Runs | Puts | Changes
"""What a click in an answer does to the document, without Qt."""


def sets(option: Option[Any], value: Any, step: str) -> Sets:
    """One option becomes something else.

    Args:
        option: Which.
        value: What it becomes.
        step: What the step is called.
    """
    return Sets({option.key: option.written(value)}, step)
