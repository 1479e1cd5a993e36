"""The schema graph of a choice; everything else of the page is made of parts."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from explorer.questions.knowledge.graph_question.drawn_graph import DrawnEdge, drawn_graph
from explorer.questions.knowledge.graph_question.options import CHOICE, CUT_EDGES, DRAWN
from explorer.questions.knowledge.graph_question.parts import GRAPH, cut
from explorer.questions.knowledge.graph_question.picture import LaidGraph
from explorer.questions.knowledge.graph_question.question import QUESTION
from explorer.questions.knowledge.graph_question.wording import joined
from explorer.text import N_, Phrase
from explorer.ui.blocks import Block, Looking, Picture, Shown, page_of_parts


def drawn(shown: Shown) -> Iterator[Block]:
    """The graph, in which an edge is cut by a click."""
    choice = shown.result.choices[shown.result.looked_at(shown.value(CHOICE))]
    graph = drawn_graph(choice, int(shown.value(DRAWN)))
    act = None if shown.alone else partial(cut_edge, shown)
    yield Picture(lambda width: LaidGraph(graph, width, act))


def cut_edge(shown: Shown, edge: DrawnEdge) -> Any:
    """The gesture that takes an edge out of the graph."""
    ends = (edge.head, edge.tail)
    gesture = cut(CUT_EDGES, ends, Phrase(N_("cut {edge}"), edge=joined(ends)))
    return Looking(QUESTION, shown).act(gesture)


PAGE = page_of_parts(QUESTION, {GRAPH: drawn})
