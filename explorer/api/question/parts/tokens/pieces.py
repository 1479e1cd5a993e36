"""The pieces that a text is cut into, one a token, with their ids and places."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from explorer.api.question.headline import Headline
from explorer.api.question.options.options import Choice, Entry, Option
from explorer.api.question.parts.part import SILENT, Part
from explorer.api.question.rows.rows import TOKENS, Cell, Table, column
from explorer.api.question.standing_out import beyond
from explorer.api.tokens import LeftOut, Token
from explorer.text import N_, NN_, Phrase
from explorer.text.pieces import readable, visible

LISTED = 6
"""Pieces of a word that are named."""


SORT = Choice(
    N_("Sorted by"),
    "position",
    redraws=True,
    in_bar=False,
    entries=tuple(
        Entry(f"{sign}{name}", name)
        for name in ("position", "piece", "id", "text", "characters", "notes")
        for sign in ("", "-")
    ),
    key="sort",
)


@dataclass(frozen=True)
class PieceRow:
    """A token as the model sees it."""

    position: int = column(N_("position"), key=True, place=TOKENS)
    token: str = column(N_("token"), written=visible)
    id: int = column(N_("id"))
    start: int = column(N_("first character"))
    end: int = column(N_("one past the last"))
    part: int = column(N_("text"))
    special: bool = column(N_("special"), compared=False)
    masked: bool = column(N_("masked"), compared=False)
    unknown: bool = column(N_("unknown"), compared=False)


@dataclass(frozen=True)
class Pieces(Part):
    """A text as a tokenizer cuts it.

    Attributes:
        tokens: In order, special ones included.
        left_out: What did not fit, or None.
    """

    OPTIONS: ClassVar[tuple[Option[Any], ...]] = (SORT,)
    TITLES: ClassVar[Mapping[str, str]] = {
        "tokens": N_("tokens"),
        "of the text": N_("of the text"),
        "unknown": N_("unknown"),
        "left out": N_("left out"),
    }
    FOLLOWS: ClassVar[bool] = True

    tokens: tuple[Token, ...]
    left_out: LeftOut | None = None

    def table(self) -> Table:
        """One row a token."""
        rows = (
            PieceRow(i, t.text, t.id, t.start, t.end, t.part, t.special, t.masked, t.unknown)
            for i, t in enumerate(self.tokens)
        )
        return Table.of(PieceRow, rows)

    def summary(self) -> Mapping[str, Cell]:
        """How many tokens the model sees, and how many of them the vocabulary lacks."""
        own = [token for token in self.tokens if not token.special]
        return {
            "tokens": len(self.tokens),
            "of the text": len(own),
            "unknown": sum(token.unknown for token in own),
            "left out": self.left_out.tokens if self.left_out is not None else 0,
        }

    def headline(self) -> Headline:
        """What the vocabulary lacks, or the word that is cut into most pieces."""
        return _headline(self.tokens)


def _headline(every: Sequence[Token]) -> Headline:
    """Unknown tokens where there are any: of these the model learns nothing."""
    unknown = [n for n, one in enumerate(every) if one.unknown and not one.special]
    if unknown:
        first = unknown[0]
        sentence = Phrase(
            NN_(
                "At position {position} the model sees only “{piece}”: its vocabulary can't "
                "spell what is there.",
                "{count} tokens are only “{piece}” to the model, which can't spell what is "
                "there; the first is at position {position}.",
            ),
            count=len(unknown),
            piece=every[first].text,
            position=str(first),
        )
        return Headline(sentence, first, strength=1.0)
    words = _words(every)
    if not words:
        return SILENT
    longest = max(words, key=len)
    if len(longest) == 1:
        return Headline()
    tokens = [every[position] for position in longest]
    spelled = "".join(readable(one.text) for one in tokens)
    if len(spelled) != tokens[-1].end - tokens[0].start:
        # Pieces that are bytes, or letters rewritten, do not spell the word.
        sentence = Phrase(
            N_("The word at position {position} is split into the most tokens: {pieces}."),
            position=str(longest[0]),
            pieces=str(len(longest)),
        )
    elif len(longest) <= LISTED:
        sentence = Phrase(
            N_("“{word}” is split into the most tokens, {pieces}: {all}."),
            word=spelled,
            pieces=str(len(longest)),
            all=" ".join(one.text for one in tokens),
        )
    else:
        sentence = Phrase(
            N_("“{word}” is split into the most tokens, {pieces}."),
            word=spelled,
            pieces=str(len(longest)),
        )
    return Headline(sentence, longest[0], strength=beyond(len(longest), 1.0))


def _words(tokens: Sequence[Token]) -> list[list[int]]:
    """The positions of every word's tokens; masks hide what they stand for."""
    words: list[list[int]] = []
    for position, token in enumerate(tokens):
        if token.special or token.masked:
            continue
        if token.joined and words and words[-1][-1] == position - 1:
            words[-1].append(position)
        else:
            words.append([position])
    return words
