"""What does a small model learn, step by step, from a plan of yours?"""

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.api.question import Cell, Listing, Question, Topic, asked
from explorer.learning.plan.plan import TrainingPlan
from explorer.questions.learning.run_request import (
    COLUMN_TITLES,
    PlannedRunRequest,
    RunResult,
    is_passing,
    only_look,
    table,
)
from explorer.questions.learning.train.options import FRAME, NAME, SURE, WATCHED
from explorer.text import N_


@dataclass(frozen=True)
class TrainRequest(PlannedRunRequest[TrainingPlan], TrainingPlan, question="train"):
    """Train a model by a plan, or look what there is of it.

    Attributes:
        name: Of the run; "" for one made of its objective, or the one it has.
        watched: Sentences with masks that are asked at every frame.
    """

    name: str = asked(NAME, made=str.strip)
    watched: str = asked(WATCHED)


@dataclass(frozen=True)
class TrainResult(RunResult):
    """How far the run of a plan is."""


def summary(result: TrainResult) -> Mapping[str, Cell]:
    """How far it is, and what it came to."""
    return {**result.state_of_run, **result.of_last_frame("excess")}


QUESTION = Question(
    name="train",
    title=N_("Train a model"),
    asks=N_("What does a small model learn, step by step, from a plan of yours?"),
    listing=Listing(Topic.LEARNING, 1, "school-outline"),
    found_by=(
        *("training", "pretraining", "pretrain", "learn", "optimizer", "learning rate", "epoch"),
        *("warm-up", "masking rate", "resume training", "train from scratch", "SiFT", "AdamW"),
        *("gradient clipping", "excess loss", "train my own model"),
        *(
            "학습",
            "사전 학습",
            "모델 학습",
            "학습률",
            "워밍업",
            "직접 학습",
            "학습 재개",
            "초과 손실",
        ),
        *("처음부터 학습", "마스킹 비율", "나만의 모델"),
    ),
    request=TrainRequest,
    result=TrainResult,
    table=table,
    summary=summary,
    column_titles={**COLUMN_TITLES, "excess": N_("excess loss")},
    follows={"sure": SURE, "frame": FRAME},
    roles={},
    cheap_variant=only_look,
    is_provisional=is_passing,
    options=(SURE, FRAME),
)
