"""What both models cost here, a row a kind of cost, beside what papers claim of such models."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from explorer.api.question import Manner, Models, Rows, Said, column
from explorer.questions.distillation.cost.question import CostResult, ModelCost
from explorer.questions.distillation.roles import STUDENTS, TEACHERS, players
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import decimal, whole
from explorer.text.formatting.quantities import in_bytes, measured
from explorer.text.phrase import NOTHING


@dataclass(frozen=True)
class CostRow:
    """One kind of cost.

    Attributes:
        title: What it is.
        teacher: As it is written.
        student: As it is written.
        saved: "39.4 % fewer".
        words: For the tooltip.
        taught: The teacher's bar: the longer of the two is 1; None where no bar makes sense.
        learnt: The student's.
    """

    title: str = column(N_("cost"), key=True)
    teacher: str = column(N_("teacher"), ends_right=True)
    student: str = column(N_("student"), ends_right=True)
    saved: str = column(N_("saved"), dispensable=True, ends_right=True)
    words: str = column("", shown=False)
    taught: float | None = column("", shown=False, default=None)
    learnt: float | None = column("", shown=False, default=None)


@dataclass(frozen=True)
class ClaimRow:
    """What this pair has here, or what a paper says of a student."""

    student: str = column(N_("student"), key=True)
    teacher: str = column(N_("compared with"), key=True)
    smaller: str = column(N_("smaller"))
    faster: str = column(N_("faster"))
    source: str = column(N_("source"), wraps=True)


def parts(
    result: CostResult, titles: Mapping[str, str] | None = None
) -> Iterator[Models | Rows | Said]:
    """Rows with bars, how they were measured, and what papers claim."""
    yield players(result)
    yield Rows(
        CostRow,
        tuple(costs(result)),
        bars={"taught": TEACHERS, "learnt": STUDENTS},
        scale=(0.0, 1.0),
        words=lambda row: Phrase.joined((row.words, row.saved)),
    )
    yield Said(result.scatter_said, Manner.WARNING)
    yield Said(result.how, Manner.ABOUT)
    yield Said(
        Phrase(
            NN_(
                "Here: {runs} runs each, {dtype} on {device}, {count} thread.",
                "Here: {runs} runs each, {dtype} on {device}, {count} threads.",
            ),
            count=result.threads,
            runs=result.teacher.runs,
            dtype=result.model.dtype,
            device=result.model.device,
        ),
        near=True,
    )
    yield Said(N_("What papers claim"), Manner.TITLE)
    yield Said(
        N_(
            "Papers measured other models on other machines, so only their ratios can be compared. "
            "A miniature has no large matrices: its time depends mostly on how many layers it has."
        ),
        Manner.EXPLANATION,
    )
    here, *papers = claims(result, titles or {})
    yield Rows(ClaimRow, (here, *papers), chosen=lambda row: row is here)


def costs(result: CostResult) -> Iterator[CostRow]:
    """What both cost."""
    a, b = result.teacher, result.student
    yield _row(
        N_("Parameters"),
        (whole(a.parameters), whole(b.parameters)),
        (a.parameters, b.parameters),
        fewer(a.parameters / b.parameters),
        N_("Tied ones are counted once."),
    )
    if a.parameters_used is not None and b.parameters_used is not None:
        yield _row(
            N_("of which a run here uses"),
            (whole(a.parameters_used), whole(b.parameters_used)),
            (a.parameters_used, b.parameters_used),
            fewer(result.smaller),
            N_(
                "Without those that training alone uses, as TinyBERT's maps to its teacher's "
                "width, and without heads that this run does not need."
            ),
        )
    yield _row(
        N_("of which word embeddings"),
        (whole(a.embedding_parameters), whole(b.embedding_parameters)),
        (a.embedding_parameters, b.embedding_parameters),
        words=N_("The vocabulary's part, which fewer layers do not make smaller."),
    )
    yield _row(
        N_("Layers × width × heads"),
        (_shape(a), _shape(b)),
        words=N_("As their configurations say."),
    )
    yield _row(
        N_("Memory of the weights"),
        (in_bytes(a.weights_bytes), in_bytes(b.weights_bytes)),
        (a.weights_bytes, b.weights_bytes),
        less(a.weights_bytes / max(b.weights_bytes, 1)),
        N_("As they are loaded now."),
    )
    yield from _times(result)


def _times(result: CostResult) -> Iterator[CostRow]:
    """How long both take for the text."""
    a, b = result.teacher, result.student
    steady = result.is_steady
    title = N_("Time for this text ({tokens} tokens)")
    if a.tokens != b.tokens:
        title = N_("Time for this text ({tokens} and {b_tokens} tokens)")
    medians = measured(a.seconds), measured(b.seconds)
    about = tuple(Phrase(N_("about {time}"), time=one) for one in medians)
    yield _row(
        Phrase(title, tokens=a.tokens, b_tokens=b.tokens),
        medians if steady else about,
        (a.seconds, b.seconds) if steady else None,
        Phrase(N_("the runs scatter")) if result.faster is None else faster(result.faster),
        Phrase(N_("Teacher {span}; student {span_2}."), span=_span(a), span_2=_span(b)),
    )
    yield _row(
        N_("Middle half of the runs"),
        (_middle(a), _middle(b)),
        words=N_(
            "From the lower to the upper quartile: a quarter of the runs were quicker, a quarter "
            "slower."
        ),
    )
    yield _row(
        N_("Quickest run"),
        (measured(a.fastest), measured(b.fastest)),
        (a.fastest, b.fastest) if steady else None,
        faster(a.fastest / b.fastest) if steady else NOTHING,
        N_("What the machine can do when nothing disturbs it."),
    )


def _row(
    title: str,
    said: tuple[str, ...],
    amounts: tuple[float, float] | None = None,
    saved: Phrase = NOTHING,
    words: str = "",
) -> CostRow:
    """A kind of cost; the longer of both bars is as long as there is room for."""
    longest = max(amounts or (0.0,))
    taught, learnt = (one / longest for one in amounts) if amounts and longest else (None, None)
    teacher, student = said
    return CostRow(
        Phrase.joined((title,)), teacher, student, saved, Phrase.joined((words,)), taught, learnt
    )


def fewer(times: float) -> Phrase:
    """A ratio of counts in words: "39.4 % fewer", "20.0 % more", "the same"."""
    return _share(times, N_("{share} fewer"))


def less(times: float) -> Phrase:
    """A ratio of sizes in words: "39.4 % less", "20.0 % more", "the same"."""
    return _share(times, N_("{share} less"))


def faster(times: float) -> Phrase:
    """A ratio of durations in words: "1.70 x faster", "1.20 x slower", "the same"."""
    if _is_one(times):
        return Phrase(N_("the same"))
    said = N_("{times} × faster") if times > 1 else N_("{times} × slower")
    return Phrase(said, times=decimal(max(times, 1 / times), 2))


def _share(times: float, less: str) -> Phrase:
    if _is_one(times):
        return Phrase(N_("the same"))
    return Phrase(less if times > 1 else N_("{share} more"), share=f"{abs(1 - 1 / times):.1%}")


def _is_one(times: float) -> bool:
    return 0.995 <= times <= 1.005


def _shape(cost: ModelCost) -> str:
    return f"{cost.layers} × {cost.width} × {cost.heads}"


def _span(cost: ModelCost) -> Phrase:
    return Phrase(
        N_("{measured} to {measured_2} in {runs} runs"),
        measured=measured(cost.fastest),
        measured_2=measured(cost.slowest),
        runs=cost.runs,
    )


def _middle(cost: ModelCost) -> str:
    """The quartiles; nothing in answers of older programs, which did not keep them."""
    if cost.lower is None or cost.upper is None:
        return "–"
    ends = {"lower": measured(cost.lower), "upper": measured(cost.upper)}
    return Phrase(N_("{lower} to {upper}"), **ends)


def claims(result: CostResult, titles: Mapping[str, str]) -> Iterator[ClaimRow]:
    """What is measured here, then the papers' claims.

    Args:
        result: The answer.
        titles: What people read for models, by their ids.
    """
    quick = result.faster
    yield ClaimRow(
        Phrase(N_("this pair, here")),
        titles.get(result.model.id, result.model.name),
        f"{decimal(result.smaller, 2)} ×",
        Phrase(N_("not measurable")) if quick is None else f"{decimal(quick, 2)} ×",
        Phrase(N_("measured above")),
    )
    for one in result.claims:
        source = {"words": Phrase(one.words), "source": Phrase(one.source)}
        yield ClaimRow(
            one.student,
            Phrase(one.teacher),
            f"{one.smaller:.2g} ×",
            f"{one.faster:.2g} ×",
            Phrase(N_("“{words}”, {source}"), **source),
        )
