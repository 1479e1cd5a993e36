"""What a plugin says of its models, as something that can be tried, and how it was found."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.hf.proving.trial import ModelTrial


@dataclass(frozen=True)
class Margin:
    """How a claim was found.

    Attributes:
        off: How far it is from the model's own forward, in the claim's numbers; None where nothing
            was measured.
        close: How far it may be.
        wrong: What is wrong with it, a Phrase or marked with `N_`; "" where nothing is.
        instead: The port with what is so of it; None where nothing is.
    """

    off: float | None = None
    close: float = 0.0
    wrong: str = ""
    instead: Any = None


RIGHT = Margin()
"""Nothing was measured, and nothing is wrong."""


@dataclass(frozen=True)
class ArchitectureClaim:
    """Something that a plugin says of its models.

    Attributes:
        name: What, in a few words: a check of `main.py check`.
        kinds: Ports: it is tried where there is the first, and all of them go where it fails.
        proof: Tries it; None where the model says nothing of the kind.
        dear: It takes runs of its own: of a model whose family states what it says, only
            `main.py check` tries it.
        hint: What to look at where it is not so, for whoever writes a plugin.
    """

    name: str
    kinds: tuple[type, ...]
    proof: Callable[[ModelTrial], Margin | None]
    dear: bool = False
    hint: str = ""
