"""Has a model fine-tuned by a process of its own, and follows what that leaves in its folder."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from explorer.api.question import Context, ExplorerError, UserMistake
from explorer.hf.device_memory import free_memory as free_on
from explorer.learning.devices import device_of
from explorer.learning.plan.choices import TrainedOn
from explorer.learning.runs.run_folder import RunFolder
from explorer.learning.runs.run_state import RunStatus
from explorer.learning.runs.trainings import Trainings
from explorer.learning.tuning.base_models import bundled_bases, with_run
from explorer.learning.tuning.choices import ReadLayer, Tuned
from explorer.learning.tuning.cost import (
    judging_cost,
    memory_of,
    said_of_length,
    tuning_cost,
)
from explorer.learning.tuning.former_heads import former_folder
from explorer.learning.tuning.forms.learnt import LabelledTexts
from explorer.learning.tuning.judged import Judged
from explorer.learning.tuning.measured_step import measured_step
from explorer.learning.tuning.models import classes_of, files_of, refuse_pickle, tokenizer_of
from explorer.learning.tuning.plan import TuningPlan
from explorer.machine.free_memory import free_memory
from explorer.numerics.evaluation.calibration import reliability
from explorer.questions.learning.cost import expected
from explorer.questions.learning.followed import (
    listed_runs,
    result_of,
    trained,
    trainings_of,
)
from explorer.questions.learning.tune.question import (
    JudgedTexts,
    LearningModel,
    MisjudgedText,
    TunedWay,
    TuneRequest,
    TuneResult,
)
from explorer.text import N_, Phrase
from explorer.text.formatting.quantities import bytes_precisely

MOST_ERRORS = 50
TOO_LARGE = N_("Training takes about {needed} of memory, and {free} are free.")


def run(_model: Any, request: TuneRequest, context: Context) -> TuneResult:
    """Fine-tune, or look how far it is; follow it while it is at work.

    Raises:
        UserMistake: The model can't learn this, or the run can't be read.
        MachineFault: There is no room, or the process that trains ended by itself.
        Cancelled: It is not followed any more; the training goes on.
    """
    trainings = trainings_of(context)
    request = with_run(request, trainings)
    plan = request.plan
    looked = partial(_looked, plan.texts)
    if request.act == "measure":
        if trainings.of_plan(plan) is not None:
            raise UserMistake(N_("There is a run of this plan, whose speed is known."))
        request = replace(request, act="", train=False)
        context.progress(N_("measuring a step"), 0, 0)
        return replace(trained(request, context, looked), step=measured_step(plan))
    if request.train and trainings.of_plan(plan) is None:
        _refuse_what_cannot_learn(plan)
    return trained(request, context, looked)


def _refuse_what_cannot_learn(plan: TuningPlan) -> None:
    """Before a run of it is made.

    Raises:
        UserMistake: The model has no head for the task, or its tokenizer can't do with it.
        CheckpointFault: The model can't be read.
    """
    files, form = files_of(plan.model_folder), plan.texts.form
    refuse_pickle(files)
    classes_of(files, form)
    form.check(tokenizer_of(files), files.name)


def _looked(
    texts: LabelledTexts,
    trainings: Trainings,
    request: TuneRequest,
    one: RunFolder | None,
    notes: Sequence[Phrase],
) -> TuneResult:
    plan = request.plan
    runs = listed_runs(trainings, TuningPlan.kind)
    memory = memory_of(plan, texts)
    return result_of(
        TuneResult,
        plan,
        one,
        runs,
        expected(tuning_cost(plan, texts), runs, before=(judging_cost(plan, texts),)),
        (
            *notes,
            *texts.notes,
            *_told_of_memory(plan, memory, one),
            *_told_of_length(plan, texts, one),
        ),
        held_out=len(texts.held_out),
        best=texts.best,
        memory=memory,
        judged=None if one is None else _judged(one, texts),
        ways=tuple(_ways(runs, plan)),
        models=tuple(_models(texts.form.name)),
        form=texts.form.name,
        former=_former(one),
    )


def _former(one: RunFolder | None) -> str:
    """Where its body is with the heads that the model had before; "" for nowhere."""
    model = None if one is None else one.model
    if model is None or not (folder := former_folder(model)).is_dir():
        return ""
    return str(folder)


def _told_of_memory(plan: TuningPlan, memory: int, one: RunFolder | None) -> Iterator[Phrase]:
    """Where it takes more than is free, on the plan's device."""
    free = free_memory() if plan.trained_on is TrainedOn.CPU else free_on(device_of(plan))
    if one is None and memory > free:
        yield Phrase(TOO_LARGE, needed=bytes_precisely(memory), free=bytes_precisely(free))


def _told_of_length(
    plan: TuningPlan, texts: LabelledTexts, one: RunFolder | None
) -> Iterator[Phrase]:
    """Of a table that nobody learns from yet; texts of tasks are short."""
    if one is None and plan.path:
        yield from said_of_length(plan, texts)


def _judged(one: RunFolder, texts: LabelledTexts) -> JudgedTexts | None:
    """What the model, or while there is none the best frame yet, says of each held-out text."""
    step = one.model_step
    rows = (row for row in reversed(one.measured()) if step is None or row["step"] == step)
    said = next((row["said"] for row in rows if "said" in row), None)
    if said is None or len(said) != len(texts.held_out):
        return None
    found = Judged(texts, said)
    every = [each for answered in found.answered for each in answered]
    wrong = sorted((each for each in every if not each.is_right), key=lambda each: -each.share)
    # What is there several times is read once.
    different = {(each.text, each.right): each for each in reversed(wrong)}.values()
    errors = tuple(
        MisjudgedText(each.text, each.right, each.said, each.share)
        for each in sorted(different, key=lambda each: -each.share)[:MOST_ERRORS]
    )
    confusion = found.confusion
    shares, hits = found.hits
    return JudgedTexts(
        texts.names,
        () if confusion is None else tuple(tuple(map(int, row)) for row in confusion),
        errors,
        len(wrong),
        reliability(shares, hits.astype(np.float64)),
    )


def _ways(runs: Sequence[RunFolder], plan: TuningPlan) -> Iterator[TunedWay]:
    """Finished runs of the same task and model, by what was trained and of how many examples."""
    alike = _alike(plan)
    found: dict[tuple[str, str, int], list[tuple[int, float, float]]] = {}
    for one in runs:
        try:
            other = one.plan
        except ExplorerError:
            continue
        if not isinstance(other, TuningPlan) or _alike(other) != alike:
            continue
        if one.state.status is not RunStatus.DONE:
            continue
        last = one.model_step
        accuracy = next(
            (row.get("accuracy") for row in one.measured() if row["step"] == last), None
        )
        if accuracy is not None:
            way = (other.tuned.value, other.layer.value, other.examples)
            found.setdefault(way, []).append((other.seed, float(accuracy), one.state.seconds))
    for (tuned, layer, examples), seeds in sorted(found.items()):
        # Of a seed that was trained twice, the newest run.
        each = {seed: (accuracy, seconds) for seed, accuracy, seconds in reversed(seeds)}
        accuracies, seconds = zip(*each.values(), strict=True)
        yield TunedWay(tuned, layer, examples, accuracies, seconds)


def _alike(plan: TuningPlan) -> str:
    """What runs have in common that are compared."""
    return replace(
        plan,
        seed=0,
        examples=0,
        tuned=Tuned.ALL,
        layer=ReadLayer.LAST,
        rank=8,
        rate=0.001,
        head_rate=1.0,
        layer_decay=1.0,
    ).fingerprint


def _models(form: str) -> Iterator[LearningModel]:
    for name, kind, parameters in bundled_bases(form):
        yield LearningModel(name, kind, parameters)
