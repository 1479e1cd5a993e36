"""The pieces a model cuts the text into, as a table that can be sorted."""

from collections.abc import Iterator
from dataclasses import replace

from explorer.document import Document
from explorer.questions.tokenizers.tokens.question import OPERATION, SORT, TokensResult
from explorer.questions.tokenizers.tokens.wording import characters, notes_on, summary
from explorer.text import _
from explorer.text.glossary import explain
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Page, Select
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.blocks.text import note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.sentence import pieces as of
from explorer.ui.sentence.pieces import Piece


def columns() -> dict[str, Column]:
    """By the names that the table is sorted by."""
    return {
        "position": Column("#", words=explain("position")),
        "piece": Column(_("Piece"), mono=True, left=True, words=explain("subword")),
        "id": Column(_("Id"), words=explain("id")),
        "text": Column(
            _("In the text"),
            left=True,
            words=_("The characters of your text that the token stands for."),
        ),
        "characters": Column(
            _("Characters"), dispensable=True, words=_("First character, and one past the last.")
        ),
        "notes": Column(
            _("Notes"), "muted", left=True, words=_("What is special about the token.")
        ),
    }


def blocks(shown: Shown) -> Iterator[Block]:
    """How many there are, and a row a token; alone, the sentence with the ids below."""
    result: TokensResult = shown.result
    pieces = of.of_tokens(result.tokens, shown.asked)
    if shown.alone:
        ids = {index: str(piece.id) for index, piece in enumerate(pieces)}
        tail = of.tail_note(result.left_out, shown.asked)
        yield Tokens(result.tokens, shown.asked, ids, tail=tail)
        return
    yield note(summary(result))
    by = shown.value(SORT)
    name, falling = by.removeprefix("-"), by.startswith("-")
    titles = {
        key: _sortable(shown, key, column, name, falling=falling)
        for key, column in columns().items()
    }
    ordered = sorted(pieces, key=lambda piece: _order(piece, name, shown.asked), reverse=falling)
    yield BarTable(
        [_row(piece, shown) for piece in ordered],
        tuple(column for key, column in titles.items() if key != "position"),
        title=_("Tokens"),
        bold=False,
        label=titles["position"],
    )


def _sortable(shown: Shown, key: str, column: Column, name: str, *, falling: bool) -> Column:
    """A column whose title sorts by it; the other way round where it is sorted so already."""
    is_sorted = key == name
    after = f"-{key}" if is_sorted and not falling else key
    act = shown.setting(SORT, after, _("sort by {column}", column=column.title.lower()))
    arrow = ("down" if falling else "up") if is_sorted else ""
    return replace(column, act=act, sorted=arrow)


def _row(piece: Piece, shown: Shown) -> Row:
    colour = "mask" if piece.masked else "muted" if piece.special else ""
    noted = "danger" if piece.unknown else "mask" if piece.masked else ""
    plain = "muted" if piece.special else ""
    return Row(
        str(piece.position),
        (
            piece.piece,
            str(piece.id),
            characters(piece, shown.asked),
            f"{piece.start}–{piece.end}" if piece.end > piece.start else "",
            notes_on(piece),
        ),
        inks=(colour, plain, plain, plain, noted),
        muted=True,
        ground="selection" if piece.position == shown.selected else "",
        words=of.tooltip(piece),
        key=("token", piece.position),
        act=Select(piece.position),
        anchor=piece.position,
    )


def _order(piece: Piece, name: str, document: Document) -> tuple[int, str]:
    """What a row is sorted by: a number, then letters."""
    if name == "position":
        return piece.position or 0, ""
    if name == "id":
        return piece.id or 0, ""
    if name == "characters":
        # Texts first, then characters; special tokens stand where they are in the input.
        return piece.part * 10_000_000 + piece.start, ""
    texts = {"piece": piece.piece, "text": characters(piece, document), "notes": notes_on(piece)}
    return 0, texts[name].casefold()


PAGE = Page(OPERATION, blocks, follows=True)
