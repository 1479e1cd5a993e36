"""A question and the passage that may answer it, as a model for answers reads them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from explorer.api.family import Encoded, LoadedModel, UserMistake
from explorer.text import N_

FEWEST = 2
"""Tokens of a passage that a window must have room for."""


@dataclass(frozen=True)
class PassageWindow:
    """A part of a passage that a model reads at once, with the question before it.

    Attributes:
        encoded: What the model sees.
        first: Number of its first token among those of the whole passage.
        places: Where the passage's tokens stand in the input.
    """

    encoded: Encoded
    first: int
    places: tuple[int, ...]


def encode_question(
    model: LoadedModel, passage: str, question: str, *, whole: bool = False
) -> Encoded:
    """The question, then the passage, whose tokens are those of part 0 as in the document.

    Args:
        model: Whose tokens.
        passage: The text.
        question: What it is asked.
        whole: Nothing is left out, though the model can't read it at once.
    """
    encoded = model.encode(question, passage, whole=whole)
    tokens = tuple(replace(one, part=1 - one.part) for one in encoded.tokens)
    left_out = encoded.left_out
    if left_out is not None:
        left_out = replace(left_out, part=1 - left_out.part)
    return replace(encoded, tokens=tokens, left_out=left_out)


def passage_places(encoded: Encoded) -> tuple[int, ...]:
    """Where the passage's tokens stand in what `encode_question` gives."""
    return tuple(n for n, one in enumerate(encoded.tokens) if not one.special and one.part == 0)


def windows_of(encoded: Encoded, length: int, shared: int) -> tuple[PassageWindow, ...]:
    """The passage in parts that share tokens with the ones beside them, as transformers cuts them.

    Args:
        encoded: As `encode_question` gives it, as a whole.
        length: Tokens of a window, the question and special ones included.
        shared: How many of the passage's tokens stand in two neighbouring windows.

    Raises:
        UserMistake: The question leaves no room, or windows share all they have.
    """
    places = passage_places(encoded)
    others = len(encoded.tokens) - len(places)
    room = min(length - others, len(places))
    if room < min(FEWEST, len(places)):
        raise UserMistake(
            N_("The question has {count} tokens and leaves a window of {length} no room."),
            N_("Ask a shorter question, or allow longer windows."),
            count=others,
            length=length,
        )
    if room < len(places) and shared >= room:
        raise UserMistake(
            N_("Windows of {room} of the passage's tokens can't share {shared}."),
            N_("Let them share fewer, or allow longer windows."),
            room=room,
            shared=shared,
        )
    windows = []
    first = 0
    while True:
        windows.append(_window(encoded, places, first, min(first + room, len(places))))
        if first + room >= len(places):
            return tuple(windows)
        first += room - shared


def _window(encoded: Encoded, places: Sequence[int], first: int, end: int) -> PassageWindow:
    """The input without the passage's tokens before and behind some."""
    gone = {*places[:first], *places[end:]}
    columns = [n for n in range(len(encoded.tokens)) if n not in gone]
    inputs = {name: one[:, columns] for name, one in encoded.inputs.items()}
    if "position_ids" in inputs:
        # They count on as if these tokens were all there is.
        behind = len(places) - end
        moved = [
            0 if n < places[0] else first if n <= places[-1] else first + behind for n in columns
        ]
        inputs["position_ids"] = inputs["position_ids"] - inputs["position_ids"].new_tensor([moved])
    part = replace(encoded, inputs=inputs, tokens=tuple(encoded.tokens[n] for n in columns))
    return PassageWindow(part, first, passage_places(part))
