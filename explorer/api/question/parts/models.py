"""Who is who, where an answer is of several models: what each does, and its colour."""

from dataclasses import dataclass

from explorer.api.model import ModelStamp
from explorer.api.question.parts.part import Part


@dataclass(frozen=True)
class Player:
    """A model in its role.

    Attributes:
        role: Which, as the question casts it.
        title: What it is called, marked for translation.
        model: Who plays it.
        colour: Of its bars and lines, by its name in the theme.
    """

    role: str
    title: str
    model: ModelStamp
    colour: str


@dataclass(frozen=True)
class Models(Part):
    """The models of an answer.

    Attributes:
        players: In their order.
    """

    players: tuple[Player, ...]
