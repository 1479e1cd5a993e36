"""Paths, edges and relations as they are read."""

from __future__ import annotations

from explorer.knowledge.relations import SAID
from explorer.questions.knowledge.graph_question.question import (
    BACKWARDS,
    GraphQuestionResult,
    ReadPath,
)
from explorer.text import _, ngettext
from explorer.text.formatting.numbers import percent, with_percent


def relation_said(relation: str) -> str:
    """The name of a relation without the star; one of the user's own as it is written."""
    name = relation.removeprefix(BACKWARDS)
    return _(SAID[name]) if name in SAID else name


def step_said(relation: str) -> str:
    """An arrow with the relation's name, the way that it points."""
    name = relation_said(relation)
    return f"←{name}–" if relation.startswith(BACKWARDS) else f"–{name}→"


def path_said(path: ReadPath) -> str:
    """As in "plant ←used for– trowel"."""
    words = [path.concepts[0]]
    for relations, concept in zip(path.relations, path.concepts[1:], strict=True):
        words += [step_said(relations[0]), concept]
    return " ".join(words)


def joined(concepts: tuple[str, ...]) -> str:
    """The concepts of a path that is cut."""
    return " – ".join(concepts)


def graph_said(result: GraphQuestionResult) -> str:
    """Which graph is asked, and how large it is."""
    name = result.graph or _("the graph of the small world")
    return _(
        "In {graph}: {concepts}, {edges}.",
        graph=name,
        concepts=ngettext("{count} concept", "{count} concepts", result.graph_concepts),
        edges=ngettext("{count} edge", "{count} edges", result.graph_edges),
    )


def share_said(share: float) -> str:
    """A share of the attention; one that is not nought is never written as nought."""
    return with_percent("< 0.1") if 0.0 < share < 0.0005 else percent(share, 1)


def paths_counted(count: int) -> str:
    """How many paths."""
    return ngettext("{count} path", "{count} paths", count)
