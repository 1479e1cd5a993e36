"""What does a model learn of a task: with its head alone, its last layer, LoRA, or everything?"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from explorer.api.question import Cell, Listing, ModelStamp, Question, Table, Topic, asked
from explorer.learning.curves.record import TrainingRecord
from explorer.learning.tuning.plan import TuningPlan
from explorer.numerics.evaluation.calibration import Reliability
from explorer.questions.learning.runs import (
    ExpectedCost,
    FollowedRun,
    ListedRun,
    is_unfinished,
    steps_of,
)
from explorer.questions.learning.tune.options import ACT, MOMENT, NAME, SURE, TRAIN
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class TuneRequest(TuningPlan, question="tune"):
    """Fine-tune a model by a plan, or look what there is of it.

    Attributes:
        name: Of the run; "" for one made of its task, or the one it has.
        train: Begin it, or go on with it; else only look.
        act: What is done with it: "pause", "cancel", "delete"; "" for nothing.
        moment: Which time the same is done.
    """

    name: str = asked(NAME, made=str.strip)
    train: bool = asked(TRAIN, is_held=False)
    act: str = asked(ACT, is_held=False)
    moment: str = asked(MOMENT, is_held=False)

    @property
    def plan(self) -> TuningPlan:
        """What is planned, without what is asked beside it."""
        return TuningPlan(**{one.name: getattr(self, one.name) for one in fields(TuningPlan)})

    @property
    def sentences(self) -> tuple[str, ...]:
        """None is watched: held-out texts are asked at every frame."""
        return ()


@dataclass(frozen=True)
class MisjudgedText:
    """A held-out text whose label the model does not say.

    Attributes:
        text: The text.
        pair: The second one; "" for none.
        right: Its label.
        said: What the model says.
        share: How probable that is to it.
    """

    text: str
    pair: str
    right: str
    said: str
    share: float


@dataclass(frozen=True)
class JudgedTexts:
    """What a finished model says of held-out texts.

    Attributes:
        names: The labels.
        confusion: How often a label (row) is said to be another one (column).
        errors: Texts that are judged wrongly, the surest first.
        wrong: How many there are.
        sure: Whether it is right as often as it is sure.
    """

    names: tuple[str, ...]
    confusion: tuple[tuple[int, ...], ...]
    errors: tuple[MisjudgedText, ...]
    wrong: int
    sure: Reliability | None = None


@dataclass(frozen=True)
class TunedWay:
    """Runs that learnt the same of as many examples, with the same weights trained.

    Attributes:
        tuned: Which weights, as `Tuned` has them.
        layer: Whose states the head reads, as `ReadLayer` has it.
        examples: That were learnt from; 0 for all.
        accuracies: Of held-out texts at the end, one a seed.
        seconds: That training took, one a seed.
    """

    tuned: str
    layer: str
    examples: int
    accuracies: tuple[float, ...]
    seconds: tuple[float, ...]


@dataclass(frozen=True)
class LearningModel:
    """A model that can learn a task.

    Attributes:
        name: As it is typed.
        kind: Its type.
        parameters: Numbers in its files.
    """

    name: str
    kind: str
    parameters: int


@dataclass(frozen=True)
class TuneResult:
    """How far the run of a plan is.

    Attributes:
        model: Nobody's: the run's name, and the fingerprint of its plan.
        cost: What the plan will cost.
        run: The plan's; None where it was never begun.
        runs: All fine-tunings, the newest first.
        looked: When, nanoseconds since 1970.
        notes: What must be known.
        held_out: How many texts judge it.
        best: How often the best reader is right of them; None where nobody knows.
        memory: Bytes that training takes, about.
        judged: What the finished model says; None before that.
        ways: Runs that learnt the same task from the same model, by what they differ in.
        models: That can learn a task.
        others: Curves of finished runs that differ from the plan's in their seeds alone.
    """

    model: ModelStamp
    cost: ExpectedCost
    run: FollowedRun | None = None
    runs: tuple[ListedRun, ...] = ()
    looked: int = 0
    notes: tuple[Phrase, ...] = ()
    held_out: int = 0
    best: float | None = None
    memory: int = 0
    judged: JudgedTexts | None = None
    ways: tuple[TunedWay, ...] = ()
    models: tuple[LearningModel, ...] = ()
    others: tuple[TrainingRecord, ...] = ()


def table(result: TuneResult) -> Table:
    """One row a column of the run's log and a step, and one a measurement of a frame."""
    return steps_of(result.run)


def summary(result: TuneResult) -> Mapping[str, Cell]:
    """How far it is, and how well it judges held-out texts."""
    found: dict[str, Cell] = {"parameters": result.cost.parameters}
    if result.run is not None:
        listed = result.run.listed
        found |= {"run": listed.name, "state": listed.status, "steps": listed.step}
        last = result.run.last
        if last is not None and last.accuracy is not None and last.loss is not None:
            found |= {"accuracy": last.accuracy, "loss": last.loss}
    return found


def only_look(request: TuneRequest) -> TuneRequest:
    """What there is of it, and nothing is begun."""
    return replace(request, train=False)


def is_passing(result: TuneResult) -> bool:
    """Whether it only says how far something is."""
    return is_unfinished(result.run)


QUESTION = Question(
    name="tune",
    title=N_("Fine-tune a model"),
    asks=N_("What does a model learn of a task, and which of its weights must change for that?"),
    listing=Listing(Topic.LEARNING, 3, "tune-variant"),
    found_by=(
        *("fine-tuning", "finetune", "classification", "classifier", "sentiment", "labels"),
        *("feature-based", "linear probe", "LoRA", "PEFT", "transfer learning", "accuracy"),
        *("미세 조정", "파인튜닝", "분류", "감성 분석", "전이 학습"),
    ),
    request=TuneRequest,
    result=TuneResult,
    table=table,
    summary=summary,
    column_titles={
        "parameters": N_("parameters"),
        "run": N_("run"),
        "state": N_("state"),
        "steps": N_("steps"),
        "accuracy": N_("accuracy"),
        "loss": N_("loss"),
    },
    follows={"sure": SURE},
    roles={},
    cheap_variant=only_look,
    is_provisional=is_passing,
    options=(SURE,),
)
