"""A sequence as it is read: below each piece its position and segment, and where it is read out."""

from collections.abc import Iterator

from explorer.questions.generation.task_layout.question import LaidSequence, PlacedSequence
from explorer.questions.generation.task_layout.tasks import TASKS
from explorer.questions.generation.task_layout.wording import about_piece, shown_piece, title_of
from explorer.text import _
from explorer.ui.blocks import Block, Looking, ScoredToken, ScoredTokens


def blocks(part: PlacedSequence, _looking: Looking) -> Iterator[Block]:
    """The pieces; those of the texts are shaded, unless they are read out."""
    task, sequence = TASKS[part.task], part.sequence
    tokens = [
        ScoredToken(
            shown_piece(one),
            ("piece", part.name, part.number, position),
            None if one.special or not one.field or position in sequence.read_out else 0.0,
            str(position),
            _below(sequence, position),
            about_piece(task, sequence, position),
            asked=position in sequence.read_out,
            joined=one.joined,
            special=one.special,
        )
        for position, one in enumerate(sequence.pieces)
    ]
    yield ScoredTokens(tokens, _(title_of(part.layout)))


def _below(sequence: LaidSequence, position: int) -> str:
    """The segment, and whether the position is read out."""
    segment = sequence.pieces[position].segment
    name = "" if segment is None else "AB"[min(segment, 1)]
    return " ".join(filter(None, (name, "▲" if position in sequence.read_out else "")))
