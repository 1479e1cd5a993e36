"""How often a model is right, and how sure, by the number of examples before the question."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.questions.generation.prompt.answers.decoding import DecoderScorer
from explorer.questions.generation.prompt.answers.rules import OptionScore, chosen
from explorer.questions.generation.prompt.answers.scoring import Scorer
from explorer.questions.generation.prompt.examples.drawing import (
    DrawnExamples,
    commonest,
    counts_up_to,
)
from explorer.questions.generation.prompt.examples.rows import ExampleRow
from explorer.questions.generation.prompt.examples.template import PromptTemplate
from explorer.questions.generation.prompt.question import RULES, ExampleCurve, Floats
from explorer.world.tasks.prompts import KINDS, best_answers, guessed, kind_of

Scores = tuple[OptionScore, ...]
Pairs = Sequence[tuple[str, str]]
Learner = Callable[[Pairs, str], Mapping[str, float]]
"""From examples and a question to probabilities of answers; none where it knows no such prompt."""


@dataclass(frozen=True)
class CurveAsking:
    """How questions are asked.

    Attributes:
        scorer: Scores answers.
        template: How prompts are written.
        neutral: The prompt that asks nothing.
        free: The question without content.
    """

    scorer: Scorer | DecoderScorer
    template: PromptTemplate
    neutral: str
    free: str

    def many(
        self, asked: Sequence[tuple[tuple[ExampleRow, ...], str, tuple[str, ...]]]
    ) -> list[Scores] | None:
        """The possible answers to many questions, each behind examples of its own.

        Returns:
            None where a prompt does not fit into the model.
        """
        neutral = self.template.neutral(self.neutral)
        unique: dict[tuple[str, str], Any] = {}
        places: list[list[tuple[tuple[str, str], ...]]] = []
        for examples, question, options in asked:
            pairs = [(row.question, row.answer) for row in examples]
            own = self.template.write(pairs, question)
            free = self.template.write(pairs, self.free)
            rows: list[tuple[tuple[str, str], ...]] = []
            for option in options:
                keys = tuple((one.before, option) for one in (own, neutral, free))
                for key, written in zip(keys, (own, neutral, free), strict=True):
                    if key not in unique:
                        tried = self.scorer.try_answer(written, option)
                        if tried is None:
                            return None
                        unique[key] = tried
                rows.append(keys)
            places.append(rows)
        values = dict(zip(unique, self.scorer.score([*unique.values()]), strict=True))
        return [
            tuple(
                OptionScore(
                    option,
                    values[own],
                    len(unique[own].pieces),
                    values[neutral_key],
                    values[free_key],
                )
                for option, (own, neutral_key, free_key) in zip(options, rows, strict=True)
            )
            for (_, _, options), rows in zip(asked, places, strict=True)
        ]


def curve_of(
    asking: CurveAsking,
    drawn: DrawnExamples,
    options: Sequence[tuple[str, ...]],
    best: Learner,
    look: Callable[[ExampleCurve], None],
) -> tuple[ExampleCurve | None, int | None]:
    """Ask every row behind every number of examples that fits, in every order.

    Args:
        asking: How.
        drawn: The rows, and the examples.
        options: What may be answered to each row.
        best: The best learner.
        look: Is shown what there is after each number of examples.

    Returns:
        The curve, None where not even the questions alone fit; and the number of examples with
        which they no longer fit, None where all do.
    """
    points: list[_CurvePoint] = []
    counts = counts_up_to(len(drawn.orders[0]))
    curve: ExampleCurve | None = None
    for count in counts:
        # Without examples there is one order.
        orders = drawn.orders if count else drawn.orders[:1]
        asked = [
            (order[:count], row.question, own)
            for order in orders
            for row, own in zip(drawn.asked, options, strict=True)
        ]
        scored = asking.many(asked)
        if scored is None:
            return curve, count
        size = len(drawn.asked)
        rounds = [scored[at : at + size] for at in range(0, len(scored), size)]
        points.append(
            _CurvePoint.of(
                [order[:count] for order in orders], rounds, drawn.asked, best, len(drawn.orders)
            )
        )
        chance = float(np.mean([1 / len(own) for own in options]))
        curve = _joined(counts[: len(points)], points, chance)
        if count != counts[-1]:
            look(curve)
    return curve, None


@dataclass(frozen=True)
class _CurvePoint:
    """What came of one number of examples; every array ends with the orders."""

    right: Floats
    commonest: Floats
    last: Floats
    due: Floats
    loss: Floats
    best: Floats | None

    @staticmethod
    def of(
        orders: Sequence[Sequence[ExampleRow]],
        rounds: Sequence[Sequence[Scores]],
        asked: Sequence[ExampleRow],
        best: Learner,
        wanted: int,
    ) -> "_CurvePoint":
        """Means over the rows that were asked, for each order."""
        per_order = []
        for examples, scored in zip(orders, rounds, strict=True):
            most = commonest(examples)
            last = examples[-1].answer if examples else None
            answers = [row.answer for row in asked]
            said = [[one[chosen(one, rule)].option for one in scored] for rule in RULES]
            losses = [
                -next(o.log_probability for o in one if o.option == answer)
                for one, answer in zip(scored, answers, strict=True)
            ]
            per_order.append(
                (
                    [_share(own, answers) for own in said],
                    [_share(own, [most] * len(own)) for own in said],
                    [_share(own, [last] * len(own)) for own in said],
                    [_share(answers, [one] * len(answers)) for one in (most, last)],
                    float(np.mean(losses)),
                    _best(examples, asked, best),
                )
            )
        # Where there is one order only, it stands for all.
        per_order *= wanted // len(per_order)
        right, common, last_said, due, loss, learned = zip(*per_order, strict=True)
        known = [one for one in learned if one is not None]
        return _CurvePoint(
            np.array(right).T,
            np.array(common).T,
            np.array(last_said).T,
            np.array(due).T,
            np.array(loss),
            np.array(known).T if len(known) == len(learned) else None,
        )


def _share(said: Sequence[str], wanted: Sequence[str | None]) -> float:
    return float(np.mean([one == other for one, other in zip(said, wanted, strict=True)]))


def _best(
    examples: Sequence[ExampleRow], asked: Sequence[ExampleRow], best: Learner
) -> tuple[float, float] | None:
    """The best learner's loss and how often it is right; None where it knows no such prompts."""
    pairs = [(row.question, row.answer) for row in examples]
    losses, right = [], []
    for row in asked:
        answers = best(pairs, row.question)
        if row.answer not in answers:
            return None
        losses.append(-math.log(answers[row.answer]))
        right.append(guessed(answers, row.answer))
    return float(np.mean(losses)), float(np.mean(right))


def _joined(counts: tuple[int, ...], points: Sequence[_CurvePoint], chance: float) -> ExampleCurve:
    best = [one.best for one in points]
    known = [one for one in best if one is not None]
    learned = np.stack(known) if len(known) == len(best) else None
    return ExampleCurve(
        counts=counts,
        right=np.stack([one.right for one in points], axis=1),
        commonest=np.stack([one.commonest for one in points], axis=1),
        last=np.stack([one.last for one in points], axis=1),
        due=np.stack([one.due for one in points], axis=1),
        loss=np.stack([one.loss for one in points]),
        chance=chance,
        best_right=None if learned is None else learned[:, 1],
        best_loss=None if learned is None else learned[:, 0],
    )


def learner(template: PromptTemplate) -> Learner:
    """The best learner that reads what a template says before the first example."""

    def answers(examples: Pairs, question: str) -> Mapping[str, float]:
        return best_answers_to(template, examples, question)

    return answers


def best_answers_to(
    template: PromptTemplate, examples: Pairs, question: str
) -> Mapping[str, float]:
    """What it answers; none where the prompt is none of the small world's."""
    kind = kind_of(question)
    if kind is None or any(kind_of(word) is None for word, _ in examples):
        return {}
    named: str | None = None
    if template.description:
        known = {f"{one.name}: {name}.": (one, name) for one in KINDS for name in one.relations}
        if template.description not in known:
            return {}
        told, name = known[template.description]
        named = name if told is kind else None
    return best_answers(examples, question, named)
