"""What does each of two models cost: parameters, memory, and time for this sentence here?"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from explorer.api.question import (
    STUDENT,
    TEACHER,
    Asks,
    Listing,
    ModelStamp,
    Number,
    PairClassifier,
    Predictor,
    Question,
    Table,
    Topic,
    a_text,
    any_of,
    asked,
    column,
    rows_changed,
    spaces_stay_visible,
)
from explorer.api.question.roles import BySlot
from explorer.document import Mask
from explorer.numerics.steadiness import STEADY
from explorer.questions.distillation.roles import SECOND_MODEL
from explorer.questions.distillation.soft_targets.settings import SWAP, SWAPPED
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant
from explorer.text.phrase import NOTHING


@dataclass(frozen=True)
class CostRequest(Asks):
    """Ask what a teacher and a student cost.

    Attributes:
        masks: The head runs at these, as everywhere.
        seconds: Once it has run often enough; where the runs scatter, PATIENCE times as long.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    seconds: float = asked(
        Number(N_("Seconds"), 0.5, N_("How long each model is timed."), low=0.01, high=60.0),
        is_held=False,
    )


@dataclass(frozen=True)
class ModelCost:
    """One model's.

    Attributes:
        model: Which.
        parameters: All that are loaded, tied ones once: also what only training uses, as TinyBERT's
            maps to its teacher's width, and heads that a run does not need.
        embedding_parameters: Those of the word embeddings among them.
        layers: As its config says.
        width: Of a hidden state.
        heads: In a layer.
        weights_bytes: In memory now.
        tokens: In the input that was timed.
        seconds: Median of the runs.
        fastest: The quickest of them.
        slowest: The slowest of them.
        runs: How many, the first ones that warm up not counted.
        lower: A quarter of the runs were quicker; None in answers of older programs.
        upper: A quarter of the runs were slower; None in answers of older programs.
        parameters_used: Those that a timed run computes with, tied ones once; None where weights
            are fetched while they are at work, and in answers of older programs.
    """

    model: ModelStamp
    parameters: int
    embedding_parameters: int
    layers: int
    width: int
    heads: int
    weights_bytes: int
    tokens: int
    seconds: float
    fastest: float
    slowest: float
    runs: int
    lower: float | None = None
    upper: float | None = None
    parameters_used: int | None = None

    @property
    def scatter(self) -> float:
        """How many times the quickest run the median is: 1 on a machine that does nothing else."""
        return self.seconds / self.fastest if self.fastest > 0 else 1.0

    @property
    def is_steady(self) -> bool:
        """Whether the median says something of the model and not of what else the machine did."""
        return self.scatter <= STEADY


@dataclass(frozen=True)
class CostClaim:
    """What a paper says of a student.

    Attributes:
        family: The student's family, as its plugin is called.
        student: The model.
        teacher: What it is compared with.
        smaller: How many times fewer parameters.
        faster: How many times quicker.
        words: As the paper has it.
        source: Where it says so.
    """

    family: str
    student: str
    teacher: str
    smaller: float
    faster: float
    words: str
    source: str


CLAIMS = (
    CostClaim(
        "distilbert",
        "DistilBERT",
        N_("BERT base"),
        1 / 0.6,
        1.6,
        N_("40 % smaller, 60 % faster"),
        N_("Sanh et al. 2019, abstract"),
    ),
    CostClaim(
        "tinybert",
        "TinyBERT 4",
        N_("BERT base"),
        7.5,
        9.4,
        N_("7.5 x smaller, 9.4 x faster"),
        N_("Jiao et al. 2020, abstract"),
    ),
    CostClaim(
        "mobilebert",
        "MobileBERT",
        N_("BERT base"),
        4.3,
        5.5,
        N_("4.3 x smaller, 5.5 x faster"),
        N_("Sun et al. 2020, abstract"),
    ),
)


@dataclass(frozen=True)
class CostResult:
    """Both models' cost, and what the papers claim.

    Attributes:
        model: The teacher.
        other: The student.
        teacher: Its cost.
        student: Its cost.
        threads: Of the processor that the models may use.
        how: How the time was measured, in one sentence.
        claims: Published ones, the student's family first.
    """

    model: ModelStamp
    other: ModelStamp
    teacher: ModelCost
    student: ModelCost
    threads: int
    how: Phrase
    claims: tuple[CostClaim, ...] = field(default=CLAIMS)

    @property
    def compared(self) -> tuple[int, int]:
        """Parameters of teacher and student that a run computes with, as papers count them.

        All that are loaded where it is not known which are used.
        """
        teacher, student = self.teacher.parameters_used, self.student.parameters_used
        if teacher is None or student is None:
            return self.teacher.parameters, self.student.parameters
        return teacher, student

    @property
    def smaller(self) -> float:
        """How many times fewer parameters the student has, of those that are compared."""
        teacher, student = self.compared
        return teacher / student

    @property
    def is_steady(self) -> bool:
        """Whether the times of both can be compared."""
        return self.teacher.is_steady and self.student.is_steady

    @property
    def faster(self) -> float | None:
        """How many times quicker the student is; None where the runs scatter too much to say."""
        return self.teacher.seconds / self.student.seconds if self.is_steady else None

    @property
    def scatter_said(self) -> Phrase:
        """Why times are not compared, and what to do; "" where they are."""
        if self.is_steady:
            return NOTHING
        by_teacher = self.teacher.scatter >= self.student.scatter
        return Phrase(
            N_(
                "The runs scatter: the median of the {role} is {times} times its quickest run, so "
                "which of the two is faster can't be said. Close what else keeps this computer "
                "busy, or type a longer text, and ask again."
            ),
            role=Phrase(N_("teacher") if by_teacher else N_("student")),
            times=significant(max(self.teacher.scatter, self.student.scatter), 2),
        )


@dataclass(frozen=True)
class CostLine:
    """A model's cost, what the student saves here, or what a paper claims."""

    role: str = column(N_("role"), key=True)
    model: str = column(N_("model"), key=True)
    parameters: int | None = column(N_("parameters"), default=None)
    parameters_used: int | None = column(N_("parameters used"), default=None)
    embedding_parameters: int | None = column(N_("parameters of word embeddings"), default=None)
    layers: int | None = column(N_("layers"), default=None)
    width: int | None = column(N_("width"), default=None)
    heads: int | None = column(N_("heads"), default=None)
    weights_bytes: int | None = column(N_("memory of the weights"), unit=N_("bytes"), default=None)
    tokens: int | None = column(N_("tokens"), default=None)
    seconds: float | None = column(N_("median"), unit=N_("seconds"), default=None)
    fastest: float | None = column(N_("quickest"), unit=N_("seconds"), default=None)
    slowest: float | None = column(N_("slowest"), unit=N_("seconds"), default=None)
    runs: int | None = column(N_("runs"), default=None)
    times_smaller: float | None = column(N_("times smaller"), digits=2, default=None)
    times_faster: float | None = column(N_("times faster"), digits=2, default=None)
    source: str = column(N_("source"), default="", compared=False)


def table(result: CostResult) -> Table:
    """One row a model, a third with the ratios, and one a published claim."""
    measured = {one.name for one in fields(CostLine)} & {one.name for one in fields(ModelCost)}
    rows = [
        CostLine(
            role,
            one.model.id,
            source=_how(result.how, one),
            **{name: getattr(one, name) for name in measured - {"model"}},
        )
        for role, one in (("teacher", result.teacher), ("student", result.student))
    ]
    rows.append(
        CostLine(
            "student here",
            result.other.id,
            times_smaller=result.smaller,
            times_faster=result.faster,
            source=str(result.scatter_said),
        )
    )
    rows.extend(
        CostLine(
            "published",
            claim.student,
            times_smaller=claim.smaller,
            times_faster=claim.faster,
            source=claim.source,
        )
        for claim in result.claims
    )
    return Table.of(CostLine, rows)


def _how(said: str, cost: ModelCost) -> str:
    """How it was measured, and within what half of the runs lay."""
    if cost.lower is None or cost.upper is None:
        return str(said)  # a cell is a plain text, and no phrase
    return f"{said} Half of the runs took {cost.lower:.6g} to {cost.upper:.6g} seconds."


def _without_quartiles(_request: dict[str, Any], result: dict[str, Any] | None) -> None:
    """They were not kept at first."""
    for role in ("teacher", "student"):
        if result is not None:
            result[role] |= {"lower": None, "upper": None}


QUESTION = Question(
    name="cost",
    title=N_("Cost of both models"),
    asks=N_("What does the student save: parameters, memory, and time for this sentence here?"),
    listing=Listing(Topic.COMPARE, 3, "scale-balance", "Alt+Shift+3"),
    found_by=(
        "speed",
        "latency",
        "inference time",
        "memory",
        "compression",
        "faster",
        "속도",
        "메모리",
        "압축",
    ),
    request=CostRequest,
    result=CostResult,
    table=table,
    summary=None,
    second_model_hint=SECOND_MODEL,
    binding=BySlot((TEACHER, STUDENT), SWAPPED),
    roles=dict.fromkeys((TEACHER, STUDENT), (any_of(Predictor, PairClassifier),)),
    leaves_out_entities=N_(
        "The entities on the text are left out: both models are timed on the same words alone."
    ),
    options=(SWAP,),
    conditions=(a_text(N_("Type a sentence: both models are timed on it.")),),
    upgrades=(_without_quartiles, spaces_stay_visible, rows_changed),
)
