"""The pieces of a text as a table that can be sorted; on paper, the sentence with the ids below."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from explorer.api.question import Token
from explorer.api.question.parts.tokens.pieces import SORT, Pieces
from explorer.document import Document
from explorer.text import _, ngettext
from explorer.text.glossary import explain
from explorer.text.pieces import visible
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page.page import Select
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import BarColumn, BarRow
from explorer.ui.blocks.text import heading, note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.parts.looking import Looking
from explorer.ui.sentence import pieces as of
from explorer.ui.sentence.pieces import Piece


def columns() -> dict[str, BarColumn]:
    """By the names that the table is sorted by."""
    return {
        "position": BarColumn("#", words=explain("position")),
        "piece": BarColumn(_("Piece"), mono=True, left=True, words=explain("subword")),
        "id": BarColumn(_("Id"), words=explain("id")),
        "text": BarColumn(
            _("In the text"),
            left=True,
            words=_("The characters of your text that the token stands for."),
        ),
        "characters": BarColumn(
            _("Characters"), dispensable=True, words=_("First character, and one past the last.")
        ),
        "notes": BarColumn(
            _("Notes"), "muted", left=True, words=_("What is special about the token.")
        ),
    }


def blocks(part: Pieces, looking: Looking) -> Iterator[Block]:
    """How many there are, and a row a token; alone, the sentence with the ids below."""
    shown = looking.shown
    pieces = of.pieces_of_tokens(part.tokens, shown.asked)
    if shown.alone:
        yield _sentence(part, pieces, shown.asked)
        return
    yield note(_counted(part.tokens))
    places = {one.position: of.tooltip(one) for one in pieces if one.position is not None}
    sentence = replace(
        _sentence(part, pieces, shown.asked),
        words=places,
        acts={position: Select(position) for position in places},
    )
    yield Columns(
        (
            Card((_table(pieces, looking),)),
            Card((heading(_("The ids in the sentence")), sentence)),
        ),
        CardWidth.WIDE,
        above=Space.NEAR,
        framed=False,
    )


def _sentence(part: Pieces, pieces: Sequence[Piece], document: Document) -> Tokens:
    """The tokens with their ids below."""
    ids = {index: str(piece.id) for index, piece in enumerate(pieces)}
    return Tokens(part.tokens, document, ids, tail=of.tail_note(part.left_out, document))


def _table(pieces: Sequence[Piece], looking: Looking) -> BarTable:
    """A row a token, in the order that was chosen."""
    shown = looking.shown
    by = looking.value(SORT.key)
    name, falling = by.removeprefix("-"), by.startswith("-")
    titles = {
        key: _sortable(looking, key, column, name, falling=falling)
        for key, column in columns().items()
    }
    ordered = sorted(pieces, key=lambda piece: _order(piece, name, shown.asked), reverse=falling)
    return BarTable(
        [_row(piece, shown.asked, shown.selected) for piece in ordered],
        tuple(column for key, column in titles.items() if key != "position"),
        title=_("Tokens"),
        bold=False,
        label=titles["position"],
    )


def _sortable(
    looking: Looking, key: str, column: BarColumn, name: str, *, falling: bool
) -> BarColumn:
    """A column whose title sorts by it; the other way round where it is sorted so already."""
    is_sorted = key == name
    after = f"-{key}" if is_sorted and not falling else key
    words = _("sort by {column}", column=column.title.lower())
    arrow = ("down" if falling else "up") if is_sorted else ""
    return replace(column, act=looking.setting(SORT.key, after, words), sorted=arrow)


def _row(piece: Piece, document: Document, selected: int | None) -> BarRow:
    colour = "mask" if piece.masked else "muted" if piece.special else ""
    noted = "danger" if piece.unknown else "mask" if piece.masked else ""
    plain = "muted" if piece.special else ""
    return BarRow(
        str(piece.position),
        (
            piece.piece,
            str(piece.id),
            _characters(piece, document),
            f"{piece.start}–{piece.end}" if piece.end > piece.start else "",
            _notes_on(piece),
        ),
        inks=(colour, plain, plain, plain, noted),
        muted=True,
        ground="selection" if piece.position == selected else "",
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
    texts = {"piece": piece.piece, "text": _characters(piece, document), "notes": _notes_on(piece)}
    return 0, texts[name].casefold()


def _characters(piece: Piece, document: Document) -> str:
    """What it stands for in the text, white space as signs."""
    if piece.end <= piece.start:
        return ""
    return visible(document.part(piece.part)[piece.start : piece.end])


def _notes_on(piece: Piece) -> str:
    """What is special about a token, in a few words."""
    found = []
    if piece.special:
        found.append(_("special"))
    if piece.masked:
        found.append(_("typed mask") if piece.typed else _("masked"))
    if piece.unknown:
        found.append(_("unknown"))
    if piece.joined:
        found.append(_("continues a word"))
    if piece.part == 1:
        found.append(_("second text"))
    return ", ".join(found)


def _counted(tokens: Sequence[Token]) -> str:
    """How many tokens there are, and of which kind."""
    count = len(tokens)
    special = sum(token.special for token in tokens)
    unknown = sum(token.unknown for token in tokens)
    values = {"yours": count - special, "special": special, "unknown": unknown}
    if special and unknown:
        return ngettext(
            "{count} token: {yours} of your text and {special} special, {unknown} unknown.",
            "{count} tokens: {yours} of your text and {special} special, {unknown} unknown.",
            count,
            **values,
        )
    if special:
        return ngettext(
            "{count} token: {yours} of your text and {special} special.",
            "{count} tokens: {yours} of your text and {special} special.",
            count,
            **values,
        )
    if unknown:
        return ngettext(
            "{count} token, {unknown} unknown.",
            "{count} tokens, {unknown} unknown.",
            count,
            **values,
        )
    return ngettext("{count} token.", "{count} tokens.", count)
