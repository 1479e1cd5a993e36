"""What to look at first in what a lens reads: the step from one layer to the next."""

import numpy as np

from explorer.api import Headline
from explorer.api.question.standing_out import largest_cell
from explorer.questions.layers.layer_names import layer_phrase
from explorer.questions.layers.logit_lens.question import LogitLensResult
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import drawn

SMALL = 0.05
"""A step that does not stand out."""


def largest_step(result: LogitLensResult) -> Headline:
    """Where a layer changes most what the last one's first word has.

    Masks alone are looked at where there are any: what stands in the text is read off it, and
    what a special token predicts was never trained.
    """
    grid, tokens = result.grid, result.tokens
    columns = [n for n, place in enumerate(grid.places) if tokens[place].masked]
    if not columns:
        columns = [n for n, place in enumerate(grid.places) if not tokens[place].special]
    last = len(grid.layers) - 1
    if not columns or not last:
        return Headline(NOTHING)
    chances = grid.kept[:, columns, 0]
    steps = np.diff(chances, axis=0)
    row, at = largest_cell(abs(steps))
    column = columns[at]
    values = {
        "layer": layer_phrase(grid.layers[row + 1]),
        "position": str(grid.places[column]),
        "word": drawn(grid.best(last, column)[0]),
        "before": in_percent(float(chances[row, at])),
        "after": in_percent(float(chances[row + 1, at])),
    }
    if abs(steps[row, at]) < SMALL:
        code = N_(
            "No layer stands out: the largest step, in {layer} at position {position}, takes "
            "“{word}” only from {before} to {after}."
        )
    elif steps[row, at] > 0:
        code = N_(
            "“{word}” at position {position} gains most in {layer}: it rises from {before} to "
            "{after}."
        )
    else:
        code = N_(
            "“{word}” at position {position} changes most in {layer}: it falls from {before} "
            "to {after}."
        )
    return Headline(Phrase(code, **values), grid.places[column])
