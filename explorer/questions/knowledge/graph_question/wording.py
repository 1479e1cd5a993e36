"""Paths, edges and relations as they are read."""

from __future__ import annotations

from explorer.knowledge.relations import SAID
from explorer.questions.knowledge.graph_question.question import (
    BACKWARDS,
    GraphQuestionResult,
    ReadPath,
)
from explorer.text import N_, NN_, Phrase, _
from explorer.text.formatting.numbers import percent, with_percent


def relation_said(relation: str) -> str:
    """The name of a relation without the star; one of the user's own as it is written."""
    name = relation.removeprefix(BACKWARDS)
    return _(SAID[name]) if name in SAID else name


def path_said(path: ReadPath) -> Phrase:
    """As in "plant ←used for– trowel"."""
    said, values = ["{from}"], {"from": path.concepts[0]}
    for n, (relations, concept) in enumerate(zip(path.relations, path.concepts[1:], strict=True)):
        back = relations[0].startswith(BACKWARDS)
        said += [f"←{{by{n}}}–" if back else f"–{{by{n}}}→", f"{{to{n}}}"]
        name = relations[0].removeprefix(BACKWARDS)
        values |= {f"by{n}": Phrase(SAID.get(name, name)), f"to{n}": concept}
    return Phrase(" ".join(said), **values)


def joined(concepts: tuple[str, ...]) -> str:
    """The concepts of a path that is cut."""
    return " – ".join(concepts)


def graph_said(result: GraphQuestionResult) -> Phrase:
    """Which graph is asked, and how large it is."""
    return Phrase(
        N_("In {graph}: {concepts}, {edges}."),
        graph=result.graph or Phrase(N_("the graph of the small world")),
        concepts=Phrase(NN_("{count} concept", "{count} concepts"), count=result.graph_concepts),
        edges=Phrase(NN_("{count} edge", "{count} edges"), count=result.graph_edges),
    )


def share_said(share: float) -> str:
    """A share of the attention; one that is not nought is never written as nought."""
    return with_percent("< 0.1") if 0.0 < share < 0.0005 else percent(share, 1)


def paths_counted(count: int) -> Phrase:
    """How many paths."""
    return Phrase(NN_("{count} path", "{count} paths"), count=count)
