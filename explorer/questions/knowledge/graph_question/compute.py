"""Concepts, paths, sentence vectors, and what the network makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.api.question import (
    ENCODER,
    Context,
    GraphJudgement,
    GraphReasoner,
    HiddenStates,
    LeftOut,
    LoadedModel,
    SchemaGraph,
    UserMistake,
    check_text,
)
from explorer.files.typed_paths import readable, typed_path
from explorer.hf.kept import kept
from explorer.knowledge.files import read_graph
from explorer.knowledge.grounding import Grounded, concepts_in
from explorer.knowledge.schema import Between, GraphVocabulary, SchemaGraphs, ScoredPath
from explorer.knowledge.small_world import small_world_graph
from explorer.questions.knowledge.graph_question.options import read
from explorer.questions.knowledge.graph_question.pasted import LETTERS
from explorer.questions.knowledge.graph_question.question import (
    BACKWARDS,
    GraphQuestionRequest,
    GraphQuestionResult,
    JudgedChoice,
    JudgedPair,
    NamedConcept,
    ReadPath,
    asked_of,
)
from explorer.text import N_

if TYPE_CHECKING:
    from explorer.knowledge.graph import KnowledgeGraph

MOST_CHOICES = 20
NOTHING = SchemaGraph((), (), (), ())
"""What the network reads where nothing lies between a question and a choice."""


def run(model: LoadedModel, request: GraphQuestionRequest, context: Context) -> GraphQuestionResult:
    """Judge every choice by the paths that lead to it.

    Raises:
        UserMistake: There are no choices, or the right one is none of them; the graph can't be
            read, or shares no word with the network; the encoder's sentence vectors are of another
            width.
        Cancelled: The run was cancelled.
    """
    encoder: LoadedModel = context.model(ENCODER)
    question, choices = _checked(request)
    expected = number_of(request.expected, choices) if request.expected else None
    reasoner = model.port(GraphReasoner)
    graph = _graph(request, context)
    found = _between(graph, reasoner, request, (question, choices), context)
    vectors, left_out = _sentences(encoder, model, question, choices, context)
    context.progress(N_("judging the choices"), 0.0, 0.0)
    judged = reasoner.judge(vectors, [one.schema for one in found], context)
    without = reasoner.judge(vectors, [NOTHING] * len(found), context)
    return GraphQuestionResult(
        model=model.stamp,
        encoder=encoder.stamp,
        question=question,
        concepts=_named(graph, concepts_in(graph, question)),
        choices=tuple(
            _choice(graph, text, one, says, float(alone.score))
            for text, one, says, alone in zip(choices, found, judged, without, strict=True)
        ),
        graph=Path(request.path).name if request.path else "",
        graph_concepts=len(graph.concepts),
        graph_edges=len(graph.heads),
        trained_on=reasoner.sentence_encoder,
        cut_asked=reasoner.cutting[0],
        cut_lowered=reasoner.cutting[1],
        left_out=left_out,
        expected=expected,
    )


@dataclass(frozen=True)
class _Found:
    """What lies between the question and a choice, by words and in the network's numbers."""

    between: Between
    schema: SchemaGraph


def _checked(request: GraphQuestionRequest) -> tuple[str, tuple[str, ...]]:
    check_text(request.text)
    question, choices = asked_of(request.text, request.choices)
    if len(choices) < 2 or not question:
        raise UserMistake(
            N_("There are no choices to choose from."),
            N_("Write two or more after the question: A) trowel B) excavator."),
        )
    if len(choices) > MOST_CHOICES:
        raise UserMistake(
            N_("There are {count} choices, and at most {most} are judged."),
            N_("Leave some of them out."),
            count=len(choices),
            most=MOST_CHOICES,
        )
    return question, choices


def number_of(right: str, choices: Sequence[str]) -> int:
    """The number of the right choice, by its words, or by its letter or number in the list.

    Raises:
        UserMistake: There is none.
    """
    folded = [one.casefold() for one in choices]
    wanted = right.strip(" ,;.?!\t\n").casefold()
    if wanted in folded:
        return folded.index(wanted)
    mark = wanted.strip("()")
    if len(mark) == 1 and mark.upper() in LETTERS[: len(choices)]:
        return LETTERS.index(mark.upper())
    if mark.isdecimal() and 1 <= int(mark) <= len(choices):
        return int(mark) - 1
    raise UserMistake(
        N_("The right answer “{right}” is none of the choices."),
        N_("Name one of {choices}, or its letter."),
        right=right,
        choices=", ".join(choices),
    )


def _graph(request: GraphQuestionRequest, context: Context) -> KnowledgeGraph:
    """The graph that is asked, without the edges that are cut."""
    if request.path:
        path = readable(typed_path(request.path))
        # The last one alone: the next question asks it too.
        graph = kept("graph of a file", lambda: read_graph(path, context), of=path, most=1)
    else:
        graph = small_world_graph()
    cut = []
    for words in request.cut_edges:
        ends = [graph.numbers.get(one, -1) for one in read(words)]
        if len(ends) == 2:
            cut.append((ends[0], ends[1]))
    return graph.without(cut) if cut else graph


def _between(
    graph: KnowledgeGraph,
    reasoner: GraphReasoner,
    request: GraphQuestionRequest,
    asked: tuple[str, tuple[str, ...]],
    context: Context,
) -> list[_Found]:
    """What lies between the question and each choice."""
    question, choices = asked
    known = GraphVocabulary(
        reasoner.concepts, reasoner.relations, reasoner.concept_vectors, reasoner.relation_vectors
    )
    if not any(word in known.concepts for word in graph.concepts):
        raise UserMistake(
            N_("The network has no vector of any concept of this graph."),
            N_("Choose the graph that it was trained on."),
        )
    schemas = SchemaGraphs(graph, known, min(request.edges, reasoner.longest), request.kept_from)
    cut = frozenset(
        tuple(graph.numbers.get(one, -1) for one in read(words)) for words in request.cut_paths
    )
    found = []
    for number, choice in enumerate(choices):
        context.progress(N_("looking for paths"), float(number), float(len(choices)))
        between = schemas.between(question, choice, cut, context.check)
        found.append(_Found(between, schemas.read(between)))
    return found


def _sentences(
    encoder: LoadedModel,
    model: LoadedModel,
    question: str,
    choices: Sequence[str],
    context: Context,
) -> tuple[Any, LeftOut | None]:
    """A vector of the question with each choice (choices x width), and what did not fit."""
    import torch

    reasoner = model.port(GraphReasoner)
    encoded = [encoder.encode(question, choice) for choice in choices]
    states = encoder.port(HiddenStates).states(encoded, context)
    is_mean = reasoner.sentence_pooling == "mean"
    vectors = torch.stack([one[-1].mean(0) if is_mean else one[-1, 0] for one in states])
    given, wanted = vectors.shape[1], reasoner.sentence_width
    if given != wanted:
        raise UserMistake(
            N_("{encoder} gives sentence vectors of {given} numbers, and {model} reads {wanted}."),
            N_("Load {trained} as the encoder.")
            if reasoner.sentence_encoder
            else N_("Load an encoder of that width."),
            encoder=encoder.title,
            model=model.title,
            given=given,
            wanted=wanted,
            trained=reasoner.sentence_encoder,
        )
    return vectors, next((one.left_out for one in encoded if one.left_out is not None), None)


def _choice(
    graph: KnowledgeGraph, text: str, found: _Found, judged: GraphJudgement, without: float
) -> JudgedChoice:
    """What the network says of a choice, in words."""
    between = found.between
    pairs = [
        JudgedPair(
            graph.concepts[one],
            graph.concepts[other],
            attention,
            tuple(
                sorted(
                    (
                        _path(graph, path, share)
                        for path, share in zip(paths, shares.tolist(), strict=True)
                    ),
                    key=lambda path: -path.attention,
                )
            ),
        )
        for (one, other), attention, paths, shares in zip(
            between.pairs,
            judged.pair_attention.tolist(),
            between.paths,
            judged.path_attention,
            strict=False,  # where there is no pair, the one share is of nothing
        )
    ]
    pairs.sort(key=lambda pair: -pair.attention)
    return JudgedChoice(
        text,
        _named(graph, between.answer),
        float(judged.score),
        without,
        tuple(pairs),
        between.pruned,
        between.unknown,
    )


def _path(graph: KnowledgeGraph, path: ScoredPath, attention: float) -> ReadPath:
    count = len(graph.relations)

    def name(kind: int) -> str:
        return (BACKWARDS if kind >= count else "") + graph.relations[kind % count]

    return ReadPath(
        tuple(graph.concepts[one] for one in path.concepts),
        tuple(tuple(name(kind) for kind in step) for step in path.relations),
        path.score,
        attention,
    )


def _named(graph: KnowledgeGraph, concepts: Sequence[Grounded]) -> tuple[NamedConcept, ...]:
    return tuple(NamedConcept(graph.concepts[one.concept], one.said) for one in concepts)
