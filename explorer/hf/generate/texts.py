"""New pieces as a text that a person reads."""

from collections.abc import Mapping, Sequence
from typing import Any

from explorer.api.family import Encoded
from explorer.hf.text.vocabularies.pieces import glue, special_pieces, written

BROKEN = "\ufffd"
"""What stands for bytes that are only a part of a character."""


class Spelling:
    """What each new piece adds to a text: spaces belong to the piece that brings them.

    Args:
        tokenizer: A fast transformers tokenizer.
        before: Pieces that stand before the first new one.
        ends: Pieces that end a text, and are none.
    """

    def __init__(self, tokenizer: Any, before: Sequence[int], ends: Sequence[int]) -> None:
        self._tokenizer, self._ends = tokenizer, frozenset(ends)
        self._before = tuple(before)
        self._ids = list(before)
        self._said = self._spelled()

    def again(self) -> "Spelling":
        """The same from its beginning on."""
        return Spelling(self._tokenizer, self._before, tuple(self._ends))

    def add(self, piece: int) -> str:
        """What a piece adds; "" inside of a character, which the last of its pieces adds."""
        if piece in self._ends:
            return ""
        self._ids.append(piece)
        now, before = self._spelled(), self._said
        if now.endswith(BROKEN):
            return ""
        self._said = now
        # A decoder may change what stands before: then it is taken alone.
        return now.removeprefix(before) if now.startswith(before) else self._alone(piece)

    def _alone(self, piece: int) -> str:
        return f" {written(self._tokenizer, self._tokenizer.convert_ids_to_tokens(piece))}"

    def _spelled(self) -> str:
        backend = self._tokenizer.backend_tokenizer
        return str(backend.decode(self._ids, skip_special_tokens=False))


def no_text(tokenizer: Any) -> tuple[int, ...]:
    """Numbers of the pieces that are no text: "[CLS]", "</s>"."""
    special = special_pieces(tokenizer)
    return tuple(sorted(n for piece, n in tokenizer.get_vocab().items() if piece in special))


def masks_filled(
    tokenizer: Any, text: str, encoded: Encoded, pieces: Mapping[int, int]
) -> tuple[dict[int, str], str]:
    """A text whose masks are filled with pieces.

    Args:
        tokenizer: A fast transformers tokenizer.
        text: The text, in which masks may be typed.
        encoded: The same as the model sees it.
        pieces: What stands at each mask, by its number in the order of the text; those that are
            not there stay masks.

    Returns:
        What each piece adds to the text, by its mask's number, and the whole text.
    """
    parts: dict[int, str] = {}
    whole, done = "", 0
    for number, place in enumerate(encoded.mask_positions):
        token = encoded.tokens[place]
        gap = text[done : max(done, token.start)]
        piece = tokenizer.convert_ids_to_tokens(pieces[number]) if number in pieces else None
        if piece is None:
            whole += gap + "[MASK]"
        else:
            joins = glue(tokenizer, piece) == "before"
            gap = gap.rstrip() if joins else gap
            word = written(tokenizer, piece)
            begins = whole + gap
            # Pieces over the same characters have nothing between them in the text.
            space = bool(begins) and not joins and begins[-1].isalnum() and word[:1].isalnum()
            parts[number] = f"{' ' * (space or gap[-1:] == ' ')}{word}"
            whole = begins + " " * space + word
        done = max(done, token.end)
    return parts, whole + text[done:]
