"""Numbers of pairs of tokens: one matrix as large as its room, several beside each other."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from explorer.api.question import PairNumbers, TokenPairs
from explorer.text import _, said
from explorer.text.bidi import isolated
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page.last_values import remembered
from explorer.ui.document.gestures import Edit
from explorer.ui.matrices.block import CellSize, Matrix
from explorer.ui.matrices.heat_layout import CellMark, HeatContent
from explorer.ui.matrices.linked import Cell, LinkedMatrices, LinkedMatrix
from explorer.ui.matrices.map_block import Map, MapBlock, cells_or_map
from explorer.ui.matrices.scale import Scale, number
from explorer.ui.parts.looking import Looking
from explorer.ui.sentence.pieces import starts_at_right, token_labels

if TYPE_CHECKING:
    from explorer.document import Document

PAIR = "pair"
"""The key of the option that says which pair was chosen."""
SIZE = CellSize(narrowest=9, widest=46, share=0.62, lowest=15, highest=28)


def blocks(part: TokenPairs, looking: Looking) -> Iterator[Block]:
    """One matrix, or all of them linked: pointing at a pair in one marks it in all."""
    chooses = looking.option(PAIR) is not None
    contents = contents_of(part, looking.shown.asked, not chooses)
    if len(contents) > 1:
        yield LinkedMatrices(
            [
                LinkedMatrix(one.name, _(one.title), _(one.about), content)
                for one, content in zip(part.drawn, contents, strict=True)
            ],
            lambda cell: pair_said(part, looking.shown.asked, cell),
            chosen_pair(part, looking),
            lambda row, column: _choose(part, looking, row, column),
        )
        return
    (content,) = contents
    title = _(part.title or part.drawn[0].title)
    if not chooses:
        yield cells_or_map(
            Matrix(content, key=lambda row, column: (part.drawn[0].name, row, column)),
            SIZE,
            part.tallest,
        )
        return
    matrix = Matrix(content, title, act=lambda row, column: _choose(part, looking, row, column))
    marked = looking.shown.looked_at or chosen_pair(part, looking) or part.marked
    shown = Map(matrix, look=lambda row, column: _looked_at(part, row, column), marked=marked)
    yield MapBlock(shown, tallest=part.tallest)


def _looked_at(part: TokenPairs, row: int, column: int) -> Cell | None:
    return None if part.is_hidden(row, column) else (row, column)


def chosen_pair(part: TokenPairs, looking: Looking) -> Cell | None:
    """The pair that was chosen, where these tokens have it."""
    pair = looking.value(PAIR)
    if not pair or len(pair) != 2:
        return None
    row, column = pair
    there = row < len(part.rows.tokens) and column < len(part.columns.tokens)
    return (row, column) if there and not part.is_hidden(row, column) else None


def _choose(part: TokenPairs, looking: Looking, row: int, column: int) -> Edit | None:
    if part.is_hidden(row, column):
        return None
    return looking.setting(PAIR, (row, column), _("choose a pair of tokens"))


@remembered(8)
def contents_of(part: TokenPairs, document: "Document", seams: bool) -> tuple[HeatContent, ...]:
    """The cells of every matrix.

    Args:
        part: What is drawn.
        document: Whose characters the tokens stand for.
        seams: Nothing can be chosen: cells have a fine line between them, and a frame where they
            stand out.
    """
    rows, columns = (token_labels(one.tokens, document) for one in (part.rows, part.columns))
    turned = starts_at_right(part.columns.tokens, document)
    scales = {
        is_signed: _scale(part, is_signed) for is_signed in {one.is_signed for one in part.drawn}
    }

    def content_of(one: PairNumbers) -> HeatContent:
        return HeatContent(
            one.values,
            rows,
            columns,
            scales[one.is_signed],
            blocked=part.hidden,
            blocked_words=_(part.why_hidden) if part.why_hidden else "",
            row_title=_(part.rows.title),
            column_title=_(part.columns.title),
            signed=one.is_signed,
            written=part.written,
            said=_said(part, one, document, rows, columns),
            marks=(CellMark(*part.marked, "chosen"),) if seams and part.marked is not None else (),
            seams=seams,
            named=frozenset(n for n, token in enumerate(part.rows.tokens) if token.masked),
            turns_columns=True,
            from_right=turned,
        )

    return tuple(map(content_of, part.drawn))


def _scale(part: TokenPairs, is_signed: bool) -> Scale:
    """One for all matrices of a kind, so that they can be compared."""
    import numpy as np

    values = np.stack([one.values for one in part.drawn if one.is_signed == is_signed])
    make = Scale.about_zero if is_signed else Scale.from_zero
    return make(values, logarithmic=part.logarithmic)


def _said(
    part: TokenPairs,
    one: PairNumbers,
    document: "Document",
    rows: tuple[str, ...],
    columns: tuple[str, ...],
) -> Any:
    """What is said of each cell; None for the usual words."""
    if part.more is None and not part.is_spans:
        return None

    def words(row: int, column: int) -> str:
        if part.is_hidden(row, column):
            return f"{isolated(rows[row])} → {isolated(columns[column])}: {_(part.why_hidden)}"
        value = number(float(one.values[row, column]), signed=one.is_signed)
        lines = [
            _("“{text}”", text=_span(part, document, row, column))
            if part.is_spans
            else f"{isolated(rows[row])} → {isolated(columns[column])}",
            f"{_(one.title)}: {value}",
        ]
        if part.more is not None:
            lines.append(said(part.more(row, column)))
        return "\n".join(filter(None, lines))

    return words


def _span(part: TokenPairs, document: "Document", first: int, last: int) -> str:
    """A span as the text has it; the pieces where it begins or ends inside a word."""
    tokens = part.rows.tokens
    behind = tokens[last + 1] if last + 1 < len(tokens) else None
    if tokens[first].joined or (behind is not None and behind.joined):
        return " ".join(one.text for one in tokens[first : last + 1])
    return document.text[tokens[first].start : tokens[last].end].strip()


def pair_said(part: TokenPairs, document: "Document", cell: Cell | None) -> str:
    """All numbers of a pair, in a sentence.

    Args:
        part: Whose.
        document: Whose characters the tokens stand for.
        cell: Its row and its column; None for none.
    """
    if cell is None:
        return _("Point at a cell: its numbers are read here.")
    row, column = cell
    numbers = [
        f"{_(one.title).lower()} {number(float(one.values[row, column]), signed=one.is_signed)}"
        for one in part.numbers
    ]
    return _(
        "{query} → {key} ({distance}): {numbers}.",
        query=token_labels(part.rows.tokens, document)[row],
        key=token_labels(part.columns.tokens, document)[column],
        distance=_distance_said(column - row),
        numbers=", ".join(numbers),
    )


def _distance_said(distance: int) -> str:
    if not distance:
        return _("itself")
    if distance > 0:
        return _("{distance} to the right", distance=distance)
    return _("{distance} to the left", distance=-distance)
