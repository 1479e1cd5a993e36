"""What does a model learn of a task: with its head alone, its last layer, LoRA, or everything?"""

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.api.question import Cell, Listing, Question, Topic, asked
from explorer.learning.tuning.measured_step import MeasuredStep
from explorer.learning.tuning.plan import TuningPlan
from explorer.numerics.evaluation.calibration import Reliability
from explorer.questions.learning.run_request import (
    COLUMN_TITLES,
    PlannedRunRequest,
    RunResult,
    is_passing,
    only_look,
    table,
)
from explorer.questions.learning.tune.options import ACT, NAME, SURE
from explorer.text import N_


@dataclass(frozen=True)
class TuneRequest(PlannedRunRequest[TuningPlan], TuningPlan, question="tune"):
    """Fine-tune a model by a plan, or look what there is of it; no sentence is watched.

    Attributes:
        act: Further "measure": make a few steps that are thrown away.
        name: Of the run; "" for one made of its task, or the one it has.
    """

    act: str = asked(ACT, is_held=False)
    name: str = asked(NAME, made=str.strip)


@dataclass(frozen=True)
class MisjudgedText:
    """A held-out example of which the model does not say what is right.

    Attributes:
        text: What was read; a word that was asked for is in brackets.
        right: What is right.
        said: What the model says.
        share: How probable that is to it.
    """

    text: str
    right: str
    said: str
    share: float


@dataclass(frozen=True)
class JudgedTexts:
    """What a finished model says of held-out texts.

    Attributes:
        names: The labels; none where there are no classes.
        confusion: How often a label (row) is said to be another one (column).
        errors: What is judged wrongly, the surest first.
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
class TuneResult(RunResult):
    """How far the run of a plan is.

    Attributes:
        held_out: How many texts judge it.
        best: How often the best reader is right of them; None where nobody knows.
        memory: Bytes that training takes, about.
        judged: What the finished model says; None before that.
        ways: Runs that learnt the same task from the same model, by what they differ in.
        models: That can learn a task.
        form: Of the task: "classes", "words", "spans" or "choices".
        step: What a step took that was made to be measured; None where none was.
        former: The folder of the finished body with the heads that the model had before; "" for
            none.
    """

    held_out: int = 0
    best: float | None = None
    memory: int = 0
    judged: JudgedTexts | None = None
    ways: tuple[TunedWay, ...] = ()
    models: tuple[LearningModel, ...] = ()
    form: str = "classes"
    step: MeasuredStep | None = None
    former: str = ""


def summary(result: TuneResult) -> Mapping[str, Cell]:
    """How far it is, and how well it judges held-out texts."""
    return {**result.state_of_run, **result.of_last_frame("accuracy", "loss", "f1")}


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
        **COLUMN_TITLES,
        "accuracy": N_("accuracy"),
        "f1": N_("F1"),
        "loss": N_("loss"),
    },
    follows={"sure": SURE},
    roles={},
    cheap_variant=only_look,
    is_provisional=is_passing,
    options=(SURE,),
)
