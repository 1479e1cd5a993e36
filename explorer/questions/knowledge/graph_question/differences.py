"""Where the authors' code, which is run here, differs from their paper."""

from __future__ import annotations

from typing import Final

from explorer.text import N_, _
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row

SEVEN: Final = (
    (
        N_("Graph convolution"),
        N_("Neighbours are summed; a concept's own state takes no part."),
        N_("Divided by the number of neighbours, with a weight for the concept itself (eq. 1)."),
    ),
    (
        N_("Step of a path"),
        N_("Concept, its graph state, first relation; the last padded step is read."),
        N_("A triple's vectors; the last state is read (eq. 3)."),
    ),
    (
        N_("Pair T"),
        N_("Two layers of both concepts, their graph states and the sentence."),
        N_("An MLP of the sentence and both concepts (eq. 2)."),
    ),
    (
        N_("Attention"),
        N_("A dot product behind one linear map, over paths and over pairs."),
        N_("Bilinear forms (eq. 5 and 6)."),
    ),
    (
        N_("Score"),
        N_("A linear map of pooled pairs and, once more, the sentence; then a sigmoid."),
        N_("An MLP of the pooled pairs; then a sigmoid."),
    ),
    (
        N_("No path"),
        N_("Zeros in the place of concepts and paths."),
        N_("Not told."),
    ),
    (
        N_("Numbers"),
        N_("Concept 0 and relation 0 are placeholders; backwards is a relation of its own."),
        N_("Not told."),
    ),
)
"""What, as it is run, as the paper has it (Lin et al. 2019)."""


def differences() -> BarTable:
    """A row for each."""
    return BarTable(
        [Row(_(what), (_(run), _(paper)), key=("differs", what)) for what, run, paper in SEVEN],
        (
            Column(_("what is run: the authors' code"), left=True, wraps=True),
            Column(_("what the paper says"), left=True, wraps=True),
        ),
        title=_("What is run, and what the paper says"),
        bold=False,
        ruled=True,
    )
