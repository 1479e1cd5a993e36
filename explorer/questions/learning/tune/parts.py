"""What fine-tuning came to: how held-out texts are judged, which errors are left, what pays."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.api.question import (
    Amount,
    Amounts,
    Calibration,
    Cards,
    Curve,
    Curves,
    Grid,
    Manner,
    OneCard,
    OwnPicture,
    Panel,
    Rows,
    Said,
    Sets,
    Width,
    column,
)
from explorer.api.question.parts.charts.curves import Over
from explorer.api.question.parts.matrices.grid import Side
from explorer.learning.tuning.choices import ReadLayer
from explorer.learning.tuning.measured_step import MeasuredStep
from explorer.learning.tuning.options import BASE, EXAMPLES, LAYER, TUNED
from explorer.learning.tuning.plan import TuningPlan
from explorer.numerics.evaluation.student_t import MeanInterval, mean_interval
from explorer.questions.learning.run_parts import (
    amounts_of,
    begins,
    curve_cards,
    list_of_runs,
    plan_of,
)
from explorer.questions.learning.runs import STATES, FollowedRun, ListedRun
from explorer.questions.learning.training_curves.charts import COLOURS, DASHES, PLOT
from explorer.questions.learning.tune.options import NAME
from explorer.questions.learning.tune.question import JudgedTexts, TunedWay, TuneResult
from explorer.text import N_, NN_, Phrase, said, verbatim
from explorer.text.formatting.numbers import percent, whole
from explorer.text.formatting.quantities import bytes_precisely, took

ABOUT = N_(
    "A model that was trained before learns to say labels, from examples; held-out texts, of which "
    "it reads none while it learns, judge what came of it. Train the head alone, the last layer, "
    "LoRA and everything with several seeds: one seed proves nothing."
)
SEEDS = 3
"""Of a way from which on its mean has an interval."""
RIGHTLY = {
    "classes": N_("Held-out texts judged correctly"),
    "words": N_("Words of held-out texts labelled correctly"),
    "spans": N_("Held-out questions answered exactly"),
    "choices": N_("Held-out choices made correctly"),
}
WHAT_F1 = {
    "classes": "",
    "words": N_("F1 is of whole ranges where labels are B- and I-, else the mean of all labels."),
    "spans": N_("F1 is of the words of the said and the right answer, as SQuAD has it."),
    "choices": "",
}
MEASURED = N_(
    "Measured here on {device}: a step takes {step}, and judging what is held out {judging}. "
    "{steps} steps and {frames} frames take about {whole}."
)
BEST = N_("Dotted: a reader who knows the grammar; on average nobody is right more often.")
AFTER = N_(
    "Before (A) and after (B) can be compared on every page: B is opened with the heads that the "
    "model had before. They learnt to read its layers as they were, so B predicts worse the more "
    "its layers have changed."
)
LOWER = N_(
    "Before (A) and after (B) can be compared in attention, layers and probes, but not in "
    "predictions: the heads that the model had before can’t read what is left of its layers."
)
NO_FORMER = N_(
    "Before (A) and after (B) can be compared in attention, layers and probes, but not in "
    "predictions: no copy with the heads that the model had before was written."
)
FLOOR = N_("Dotted: the least loss there can be on these texts.")


@dataclass(frozen=True)
class ListedTuningRow:
    """A fine-tuning in the list of all."""

    name: str = column(N_("run"))
    state: str = column(N_("state"), written=said)
    model: str = column(N_("model"))
    tuned: str = column(N_("weights"), written=said)
    examples: int = column(N_("examples"))
    step: int = column(N_("steps"))
    steps: int = column(N_("of"))
    seed: int | None = column(N_("seed"))


@dataclass(frozen=True)
class TunedWayRow:
    """What came of a way over its seeds."""

    tuned: str = column(N_("weights"), key=True, written=said)
    layer: str = column(N_("layer read"), key=True, written=said)
    examples: int = column(N_("examples"), key=True)
    seeds: int = column(N_("seeds"))
    accuracy: float = column(N_("accuracy"), digits=3)
    low: float | None = column(
        N_("at least"), digits=3, tip=N_("Of the mean, with a confidence of 95 %.")
    )
    high: float | None = column(N_("at most"), digits=3)
    seconds: float = column(N_("seconds"), digits=1)


@dataclass(frozen=True)
class MisjudgedTextRow:
    """A text that is judged wrongly."""

    text: str = column(N_("text"), wraps=True)
    right: str = column(N_("right"))
    said: str = column(N_("said"))
    share: float = column(N_("probability"), digits=3)


@dataclass(frozen=True)
class LearningModelRow:
    """A model that can learn a task."""

    name: str = column(N_("model"))
    kind: str = column(N_("family"))
    parameters: int = column(N_("parameters"))


Kinds = Said | Amounts | OwnPicture | Cards | Curves | Rows


def parts(result: TuneResult, sure: str = "") -> Iterator[Kinds]:
    """What the plan costs, the run as far as it is, what others came to, and who can learn."""
    del sure  # what is drawn of it is the page's own
    run = result.run
    yield from begins(result, ABOUT)
    yield OwnPicture("buttons")
    step = result.step
    cost = result.cost if step is None else replace(result.cost, seconds=step.whole)
    yield _with_memory(amounts_of(cost, run), result)
    if step is not None and run is None:
        yield _said_of_step(step)
    if run is not None and run.model:
        yield Said(_before_and_after(result, run), Manner.HINT)
    if run is not None:
        cards = [*_held_out(result, run), *curve_cards(run, result.others)]
        if cards:
            yield Cards(tuple(cards), Width.WIDE)
    if result.judged is not None:
        yield from _judged(result.judged)
    yield from _ways(result.ways)
    if run is not None and (loop := tuple(curve_cards(run, result.others, of_loop=True))):
        yield Cards(loop, Width.WIDE)
    yield _all(result)


def _before_and_after(result: TuneResult, run: FollowedRun) -> str:
    """What of both can be compared, and with which heads."""
    if result.former:
        return AFTER
    plan = plan_of(run.listed, TuningPlan)
    return NO_FORMER if plan is None or plan.layer is ReadLayer.LAST else LOWER


def _all(result: TuneResult) -> Cards:
    """All fine-tunings, next to the models that can learn."""
    lists = []
    if result.runs:
        listed = list_of_runs(
            result, ListedTuningRow, _row, TuningPlan, NAME, hidden=("step", "steps")
        )
        lists.append(OneCard(N_("All fine-tunings"), (listed,)))
    lists.append(OneCard(N_("Models that can learn a task"), (_models(result),)))
    return Cards(tuple(lists), Width.WIDE)


def _with_memory(amounts: Amounts, result: TuneResult) -> Amounts:
    held_out = Amount("held_out", N_("Held-out texts"), result.held_out)
    memory = Amount(
        "memory",
        N_("Memory, about"),
        result.memory,
        words=N_(
            "Weights; gradients and Adam’s two means of what is trained; states of the layers for "
            "a batch of the longest texts."
        ),
        written=bytes_precisely,
    )
    return Amounts((*amounts.amounts, held_out, memory))


def _said_of_step(step: MeasuredStep) -> Said:
    """What a step took that was made to be measured, and what follows for the whole run."""
    return Said(
        Phrase(
            MEASURED,
            device=verbatim(step.device),
            step=took(step.seconds),
            judging=took(step.judging),
            steps=step.steps,
            frames=step.frames,
            whole=took(step.whole),
        ),
        Manner.STRONG,
    )


def _held_out(result: TuneResult, run: FollowedRun) -> Iterator[OneCard]:
    """How well held-out texts are judged, frame by frame."""
    frames = [one for one in run.frames if one.accuracy is not None and one.loss is not None]
    if len(frames) < 2:
        return
    steps = np.array([float(one.step) for one in frames])
    axis = Over("steps", N_("steps"), np.array([0.0, float(run.listed.steps)]), whole=True)
    right = Curve(N_("accuracy"), np.array([one.accuracy for one in frames], float), at=steps)
    best = () if result.best is None else (result.best,)
    judged: tuple[Curve, ...] = (right,)
    if result.form != "classes" and all(one.f1 is not None for one in frames):
        shared = np.array([one.f1 for one in frames], float)
        judged = (right, Curve(N_("F1"), shared, COLOURS[1], DASHES[1], at=steps))
    accuracy = Panel(
        "held_out_accuracy", "", judged, high=1.0, height=PLOT, floors=best,
        words=Phrase.joined([WHAT_F1[result.form], BEST] if best else [WHAT_F1[result.form]]),
    )  # fmt: skip
    yield OneCard(RIGHTLY[result.form], (Curves(axis, (accuracy,), in_files=False),))
    lost = Curve(N_("loss"), np.array([one.loss for one in frames], float), at=steps)
    least = () if frames[-1].floor is None else (frames[-1].floor,)
    loss = Panel(
        "held_out_loss", "", (lost,), unit=N_("nats"), height=PLOT, floors=least,
        words=FLOOR if least else "",
    )  # fmt: skip
    yield OneCard(N_("Loss on held-out texts"), (Curves(axis, (loss,), in_files=False),))


def _judged(found: JudgedTexts) -> Iterator[Kinds]:
    cards = [OneCard("", (_confusion(found),))] if found.confusion else []
    if found.sure is not None:
        curve = Calibration(
            found.sure,
            N_("confidence"),
            N_("share that is right"),
            NN_("{count} text", "{count} texts"),
            N_(
                "On the diagonal, labels are right as often as they are probable. Bars: the share "
                "of the texts."
            ),
        )
        cards.append(OneCard(N_("How surely"), (curve,)))
    if cards:
        yield Cards(tuple(cards), Width.WIDE)
    if found.errors:
        rows = tuple(
            MisjudgedTextRow(one.text, one.right, one.said, one.share) for one in found.errors
        )
        title = Phrase(NN_("{count} error", "{count} errors"), count=found.wrong)
        yield Rows(MisjudgedTextRow, rows, title=title, bar="share")


def _confusion(found: JudgedTexts) -> Grid:
    counts = np.array(found.confusion)
    whole_rows = counts.sum(axis=1, keepdims=True)
    # A label that no held-out text has is nobody's share.
    values = np.where(whole_rows > 0, counts / np.maximum(whole_rows, 1), np.nan)
    names = tuple(map(verbatim, found.names))

    def told_of(row: int, column: int) -> str:
        return f"{said(names[row])} → {said(names[column])}: {whole(int(counts[row, column]))}"

    return Grid(
        "confusion",
        values.astype(np.float32),
        Side(N_("right"), names),
        Side(N_("said"), names),
        N_("Which labels are taken for which, as shares of a row"),
        told_of,
        lambda value: percent(value, 0),
        missing=N_("No held-out text has this label."),
        title=N_("Which labels are taken for which, as shares of a row"),
    )


def _ways(ways: Sequence[TunedWay]) -> Iterator[Kinds]:
    """What it came to by trained weights, layer and examples; as curves where examples differ."""
    if not ways:
        return
    drawn = list(_over_examples(ways))
    if drawn:
        counts = sorted({float(one.examples) for one in ways})
        axis = Over(
            "examples", N_("examples"), np.array(counts), ticks=tuple(counts), logarithmic=True
        )
        panel = Panel("accuracy", "", tuple(drawn), high=1.0, height=PLOT, begins=0.0)
        title = N_("Accuracy by number of examples")
        yield Cards((OneCard(title, (Curves(axis, (panel,), in_files=False),)),), Width.WIDE)
    yield Rows(
        TunedWayRow,
        tuple(map(_way, ways)),
        title=N_("The same task, learnt in several ways"),
        bar="accuracy",
        hidden=("layer", "seconds"),
        gesture=_sets,
        words=lambda _row: N_("Plan it so"),
    )


def _over_examples(ways: Sequence[TunedWay]) -> Iterator[Curve]:
    groups: dict[tuple[str, str], list[TunedWay]] = {}
    for one in ways:
        # One seed is no result.
        if one.examples and len(one.accuracies) >= SEEDS:
            groups.setdefault((one.tuned, one.layer), []).append(one)
    for number, ((tuned, layer), own) in enumerate(sorted(groups.items())):
        if len(own) < 2:
            continue
        ordered = sorted(own, key=lambda one: one.examples)
        means = [mean_interval(one.accuracies) for one in ordered]
        name = Phrase(
            N_("{weights}, {layer}"),
            weights=Phrase(TUNED.entry(tuned).title),
            layer=Phrase(LAYER.entry(layer).title),
        )
        values = np.array([one.mean for one in means])
        low, high = zip(*map(_ends, means), strict=True)
        yield Curve(
            name,
            values,
            COLOURS[number % len(COLOURS)],
            DASHES[number // len(COLOURS) % len(DASHES)],
            band=(np.array(low), np.array(high)),
            at=np.array([float(one.examples) for one in ordered]),
        )


def _ends(found: MeanInterval) -> tuple[float, float]:
    """Of the interval; no accuracy is below 0 or above 1."""
    assert found.low is not None
    assert found.high is not None
    return max(0.0, found.low), min(1.0, found.high)


def _way(one: TunedWay) -> TunedWayRow:
    found = mean_interval(one.accuracies)
    known = len(one.accuracies) >= SEEDS
    low, high = _ends(found) if known else (None, None)
    return TunedWayRow(
        TUNED.entry(one.tuned).title,
        LAYER.entry(one.layer).title,
        one.examples,
        len(one.accuracies),
        found.mean,
        low,
        high,
        sum(one.seconds) / len(one.seconds),
    )


def _sets(row: TunedWayRow) -> Sets:
    tuned = next(one for one in TUNED.entries if one.title == row.tuned)
    layer = next(one for one in LAYER.entries if one.title == row.layer)
    values = {
        TUNED.key: TUNED.written(tuned.value),
        LAYER.key: LAYER.written(layer.value),
        EXAMPLES.key: EXAMPLES.written(row.examples),
    }
    return Sets(values, N_("plan another way"))


def _row(one: ListedRun) -> ListedTuningRow:
    plan = plan_of(one, TuningPlan)
    tuned = "" if plan is None else TUNED.entry(plan.tuned.value).title
    base = "" if plan is None else plan.base.rstrip("/").rpartition("/")[2]
    examples = 0 if plan is None else plan.examples
    return ListedTuningRow(
        one.name, STATES[one.status], base, tuned, examples, one.step, one.steps, one.seed
    )


def _models(result: TuneResult) -> Rows:
    """Who can learn; choosing one has it learn."""
    return Rows(
        LearningModelRow,
        tuple(LearningModelRow(one.name, one.kind, one.parameters) for one in result.models),
        in_files=False,
        gesture=lambda row: Sets(
            {BASE.key: BASE.written(row.name)},
            Phrase(N_("have {name} learn"), name=verbatim(row.name)),
        ),
        words=lambda _row: N_("Have it learn"),
    )
