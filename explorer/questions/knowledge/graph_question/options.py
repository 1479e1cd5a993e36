"""What the graph question can be set to."""

from __future__ import annotations

from typing import Final

from explorer.api import FilePath, Number, Places, Whole, WordList
from explorer.knowledge.paths import LONGEST
from explorer.knowledge.schema import KEPT_FROM
from explorer.text import N_

CHOICES: Final = WordList(
    "graph_question.choices",
    N_("Choices"),
    (),
    N_("What may be answered, with commas between. Empty: the choices that the text lists."),
    placeholder=N_("trowel, excavator"),
)
FILE: Final = FilePath(
    "graph_question.path",
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
EDGES: Final = Whole(
    "graph_question.edges",
    N_("Edges"),
    LONGEST,
    N_("Edges of the longest path, at most as many as the network was made for."),
    low=1,
    high=LONGEST,
)
KEPT: Final = Number(
    "graph_question.kept_from",
    N_("Pruned below"),
    KEPT_FROM,
    N_("Paths that TransE scores less are not read; the authors' value is 0.15."),
    slider=False,
    step=0.05,
)
CUT_PATHS: Final = WordList("graph_question.cut_paths", N_("Paths cut"), (), in_bar=False)
"""Each as its concepts with " > " between them."""
CUT_EDGES: Final = WordList("graph_question.cut_edges", N_("Edges cut"), (), in_bar=False)
"""Each as its two concepts likewise."""
CHOICE: Final = Places(
    "graph_question.choice", N_("Choice"), (), redraws=True, in_bar=False, count=1
)
"""Whose graph is drawn; none for that of the best answer."""
DRAWN: Final = Whole(
    "graph_question.drawn",
    N_("Paths drawn"),
    8,
    N_("The picture shows those that the network attends to most; the table has all."),
    redraws=True,
    low=1,
    high=40,
)

OPTIONS: Final = (CHOICES, EDGES, KEPT, DRAWN, FILE, CUT_PATHS, CUT_EDGES, CHOICE)

ARROW: Final = " > "
"""Between the concepts of a path or an edge that is cut."""


def written(concepts: tuple[str, ...]) -> str:
    """A path as an option holds it."""
    return ARROW.join(concepts)


def read(words: str) -> tuple[str, ...]:
    """The concepts of a path that an option holds."""
    return tuple(part.strip() for part in words.split(ARROW.strip()))
