"""The choices with their scores, the graph of one of them, its paths, and what is cut."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from explorer.questions.knowledge.graph_question.differences import differences
from explorer.questions.knowledge.graph_question.drawn_graph import DrawnEdge, drawn_graph
from explorer.questions.knowledge.graph_question.options import (
    CHOICE,
    CUT_EDGES,
    CUT_PATHS,
    DRAWN,
    FILE,
    read,
    written,
)
from explorer.questions.knowledge.graph_question.picture import LaidGraph
from explorer.questions.knowledge.graph_question.question import (
    OPERATION,
    GraphQuestionResult,
    JudgedChoice,
)
from explorer.questions.knowledge.graph_question.tables import choices_table, paths_table
from explorer.questions.knowledge.graph_question.wording import (
    graph_said,
    joined,
    path_said,
    paths_counted,
)
from explorer.text import N_, _, ngettext
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.picture import Picture
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text, heading, note, warning
from explorer.ui.document.gestures import set_options

ABOUT = N_(
    "A path's share is the attention to its pair of concepts times the attention to it among the "
    "pair's paths; all shares of a choice add up to 1."
)
TRANSE = N_("TransE: how likely the steps of a path are to be facts, by their vectors.")
CUTTING = N_("Click a row to cut a path, or a relation in the graph to cut an edge.")


def blocks(shown: Shown) -> Iterator[Block]:
    """The answer, all choices beside one's graph, its paths, what is cut, code and paper."""
    result: GraphQuestionResult = shown.result
    yield Text(answer_said(result), "strong")
    if shown.alone:
        yield note(_("Asked: “{question}”", question=result.question))
    yield from _remarks(shown)
    yield from _own_graph(shown)
    yield from _cuts(shown)
    number = chosen(shown)
    choice = result.choices[number]
    yield Columns(
        (
            Card(tuple(_choices(shown, number)), _("Choices")),
            Card(tuple(_graph(shown, choice)), _("Schema graph")),
        ),
        framed=False,
        shares=(0.7, 1.3),
    )
    yield heading(_("Paths to “{choice}”", choice=choice.text))
    if choice.count:
        yield paths_table(shown, choice)
        yield note(_(ABOUT))
        yield note(_(TRANSE), hint=_(CUTTING))
    yield note(_pruned_said(choice))
    yield heading(_("What is run, and what the paper says"))
    yield differences()


def answer_said(result: GraphQuestionResult) -> str:
    """The best choice, and the path that is attended to most."""
    best = result.choices[result.best]
    top = next(iter(best.attended), None)
    if top is None:
        return _(
            "“{choice}”, with a score of {score}; no path leads to it.",
            choice=best.text,
            score=in_digits(best.score),
        )
    return _(
        "“{choice}”, with a score of {score}, most by {path}.",
        choice=best.text,
        score=in_digits(best.score),
        path=path_said(top[1]),
    )


def chosen(shown: Shown) -> int:
    """The number of the choice whose graph is drawn."""
    result: GraphQuestionResult = shown.result
    number = next(iter(shown.value(CHOICE)), None)
    if number is not None and number < len(result.choices):
        return int(number)
    return result.best


def _remarks(shown: Shown) -> Iterator[Block]:
    result: GraphQuestionResult = shown.result
    named = ", ".join(one.concept for one in result.concepts)
    if named:
        yield note(
            _("{graph} The question names: {concepts}.", graph=graph_said(result), concepts=named)
        )
    else:
        yield warning(_("{graph} The question names none of them.", graph=graph_said(result)))
    if not result.has_its_encoder:
        yield warning(
            _(
                "The network was trained on the sentence vectors of {trained}, and reads those of "
                "{encoder}: its scores mean little.",
                trained=result.trained_on,
                encoder=result.encoder.id,
            )
        )
    if result.cut_asked:
        yield note(
            _(
                "Of {asked} questions that it was not trained on, the right choice’s score falls "
                "in {lowered} where the path that is attended to most is cut.",
                asked=result.cut_asked,
                lowered=result.cut_lowered,
            )
        )


def _choices(shown: Shown, number: int) -> Iterator[Block]:
    yield heading(_("Choices"))
    yield choices_table(shown, number)


def _graph(shown: Shown, choice: JudgedChoice) -> Iterator[Block]:
    yield heading(_("Graph of “{choice}”", choice=choice.text))
    if not choice.count:
        yield note(_("No path leads from the question to “{choice}”.", choice=choice.text))
        return
    most = int(shown.value(DRAWN))
    if choice.count > most:
        yield note(
            ngettext(
                "The path of {all} that is attended to most; wider edges have more of it.",
                "The {count} paths of {all} that are attended to most; wider edges have more of "
                "it.",
                most,
                all=choice.count,
            ),
            above=Space.TIGHT,
        )
    graph = drawn_graph(choice, most)
    act = None if shown.alone else partial(cut_edge, shown)
    yield Picture(lambda width: LaidGraph(graph, width, act))


def cut_edge(shown: Shown, edge: DrawnEdge) -> Any:
    """The gesture that takes an edge out of the graph."""
    ends = (edge.head, edge.tail)
    cut = (*CUT_EDGES.of(shown.now), written(ends))
    return shown.setting(CUT_EDGES, cut, _("cut {edge}", edge=joined(ends)))


def _own_graph(shown: Shown) -> Iterator[Block]:
    """The user's graph, with the way back to the small world's."""
    name = shown.result.graph
    if name and FILE.of(shown.now):
        values = dict.fromkeys((FILE.key, *FILE.resets))
        back = set_options(shown.now, values, _("close {graph}", graph=name))
        tip = _("Close it, and ask the graph of the small world.")
        yield Chips([Chip(f"{name} ✕", back, tip=tip, key="graph")], title=_("Graph:"))


def _cuts(shown: Shown) -> Iterator[Block]:
    """What is cut, each with the way back."""
    chips = []
    for option in (CUT_PATHS, CUT_EDGES):
        cut = option.of(shown.asked)
        for words in cut:
            said = joined(read(words))
            rest = tuple(one for one in option.of(shown.now) if one != words)
            back = shown.setting(option, rest, _("put back {path}", path=said))
            tip = _("Put this back.")
            chips.append(Chip(f"{said} ✕", None if shown.alone else back, tip=tip, key=words))
    if chips:
        yield Chips(chips, title=_("Cut:"), on_paper=True)


def _pruned_said(choice: JudgedChoice) -> str:
    """What was found and is not read."""
    said = [
        _(
            "{paths} read; {pruned} pruned by TransE.",
            paths=paths_counted(choice.count),
            pruned=choice.pruned,
        )
    ]
    if choice.unknown:
        said.append(
            ngettext(
                "{count} meets what the network has no vector of.",
                "{count} meet what the network has no vector of.",
                choice.unknown,
            )
        )
    return " ".join(said)


PAGE = Page(
    OPERATION,
    blocks,
    draws_pinned=True,
    second_model_hint=N_(
        "A KagNet answers beside an encoder: load kagnet-miniature and bert-miniature, one as A "
        "and one as B."
    ),
)
