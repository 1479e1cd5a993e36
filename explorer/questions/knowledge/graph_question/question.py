"""Which choice answers a question, and by which paths of a knowledge graph?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath

from explorer.api.question import (
    ENCODER,
    REASONER,
    SLOTS,
    Asks,
    Cell,
    Condition,
    GraphReasoner,
    HiddenStates,
    LeftOut,
    Listing,
    ModelCard,
    ModelStamp,
    Number,
    Pool,
    Question,
    Table,
    Topic,
    Whole,
    a_text,
    asked,
    column,
    right_answer,
)
from explorer.api.question.roles import Options, RoleBinding
from explorer.knowledge.paths import LONGEST
from explorer.knowledge.schema import KEPT_FROM
from explorer.questions.knowledge.graph_question.options import (
    CHOICE,
    CHOICES,
    CUT_EDGES,
    CUT_PATHS,
    DRAWN,
    FILE,
)
from explorer.questions.knowledge.graph_question.pasted import taken_apart
from explorer.questions.knowledge.graph_question.pooling import COLUMNS, gather
from explorer.questions.knowledge.graph_question.pooling import parts as pooled_parts
from explorer.text import N_
from explorer.text.formatting.probabilities import in_digits

NAME = "graph_question"
BACKWARDS = "*"
"""Before a relation that a path goes along from its tail to its head."""


@dataclass(frozen=True)
class GraphQuestionRequest(Asks):
    """Ask which choice answers a question.

    The text has its choices, too, where they are not named apart. A path that is cut has its
    concepts with " > " between them, and so has an edge.
    """

    text: str
    choices: tuple[str, ...] = asked(CHOICES)
    path: str = asked(FILE)
    edges: int = asked(
        Whole(
            N_("Edges"),
            LONGEST,
            N_("Edges of the longest path, no more than the network was made for."),
            low=1,
            high=LONGEST,
        )
    )
    kept_from: float = asked(
        Number(
            N_("Pruned below"),
            KEPT_FROM,
            N_("Paths that TransE scores less are not read; the authors' value is 0.15."),
            slider=False,
            step=0.05,
        )
    )
    cut_paths: tuple[str, ...] = asked(CUT_PATHS)
    cut_edges: tuple[str, ...] = asked(CUT_EDGES)
    expected: str | None = right_answer()


def asked_of(text: str, choices: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The question and its choices: those that are named, or those of the text."""
    named = tuple(dict.fromkeys(one.strip() for one in choices if one.strip()))
    question, listed = taken_apart(text)
    # One named alone is no choice, and must not keep those of the text from being one.
    return question, named if len(named) > 1 or not listed else tuple(dict.fromkeys(listed))


def of_row(request: GraphQuestionRequest, _line: int) -> GraphQuestionRequest:
    """The request for a row of a file: its own choices, where it lists any, are what it asks of."""
    return replace(request, choices=()) if taken_apart(request.text)[1] else request


@dataclass(frozen=True)
class NamedConcept:
    """A concept that a text names.

    Attributes:
        concept: As the graph has it.
        said: As the text has it.
    """

    concept: str
    said: str


@dataclass(frozen=True)
class ReadPath:
    """A path that the network read.

    Attributes:
        concepts: All that it meets, from the question's to the choice's.
        relations: Of each step, all that there are; the first is read. One that is gone along
            backwards has a star before it.
        transe: Its score by TransE.
        attention: Its share among the paths of its pair.
    """

    concepts: tuple[str, ...]
    relations: tuple[tuple[str, ...], ...]
    transe: float
    attention: float


@dataclass(frozen=True)
class JudgedPair:
    """A concept of the question and one of a choice.

    Attributes:
        question: The one.
        choice: The other.
        attention: Its share among the pairs of its choice.
        paths: Those between them, most attended to first.
    """

    question: str
    choice: str
    attention: float
    paths: tuple[ReadPath, ...]


@dataclass(frozen=True)
class JudgedChoice:
    """What the network makes of one choice.

    Attributes:
        text: The choice.
        concepts: Those that it names.
        score: From 0 to 1.
        without: What it would be without any path.
        pairs: Most attended to first.
        pruned: Paths that TransE scored too little.
        unknown: Paths that meet a concept or relation that the network has no vector of.
    """

    text: str
    concepts: tuple[NamedConcept, ...]
    score: float
    without: float
    pairs: tuple[JudgedPair, ...]
    pruned: int
    unknown: int

    @property
    def count(self) -> int:
        """How many paths were read."""
        return sum(len(pair.paths) for pair in self.pairs)

    @property
    def attended(self) -> tuple[tuple[float, ReadPath], ...]:
        """Every path with its share of all attention: its pair's times its own; greatest first."""
        every = [(pair.attention * one.attention, one) for pair in self.pairs for one in pair.paths]
        every.sort(key=lambda one: -one[0])
        return tuple(every)


@dataclass(frozen=True)
class GraphQuestionResult:
    """Every choice with its score and its paths.

    Attributes:
        model: The network.
        encoder: Whose sentence vectors it read.
        question: Without the choices.
        concepts: Those that the question names.
        choices: In the order they were given.
        graph: Name of the graph's file; "" for the small world.
        graph_concepts: How many it has.
        graph_edges: Likewise.
        trained_on: The checkpoint whose sentence vectors the network was trained on; "" where its
            files do not say.
        cut_asked: In how many questions that it was not trained on its makers cut the path that is
            attended to most; 0 where its files do not say.
        cut_lowered: In how many of them the right choice's score fell.
        left_out: What of the question did not fit into the encoder, or None.
        expected: Number of the right choice; None where it is not known.
    """

    model: ModelStamp
    encoder: ModelStamp
    question: str
    concepts: tuple[NamedConcept, ...]
    choices: tuple[JudgedChoice, ...]
    graph: str
    graph_concepts: int
    graph_edges: int
    trained_on: str = ""
    cut_asked: int = 0
    cut_lowered: int = 0
    left_out: LeftOut | None = None
    expected: int | None = None

    @property
    def has_its_encoder(self) -> bool:
        """Whether the encoder is the one that the network was trained beside, if that is known."""
        return self.trained_on in ("", PurePath(self.encoder.id).name)

    @property
    def best(self) -> int:
        """The number of the choice with the highest score."""
        scores = [one.score for one in self.choices]
        return scores.index(max(scores))

    def looked_at(self, chosen: tuple[int, ...]) -> int:
        """The number of the choice whose graph is drawn: a chosen one, else the best."""
        number = next(iter(chosen), self.best)
        return number if number < len(self.choices) else self.best

    @property
    def best_alone(self) -> int:
        """The same where no path is read."""
        scores = [one.without for one in self.choices]
        return scores.index(max(scores))

    @property
    def read_and_found(self) -> tuple[int, int]:
        """Paths to all choices that were read, and all that there are."""
        read = sum(one.count for one in self.choices)
        return read, read + sum(one.pruned + one.unknown for one in self.choices)


def path_in_words(path: ReadPath) -> str:
    """As in "plant *usedfor trowel"."""
    words = [path.concepts[0]]
    for relations, concept in zip(path.relations, path.concepts[1:], strict=True):
        words += [relations[0], concept]
    return " ".join(words)


@dataclass(frozen=True)
class PathRow:
    """A path to a choice; a choice without any has none of its columns."""

    choice: str = column(N_("choice"), key=True)
    score: float = column(N_("score"), written=in_digits)
    score_without_paths: float = column(N_("score without paths"), written=in_digits)
    question_concept: str | None = column(N_("concept of the question"), compared=False)
    choice_concept: str | None = column(N_("concept of the choice"), compared=False)
    pair_attention: float | None = column(N_("share of the pair"), written=in_digits)
    path: str | None = column(N_("path"), key=True)
    edges: int | None = column(N_("edges"), compared=False)
    path_attention: float | None = column(N_("of its pair"), written=in_digits)
    share: float | None = column(N_("share"), written=in_digits)
    transe: float | None = column("TransE", written=in_digits)


def table(result: GraphQuestionResult) -> Table:
    """One row a path; a choice without any has one row."""
    rows = []
    for choice in result.choices:
        own = (choice.text, choice.score, choice.without)
        if not choice.pairs:
            rows.append(PathRow(*own, *(None,) * 8))
        rows += [
            PathRow(
                *(*own, pair.question, pair.choice, pair.attention, path_in_words(one)),
                *(len(one.relations), one.attention, pair.attention * one.attention, one.transe),
            )
            for pair in choice.pairs
            for one in pair.paths
        ]
    return Table.of(PathRow, rows)


COLUMN_TITLES = {
    "answer": N_("answer"),
    "right": N_("right"),
    "score": N_("score"),
    "second": N_("second"),
    "second_score": N_("score of the second"),
    "paths": N_("paths"),
    "top_path": N_("strongest path"),
    "top_share": N_("share of the strongest path"),
    "paths_used": N_("share of paths read"),
    "is_right": N_("right with paths"),
    "is_right_alone": N_("right without paths"),
    "said_score": N_("score of what was said"),
    "paths_read": N_("paths read"),
    "paths_found": N_("paths found"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: GraphQuestionResult) -> Mapping[str, Cell]:
    """One row for one question."""
    order = sorted(result.choices, key=lambda one: -one.score)
    best = order[0]
    top = next(iter(best.attended), None)
    read, found = result.read_and_found
    return {
        "answer": best.text,
        **({} if result.expected is None else {"right": int(result.best == result.expected)}),
        "score": best.score,
        "second": order[1].text if len(order) > 1 else None,
        "second_score": order[1].score if len(order) > 1 else None,
        "paths": best.count,
        "top_path": path_in_words(top[1]) if top is not None else None,
        "top_share": top[0] if top is not None else None,
        "paths_used": read / found if found else None,
    }


def kept(result: GraphQuestionResult) -> Mapping[str, Cell]:
    """What a row of a file keeps for the accuracy of all."""
    if result.expected is None:
        return dict.fromkeys(COLUMNS)
    cells = (
        int(result.best == result.expected),
        int(result.best_alone == result.expected),
        result.choices[result.best].score,
        *result.read_and_found,
    )
    return dict(zip(COLUMNS, cells, strict=True))


def casting(cards: Mapping[str, ModelCard], active: str, _document: Options) -> RoleBinding:
    """The network in whichever slot it lies, and beside it the encoder.

    Where no network is loaded, the active model is the encoder and the other slot waits for one.
    """
    order = [active, *(slot for slot in SLOTS if slot != active)]
    able = [slot for slot in order if slot in cards and NAME in cards[slot].operations]
    reasoner = able[0] if able else order[1]
    return {REASONER: reasoner, ENCODER: next(slot for slot in order if slot != reasoner)}


QUESTION = Question(
    name=NAME,
    title=N_("Graph question"),
    asks=N_("Which choice answers a question, and by which paths of a knowledge graph?"),
    elsewhere=N_(
        "Graph questions are answered by a KagNet, as kagnet-miniature, together with an encoder."
    ),
    listing=Listing(Topic.KNOWLEDGE, 2, "help-network-outline", in_overview=10),
    found_by=(
        "KagNet",
        "commonsense",
        "ConceptNet",
        "multiple choice",
        "knowledge graph",
        "상식 추론",
        "지식 그래프",
    ),
    request=GraphQuestionRequest,
    result=GraphQuestionResult,
    follows={"choice": CHOICE, "drawn": DRAWN},
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    roles={REASONER: (GraphReasoner,), ENCODER: (HiddenStates,)},
    binding=casting,
    options=(DRAWN, FILE, CUT_PATHS, CUT_EDGES, CHOICE),
    pool=Pool(kept, COLUMNS, gather, numbered=of_row, parts=pooled_parts),
    second_model_hint=N_(
        "A KagNet answers together with an encoder: load kagnet-miniature and bert-"
        "miniature, one as A and one as B."
    ),
    conditions=(
        a_text(N_("Type a question, and after it the choices: A) trowel B) excavator.")),
        Condition(
            lambda document: len(asked_of(document.text, CHOICES.of(document))[1]) > 1,
            N_("Write two or more choices after the question: A) trowel B) excavator."),
        ),
    ),
)
