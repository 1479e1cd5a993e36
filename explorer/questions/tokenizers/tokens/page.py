"""The pieces a model cuts the text into, as a table that can be sorted."""

from collections.abc import Iterator

from explorer.document import Document
from explorer.questions.tokenizers.tokens.question import OPERATION, SORT, TokenizeResult
from explorer.ui.blocks.bar_table import BarTable
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Page, Select
from explorer.ui.blocks.rows import Column, Row
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.document.gestures import Edit, set_options
from explorer.ui.notices.glossary import explain
from explorer.ui.sentence import pieces as of
from explorer.ui.sentence.pieces import Piece

COLUMNS = {
    "position": Column("#", words=explain("position")),
    "piece": Column("Piece", mono=True, left=True, words=explain("sub-word piece")),
    "id": Column("Id", words=explain("id")),
    "text": Column(
        "In the text", left=True, words="The characters of your text that the token stands for."
    ),
    "characters": Column(
        "Characters", dispensable=True, words="First character, and one past the last."
    ),
    "notes": Column("Notes", "muted", left=True, words="What is special about the token."),
}
"""By the names that the table is sorted by."""


def blocks(shown: Shown) -> Iterator[Block]:
    """How many there are, and a row a token; alone, the sentence with the ids below."""
    result: TokenizeResult = shown.result
    pieces = of.of_tokens(result.tokens, shown.asked)
    if shown.alone:
        ids = {index: str(piece.id) for index, piece in enumerate(pieces)}
        tail = of.tail_note(result.left_out, shown.asked)
        yield Tokens(result.tokens, shown.asked, ids, tail=tail)
        return
    yield note(summary(result))
    by = shown.value(SORT)
    name, falling = by.removeprefix("-"), by.startswith("-")
    columns = {key: _sortable(shown, key, name, falling=falling) for key in COLUMNS}
    ordered = sorted(pieces, key=lambda piece: _order(piece, name, shown.asked), reverse=falling)
    yield BarTable(
        [_row(piece, shown) for piece in ordered],
        tuple(column for key, column in columns.items() if key != "position"),
        title="Tokens",
        bold=False,
        label=columns["position"],
    )


def _sortable(shown: Shown, key: str, name: str, *, falling: bool) -> Column:
    """A column whose title sorts by it; the other way round where it is sorted so already."""
    column = COLUMNS[key]
    is_sorted = key == name
    after = f"-{key}" if is_sorted and not falling else key
    act: Edit = set_options(
        shown.now, {SORT.key: SORT.written(after)}, f"sort by {column.title.lower()}"
    )
    arrow = ("down" if falling else "up") if is_sorted else ""
    return Column(
        column.title,
        column.colour,
        mono=column.mono,
        left=column.left,
        dispensable=column.dispensable,
        words=column.words,
        act=act,
        sorted=arrow,
    )


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


def characters(piece: Piece, document: Document) -> str:
    """What it stands for in the text, white space as signs."""
    if piece.end <= piece.start:
        return ""
    return of.visible(document.part(piece.part)[piece.start : piece.end])


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


def notes_on(piece: Piece) -> str:
    """What is special about a token, in a few words."""
    found = []
    if piece.special:
        found.append("special")
    if piece.masked:
        found.append("typed mask" if piece.typed else "masked")
    if piece.unknown:
        found.append("unknown")
    if piece.joined:
        found.append("continues a word")
    if piece.part == 1:
        found.append("second text")
    return ", ".join(found)


def summary(result: TokenizeResult) -> str:
    """How many tokens there are, and of which kind."""
    tokens = result.tokens
    special = sum(token.special for token in tokens)
    unknown = sum(token.unknown for token in tokens)
    said = _count(len(tokens), "token")
    if special:
        said += f": {len(tokens) - special} of your text and {special} special"
    if unknown:
        said += f", {unknown} unknown"
    left_out = result.left_out
    if left_out is not None:
        said += (
            f". {_count(left_out.tokens, 'token')} more did not fit into the model,"
            f" which takes {left_out.limit:,}"
        )
    return said + "."


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


PAGE = Page(OPERATION, blocks, group="Masking", order=20, glyph="content-cut", follows=True)
