"""A text with rows of pieces below its characters, and what their colours mean."""

from collections.abc import Iterator

from explorer.api.question.parts.tokens.cut_text import CutPiece, CutText
from explorer.text import _, said
from explorer.text.language import current
from explorer.ui.blocks.aligned.block import AlignedRows
from explorer.ui.blocks.aligned.rows import AlignedPiece, AlignedRow
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.page.last_values import remembered
from explorer.ui.blocks.spacing import Space
from explorer.ui.parts.looking import Looking


def blocks(part: CutText, _looking: Looking) -> Iterator[Block]:
    """The rows, then the legend."""
    yield _rows(part, current().code)
    if part.legend:
        yield Legend([(_(words), colour) for words, colour in part.legend], above=Space.APART)


@remembered(4)
def _rows(part: CutText, _language: str) -> AlignedRows:
    """Worded once: there are tens of thousands of pieces."""
    rows = [
        AlignedRow(
            said(row.label),
            [_piece(one) for one in row.pieces],
            row.removed,
            said(row.words),
            row.strong,
        )
        for row in part.rows
    ]
    return AlignedRows(part.text, rows, _(part.name))


def _piece(one: CutPiece) -> AlignedPiece:
    lines = [said(line) if isinstance(line, str) else _(line[0], **line[1]) for line in one.lines]
    spoken = ", ".join([one.spoken, *lines]) if one.spoken else ""
    return AlignedPiece(
        one.start,
        one.end,
        one.text,
        one.joined,
        one.ink,
        one.ground,
        one.dotted,
        one.small,
        "\n".join(lines),
        spoken,
    )
