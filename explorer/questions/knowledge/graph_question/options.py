"""What the graph question can be set to."""

from __future__ import annotations

from typing import Final

from explorer.api.question import FilePath, Places, Whole, WordList
from explorer.text import N_

CHOICES: Final = WordList(
    N_("Choices"),
    (),
    N_("What may be answered, with commas between. Empty: the choices that the text lists."),
    placeholder=N_("trowel, excavator"),
)
FILE: Final = FilePath(
    N_("Graph…"),
    "",
    N_(
        "A knowledge graph of your own: assertions of ConceptNet 5 (.csv or .csv.gz), or a table "
        "with head, relation, tail and weight. Without one it is that of the small world."
    ),
    kinds=N_("Knowledge graphs (*.csv.gz *.tsv.gz *.csv *.tsv *.txt)"),
    endings=(".gz", ".csv", ".tsv"),
    resets=("graph_question.cut_paths", "graph_question.cut_edges"),
)
CUT_PATHS: Final = WordList(N_("Paths cut"), (), in_bar=False)
"""Each as its concepts with " > " between them."""
CUT_EDGES: Final = WordList(N_("Edges cut"), (), in_bar=False)
"""Each as its two concepts likewise."""
CHOICE: Final = Places(
    N_("Choice"), (), redraws=True, in_bar=False, count=1, key="graph_question.choice"
)
"""Whose graph is drawn; none for that of the best answer."""
DRAWN: Final = Whole(
    N_("Paths drawn"),
    8,
    N_("The picture shows those that the network attends to most; the table has all."),
    redraws=True,
    low=1,
    high=40,
    key="graph_question.drawn",
)

ARROW: Final = " > "
"""Between the concepts of a path or an edge that is cut."""


def written(concepts: tuple[str, ...]) -> str:
    """A path as an option holds it."""
    return ARROW.join(concepts)


def read(words: str) -> tuple[str, ...]:
    """The concepts of a path that an option holds."""
    return tuple(part.strip() for part in words.split(ARROW.strip()))
