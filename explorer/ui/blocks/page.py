"""How the answers of one question look: a pure function to blocks, and what goes with it.

A page holds no widget, no document and no state. It is declared once, as PAGE at the end of a
question's page.py; being there is the registration.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api import ModelCard, Operation, Option, Table
from explorer.document import Document
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Detail, Shown, compared_with
from explorer.ui.document.gestures import Edit


@dataclass(frozen=True)
class Select:
    """A gesture: turn to a token of the model's input everywhere; None to none."""

    position: int | None


@dataclass(frozen=True)
class Load:
    """A gesture: load a checkpoint.

    Attributes:
        checkpoint: Its id.
        slot: Where to.
    """

    checkpoint: str
    slot: str


@dataclass(frozen=True)
class Move:
    """A gesture: set an option as a slider does; quick moves are one step of the history.

    Attributes:
        option: Which one.
        value: What it becomes.
    """

    option: Option[Any]
    value: Any


@dataclass(frozen=True)
class Write:
    """A gesture: type something over a place of the page.

    Attributes:
        text: What stands in the field at first.
        name: Of the field, for a screen reader.
        done: From what was typed to another gesture; None for nothing.
        over: The key of the spot that the field stands over; None for the one that was chosen.
    """

    text: str
    name: str
    done: "Callable[[str], Edit | None]"
    over: Any = None


Gesture = Edit | Select | Load | Move | Write | Detail


def pinned_said(shown: Shown) -> str:
    """What an answer is compared with; "" where nothing is pinned."""
    return compared_with(shown.pinned)


@dataclass(frozen=True)
class Page:
    """A page.

    Attributes:
        of: The question.
        blocks: From what is shown to blocks.
        group: The heading it is listed under.
        order: Pages are listed in this order.
        glyph: The icon of the Material Design set it is listed with.
        follows: It shows which token the user turned to.
        pinnable: It can show the difference to an answer that was pinned.
        stays: Blocks that stay in sight below the others while those are scrolled; None for none.
        second_model_hint: What to do while one of two models is missing; "" for the usual words.
        waits: Whether a document's question is so dear, with a model and after the answer that is
            shown, that it waits for the Run button; None where it never is.
        waiting_hint: What to do then.
        table: The rows for export, where a pinned answer adds to the operation's own.
        caption: What a caption says besides the usual.
        disabled: Options that mean nothing with the document of now and the answer, where there
            is one, by key, and why.
        limits: The greatest value of options that count what a model has, as its layers, by key.
        elsewhere: Which models answer, for those that do not; "" where it is plain.
    """

    of: Operation[Any, Any]
    blocks: Callable[[Shown], Iterable[Block]]
    group: str
    order: int = 100
    glyph: str = "view-dashboard-outline"
    follows: bool = False
    pinnable: bool = False
    stays: Callable[[Shown], Iterable[Block]] | None = None
    second_model_hint: str = ""
    waits: Callable[[Document, ModelCard, Shown | None], bool] | None = None
    waiting_hint: str = ""
    table: Callable[[Shown], Table] | None = None
    caption: Callable[[Shown], str] = pinned_said
    disabled: Callable[[Document, Any], Mapping[str, str]] | None = None
    limits: Callable[[ModelCard], Mapping[str, int]] | None = None
    elsewhere: str = ""
