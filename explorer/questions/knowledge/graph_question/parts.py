"""The choices with their scores beside the graph of one of them, its paths, and what is cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from explorer.api.question import (
    Cards,
    Choices,
    Manner,
    OneCard,
    OneChoice,
    OwnPicture,
    Rows,
    Said,
    Sets,
    Toggles,
    WordList,
    column,
    sets,
)
from explorer.questions.knowledge.graph_question.differences import DIFFERENCES, PaperDifference
from explorer.questions.knowledge.graph_question.options import (
    CHOICE,
    CUT_EDGES,
    CUT_PATHS,
    DRAWN,
    FILE,
    read,
    written,
)
from explorer.questions.knowledge.graph_question.question import (
    GraphQuestionRequest,
    GraphQuestionResult,
    JudgedChoice,
    ReadPath,
)
from explorer.questions.knowledge.graph_question.wording import (
    graph_said,
    joined,
    path_said,
    paths_counted,
    relation_said,
    share_said,
)
from explorer.text import N_, NN_, Phrase, verbatim
from explorer.text.formatting.probabilities import in_digits

GRAPH = "graph"
"""What the page draws itself."""
MOST_ROWS = 20
"""Paths that are listed; the exported table has all."""
ABOUT = N_(
    "A path's share is the attention to its pair of concepts times the attention to it among the "
    "pair's paths; all shares of a choice add up to 1."
)
TRANSE = N_("TransE: how likely the steps of a path are to be facts, by their vectors.")
CUTTING = N_("Click a row to cut a path, or a relation in the graph to cut an edge.")


@dataclass(frozen=True)
class ChoiceRow:
    """A choice with its scores."""

    choice: str = column(N_("choice"), key=True)
    score: float = column(N_("score"), written=in_digits)
    without: float = column(
        N_("without paths"),
        tip=N_("The score of the same choice where the network is given no path."),
        written=in_digits,
        dispensable=True,
    )
    paths: int = column(N_("paths"), dispensable=True)
    number: int = column(N_("number"), shown=False)


@dataclass(frozen=True)
class AttendedPath:
    """A path to the choice whose graph is drawn."""

    path: str = column(N_("path"), key=True)
    share: float = column(N_("share"), written=share_said)
    of_pair: float = column(N_("of its pair"), written=share_said, dispensable=True)
    transe: float = column("TransE", written=in_digits, dispensable=True)


def parts(
    result: GraphQuestionResult,
    choice: tuple[int, ...] = (),
    drawn: int = DRAWN.default,
    request: GraphQuestionRequest | None = None,
) -> Iterator[Said | Choices | Cards | OwnPicture | Rows]:
    """The answer, all choices beside one's graph, its paths, what is cut, code and paper.

    Args:
        result: The answer.
        choice: The number of the one whose graph is drawn; the best where there is none.
        drawn: Paths that the picture has.
        request: What was asked.
    """
    number = result.looked_at(choice)
    one = result.choices[number]
    yield Said(_answer(result), Manner.STRONG)
    yield Said(Phrase(N_("Asked: “{question}”"), question=result.question), Manner.PAPER)
    yield from _remarks(result)
    yield from _to_put_back(result, request or GraphQuestionRequest(""))
    yield Cards(
        (
            OneCard(N_("Choices"), (_choices(result, number),)),
            OneCard(Phrase(N_("Graph of “{choice}”"), choice=one.text), tuple(_graph(one, drawn))),
        ),
        framed=False,
        shares=(0.7, 1.3),
    )
    yield Said(Phrase(N_("Paths to “{choice}”"), choice=one.text), Manner.TITLE)
    if one.count:
        yield from _paths(one)
        yield Said(ABOUT, Manner.EXPLANATION, near=True)
        yield Said(TRANSE, Manner.EXPLANATION, near=True)
        yield Said(CUTTING, Manner.HINT, near=True)
    yield Said(_pruned(one), near=True)
    yield Rows(
        PaperDifference,
        DIFFERENCES,
        title=N_("What is run, and what the paper says"),
        in_files=False,
    )


def _answer(result: GraphQuestionResult) -> Phrase:
    """The best choice, and the path that is attended to most."""
    best = result.choices[result.best]
    top = next(iter(best.attended), None)
    values = {"choice": best.text, "score": in_digits(best.score)}
    if top is None:
        return Phrase(N_("“{choice}”, with a score of {score}; no path leads to it."), **values)
    code = N_("“{choice}”, with a score of {score}, most by {path}.")
    return Phrase(code, path=path_said(top[1]), **values)


def _remarks(result: GraphQuestionResult) -> Iterator[Said]:
    named = ", ".join(one.concept for one in result.concepts)
    graph = graph_said(result)
    if named:
        code = N_("{graph} The question names: {concepts}.")
        yield Said(Phrase(code, graph=graph, concepts=named), near=True)
    else:
        code = N_("{graph} The question names none of them.")
        yield Said(Phrase(code, graph=graph), Manner.WARNING, near=True)
    if not result.has_its_encoder:
        said = Phrase(
            N_(
                "The network was trained on the sentence vectors of {trained}, and reads those of "
                "{encoder}: its scores mean little."
            ),
            trained=result.trained_on,
            encoder=result.encoder.id,
        )
        yield Said(said, Manner.WARNING, near=True)
    if result.cut_asked:
        said = Phrase(
            N_(
                "Of {asked} questions that it was not trained on, the right choice’s score falls "
                "in {lowered} where the path that is attended to most is cut."
            ),
            asked=result.cut_asked,
            lowered=result.cut_lowered,
        )
        yield Said(said, Manner.ABOUT, near=True)


def _to_put_back(result: GraphQuestionResult, request: GraphQuestionRequest) -> Iterator[Choices]:
    """The user's graph with the way back to the small world's, and what is cut likewise."""
    if result.graph and request.path:
        values = dict.fromkeys((FILE.key, *FILE.resets))
        back = Sets(values, Phrase(N_("close {graph}"), graph=result.graph))
        tip = N_("Close it, and ask the graph of the small world.")
        mine = OneChoice(verbatim(f"{result.graph} ✕"), back, tip=tip, key="graph")
        yield Choices((mine,), N_("Graph:"))
    are_cut = [(CUT_PATHS, one) for one in request.cut_paths]
    are_cut += [(CUT_EDGES, one) for one in request.cut_edges]
    chips = tuple(
        OneChoice(
            verbatim(f"{joined(read(words))} ✕"),
            Toggles(option, (words,), Phrase(N_("put back {path}"), path=joined(read(words)))),
            tip=N_("Put this back."),
            key=words,
        )
        for option, words in are_cut
    )
    if chips:
        yield Choices(chips, N_("Cut:"), on_paper=True)


def cut(option: WordList, concepts: tuple[str, ...], step: str) -> Toggles:
    """The gesture of cutting a path or an edge, besides those that are cut."""
    return Toggles(option, (written(concepts),), step)


def _choices(result: GraphQuestionResult, number: int) -> Rows:
    rows = tuple(
        ChoiceRow(one.text, one.score, one.without, one.count, at)
        for at, one in enumerate(result.choices)
    )
    looks = N_("Click to see the graph and the paths of “{choice}”.")
    return Rows(
        ChoiceRow,
        rows,
        bar="score",
        scale=(0.0, 1.0),
        gesture=lambda row: sets(
            CHOICE, (row.number,), Phrase(N_("look at {choice}"), choice=row.choice)
        ),
        words=lambda row: Phrase(looks, choice=row.choice),
        chosen=lambda row: row.number == number,
        in_files=False,
    )


def _graph(choice: JudgedChoice, most: int) -> Iterator[Said | OwnPicture]:
    if not choice.count:
        nothing = N_("No path leads from the question to “{choice}”.")
        yield Said(Phrase(nothing, choice=choice.text))
        return
    if choice.count > most:
        said = Phrase(
            NN_(
                "The path of {all} that is attended to most; wider edges have more of it.",
                "The {count} paths of {all} that are attended to most; wider edges have more of "
                "it.",
            ),
            count=most,
            all=choice.count,
        )
        yield Said(said, Manner.EXPLANATION, near=True)
    yield OwnPicture(GRAPH)


def _paths(choice: JudgedChoice) -> Iterator[Rows | Said]:
    """A row a path, most attended to first; choosing one cuts it."""
    every = choice.attended
    paths: dict[str, ReadPath] = {path_said(path): path for _share, path in every[:MOST_ROWS]}
    rows = tuple(
        AttendedPath(path_said(path), share, path.attention, path.transe)
        for share, path in every[:MOST_ROWS]
    )

    def gesture(row: AttendedPath) -> Toggles:
        concepts = paths[row.path].concepts
        return cut(CUT_PATHS, concepts, Phrase(N_("cut {path}"), path=joined(concepts)))

    yield Rows(
        AttendedPath,
        rows,
        bar="share",
        scale=(0.0, every[0][0] or 1.0),
        gesture=gesture,
        words=lambda row: _told(paths[row.path]),
        reads_whole=True,
        in_files=False,
    )
    if len(every) > MOST_ROWS:
        rest = sum(share for share, _path in every[MOST_ROWS:])
        code = N_("{count} more, with {share} of the attention together.")
        yield Said(Phrase(code, count=len(every) - MOST_ROWS, share=share_said(rest)), near=True)


def _told(path: ReadPath) -> Phrase:
    """What a row can be clicked for, and relations that stand beside those that are read."""
    beside = [
        f"{one} – {other}: {', '.join(map(relation_said, relations[1:]))}"
        for (one, other), relations in zip(pairwise(path.concepts), path.relations, strict=True)
        if len(relations) > 1
    ]
    if beside:
        code = N_("{path}\nClick to cut this path.\nNot read: {relations}")
        return Phrase(code, path=path_said(path), relations="; ".join(beside))
    return Phrase(N_("{path}\nClick to cut this path."), path=path_said(path))


def _pruned(choice: JudgedChoice) -> Phrase:
    """What was found and is not read."""
    code = N_("{paths} read; {pruned} pruned by TransE.")
    said = Phrase(code, paths=paths_counted(choice.count), pruned=choice.pruned)
    if not choice.unknown:
        return said
    unknown = Phrase(
        NN_(
            "{count} meets what the network has no vector of.",
            "{count} meet what the network has no vector of.",
        ),
        count=choice.unknown,
    )
    return Phrase.joined((said, unknown))
