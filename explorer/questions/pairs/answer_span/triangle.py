"""Every span's score in a window: starts against ends, and the scores of each alone as strips."""

from collections.abc import Sequence

import numpy as np

from explorer.questions.pairs.answer_span.question import AnswerSpanResult, AnswerWindow
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.matrices.block import CellSize, Matrix
from explorer.ui.matrices.heat_layout import HeatContent, Mark
from explorer.ui.matrices.map_block import cells_or_map
from explorer.ui.matrices.scale import Scale
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens
from explorer.ui.sentence.pieces import Piece, from_right, of_tokens

SIZE = CellSize(narrowest=9, widest=46, share=0.62, lowest=14, highest=28)
TALLEST = 560.0
LONGEST = 600
"""Tokens of a passage that is drawn as a whole."""
WRITTEN = 0.01
"""The least chance that is written below a token."""


def pieces_of(shown: Shown) -> Sequence[Piece]:
    """The passage's tokens as a person reads them."""
    result: AnswerSpanResult = shown.result
    return of_tokens(result.tokens, shown.asked)


def span_said(shown: Shown, first: int, last: int) -> str:
    """A span as the passage has it; the pieces where it begins or ends inside a word."""
    tokens = shown.result.tokens
    behind = tokens[last + 1] if last + 1 < len(tokens) else None
    if tokens[first].joined or (behind is not None and behind.joined):
        return " ".join(one.text for one in tokens[first : last + 1])
    return shown.asked.text[tokens[first].start : tokens[last].end].strip()


def triangle(shown: Shown, number: int) -> Block:
    """All spans of a window, the start in the rows and the end in the columns.

    Args:
        shown: The page's.
        number: The window's.
    """
    result: AnswerSpanResult = shown.result
    window = result.windows[number]
    count = len(window.starts)
    starts, ends = window.start_chances(), window.end_chances()
    scores = starts[:, None] * ends
    labels = tuple(one.text for one in pieces_of(shown)[window.first : window.end])

    def words(row: int, column: int) -> str:
        if column < row:
            return _("“{token}” stands before the start", token=labels[column])
        lines = [
            _("“{text}”", text=span_said(shown, window.first + row, window.first + column)),
            _("Score: {score}", score=in_digits(float(scores[row, column]))),
            _(
                "start {start}, end {end}",
                start=in_digits(float(starts[row])),
                end=in_digits(float(ends[row, column])),
            ),
        ]
        if column - row >= result.max_answer_len:
            lines.append(_("Longer than an answer may be."))
        return "\n".join(lines)

    content = HeatContent(
        scores,
        labels,
        labels,
        Scale.from_zero(scores, logarithmic=True),
        blocked=np.tril(np.ones((count, count), dtype=bool), -1),
        blocked_words=_("ends before it begins"),
        row_title=_("start"),
        column_title=_("end"),
        written=_in_cell,
        said=words,
        marks=tuple(
            Mark(one.first - window.first, one.last - window.first, "chosen")
            for one in result.answers[:1]
            if one.window == number and one.first is not None and one.last is not None
        ),
        seams=True,
        from_right=from_right(result.tokens, shown.asked),
    )
    matrix = Matrix(content, key=lambda row, column: ("span", row, column))
    return cells_or_map(matrix, SIZE, TALLEST)


def _in_cell(value: float) -> str:
    return f"{100 * value:.0f}" if value >= WRITTEN else ""


def strip(shown: Shown, window: AnswerWindow, *, ends: bool) -> ScoredTokens:
    """The chances of every token of a window as an answer's start, or as its end.

    Args:
        shown: The page's.
        window: Whose.
        ends: Those of the end: where the model looks at the start, after the likeliest one.
    """
    starts = window.start_chances()
    of_ends = window.end_chances()[int(starts.argmax())]
    # Starts and ends stand below each other: the same colour is the same probability.
    highest = max(float(starts.max()), float(of_ends.max())) or 1.0
    chances = of_ends if ends else starts
    name = _("end") if ends else _("start")
    tokens = []
    pieces = pieces_of(shown)[window.first : window.end]
    for number, (piece, chance) in enumerate(zip(pieces, chances.tolist(), strict=True)):
        tokens.append(
            ScoredToken(
                piece.text,
                ("end" if ends else "start", number),
                chance / highest,
                _below(chance),
                words=_(
                    "“{token}” as the {side}: {chance}",
                    token=piece.text,
                    side=name,
                    chance=in_digits(chance),
                ),
                joined=piece.joined,
            )
        )
    return ScoredTokens(tokens, _("Ends") if ends else _("Starts"))


def _below(chance: float) -> str:
    """A chance in few characters; nothing where it is slight."""
    return percent(chance) if chance >= WRITTEN else ""
