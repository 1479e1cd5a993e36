"""Where the authors' code, which is run here, differs from their paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from explorer.api.question import column
from explorer.text import N_, said


@dataclass(frozen=True)
class PaperDifference:
    """What, as it is run, as the paper has it (Lin et al. 2019)."""

    what: str = column(N_("what"), key=True, written=said)
    run: str = column(N_("what is run: the authors' code"), wraps=True, written=said)
    paper: str = column(N_("what the paper says"), wraps=True, written=said)


DIFFERENCES: Final = (
    PaperDifference(
        N_("Graph convolution"),
        N_("Neighbours are summed; a concept's own state takes no part."),
        N_("Divided by the number of neighbours, with a weight for the concept itself (eq. 1)."),
    ),
    PaperDifference(
        N_("Step of a path"),
        N_("Concept, its graph state, first relation; the last padded step is read."),
        N_("A triple's vectors; the last state is read (eq. 3)."),
    ),
    PaperDifference(
        N_("Pair T"),
        N_("Two layers of both concepts, their graph states and the sentence."),
        N_("An MLP of the sentence and both concepts (eq. 2)."),
    ),
    PaperDifference(
        N_("Attention"),
        N_("A dot product after one linear map, over paths and over pairs."),
        N_("Bilinear forms (eq. 5 and 6)."),
    ),
    PaperDifference(
        N_("Score"),
        N_("A linear map of pooled pairs and, once more, the sentence; then a sigmoid."),
        N_("An MLP of the pooled pairs; then a sigmoid."),
    ),
    PaperDifference(
        N_("No path"),
        N_("Zeros in place of concepts and paths."),
        N_("Not stated."),
    ),
    PaperDifference(
        N_("Numbers"),
        N_("Concept 0 and relation 0 are placeholders; backwards is a relation of its own."),
        N_("Not stated."),
    ),
)
