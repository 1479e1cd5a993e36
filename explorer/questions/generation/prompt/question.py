"""What does the model answer with no, one or a few examples before the question?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    NOTHING_LOADED,
    SECOND,
    Answered,
    CausalLM,
    Cell,
    FilePath,
    Listing,
    Loaded,
    ModelCard,
    ModelStamp,
    Part,
    Predictor,
    Question,
    QuotesEntities,
    Table,
    Token,
    Topic,
    Whole,
    WordList,
    Words,
    a_text,
    any_of,
    column,
    right_answer,
)
from explorer.api.question import asked as is_set_by
from explorer.questions.generation.prompt.answers.rules import OptionScore, Rule, chosen, shares
from explorer.questions.generation.prompt.examples.rows import ENDINGS
from explorer.questions.generation.prompt.options import ALONE, FREE, NEUTRAL, RULE
from explorer.questions.second_model import active_and_other
from explorer.serialise import to_builtins
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

Floats = NDArray[np.float64]
RULES = tuple(Rule)


@dataclass(frozen=True)
class PromptRequest(QuotesEntities):
    """Ask what a model answers behind examples.

    What is right is None where the table says it, or nobody.
    """

    text: str
    path: str = is_set_by(
        FilePath(
            N_("Examples…"),
            "",
            N_(
                "Open a table (CSV or TSV) with a question and its answer in each row, and in a "
                "third column what may be answered, with “|” between. Without one, examples are "
                "words of the small world: tools of jobs, sounds of animals, opposites, the day "
                "after, the past."
            ),
            kinds=N_("Questions with answers (*.csv *.tsv *.txt)"),
            endings=ENDINGS,
        )
    )
    template: str = is_set_by(
        Words(
            N_("Template"),
            "{question} -> {answer}.",
            N_("How each example is written: with {question} and, after it, {answer}."),
        )
    )
    description: str = is_set_by(
        Words(
            N_("Description"),
            "",
            N_("The text before the first example, as what the task is; may be empty."),
            placeholder=N_("Jobs: tool."),
            is_long=True,
        ),
        made=str.strip,
    )
    examples: int = is_set_by(
        Whole(
            N_("Examples"),
            8,
            N_("The most examples in a prompt; the curve goes from none to this number."),
            low=0,
            high=32,
        )
    )
    options: tuple[str, ...] = is_set_by(
        WordList(
            N_("Possible answers"),
            (),
            N_(
                "What may be answered, with commas between, for rows that do not say it "
                "themselves. Empty: all answers of the table."
            ),
            placeholder=N_("answers of the table"),
        )
    )
    orders: int = is_set_by(
        Whole(
            N_("Orders"),
            5,
            N_(
                "How many times examples are drawn and put in order; the band shows the worst and "
                "best."
            ),
            low=1,
            high=20,
        )
    )
    asked: int = is_set_by(
        Whole(
            N_("Questions"),
            20,
            N_("How many rows are asked to make the curve; none of them is ever an example."),
            low=0,
            high=200,
        )
    )
    seed: int = is_set_by(
        Whole(
            N_("Seed"),
            0,
            N_("Draws the rows that are asked, the examples and their orders."),
            high=9999,
            next_said=N_("Resample"),
            next_glyph="dice-multiple-outline",
        )
    )
    neutral: str = is_set_by(NEUTRAL)
    free: str = is_set_by(FREE)
    expected: str | None = right_answer()

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """The text without spaces around it: what is typed is one example's."""
        return {**super().fields_of(document, loaded), "text": document.text.strip()}


@dataclass(frozen=True)
class ExampleCurve:
    """What came of many rows, by the number of examples before them.

    Attributes:
        counts: Numbers of examples.
        right: Shape [rules, counts, orders]: the share of rows whose right answer is chosen.
        commonest: Of the same shape: the share of rows where the answer is chosen that most of
            the examples have; of several the last.
        last: Of the same shape: the share of rows where the last example's answer is chosen.
        due: Shape [2, counts, orders]: the shares of rows where these two are right.
        loss: Shape [counts, orders]: the mean of minus the right answer's log-probability.
        chance: The share that is right by chance.
        best_right: Shape [counts, orders]: what the best learner of the small world's prompts
            gets right; None where the rows are none of these.
        best_loss: Its loss, likewise.
    """

    counts: tuple[int, ...]
    right: Floats
    commonest: Floats
    last: Floats
    due: Floats
    loss: Floats
    chance: float
    best_right: Floats | None = None
    best_loss: Floats | None = None

    def repeats(self, rule: Rule) -> bool:
        """Whether any answer is that of an example, or should be."""
        at = RULES.index(rule)
        return bool(self.due.any() or self.commonest[at].any() or self.last[at].any())


@dataclass(frozen=True)
class PromptPieces(Part):
    """A prompt in the pieces that a model reads.

    Attributes:
        tokens: With the answer.
    """

    DRAWN_BY: ClassVar[str] = f"{__package__}.written"

    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class AnswerToken:
    """A piece of an answer.

    Attributes:
        token: As the tokenizer writes it.
        id: Its number in the vocabulary.
        probability: Behind the prompt and the pieces before it.
    """

    token: str
    id: int
    probability: float


@dataclass(frozen=True)
class PromptResult:
    """The answers.

    Attributes:
        model: Who answers.
        written: The prompt in tokens, with the answer that is chosen by its probability.
        prompt: The prompt up to the answer.
        examples: Questions and answers before the question.
        scores: What may be answered, in the order of the table.
        by_order: Shape [orders, options]: log-probabilities with the same examples in other
            orders; the first is the order that is shown.
        curve: About the rows; None where none was asked.
        total: Rows of the table.
        rows: Rows that were asked.
        right: The right answer; None where nobody says it.
        best: What the best learner of the small world's prompts answers, with probabilities.
        left_out: Examples that were asked for and do not fit into the model.
        too_long: The number of examples with which the rows no longer fit into the model, so that
            the curve ends before it; None where all fit.
        note: What must be known besides; "" where there is nothing to say.
        permutations: Of each order of `by_order` the examples by their numbers.
        second: What another model answers to the same; None where one was asked.
        refused: Why another model that was asked does not answer; "" where none was, or it does.
        tokens: The pieces of the answer that is chosen by its probability, whose probabilities
            have this as their product; none in answers of older versions.
    """

    model: ModelStamp
    written: tuple[Token, ...]
    prompt: str
    examples: tuple[tuple[str, str], ...]
    scores: tuple[OptionScore, ...]
    by_order: Floats
    curve: ExampleCurve | None
    total: int
    rows: int
    right: str | None = None
    best: tuple[tuple[str, float], ...] = ()
    left_out: int = 0
    too_long: int | None = None
    note: Phrase = NOTHING
    permutations: tuple[tuple[int, ...], ...] = ()
    second: "PromptResult | None" = None
    refused: Phrase = NOTHING
    tokens: tuple[AnswerToken, ...] = ()

    @property
    def answer(self) -> OptionScore:
        """What is chosen by its probability."""
        return self.scores[chosen(self.scores, Rule.SUM)]

    @property
    def every(self) -> "tuple[PromptResult, ...]":
        """A result a model."""
        return (self,) if self.second is None else (self, self.second)


@dataclass(frozen=True)
class PromptRow:
    """What may be answered, or what came of a number of examples in an order.

    The score of an answer and the accuracy of a curve are told by every rule.
    """

    what: str = column(N_("what"), key=True)
    examples: int = column(N_("examples"), key=True)
    order: int = column(N_("order"), key=True)
    option: str | None = column(N_("answer"), key=True)
    is_right: bool | None = column(N_("right"), compared=False)
    log_probability: float | None = column(N_("log p"), unit=N_("nats"), digits=2)
    pieces: int | None = column(N_("pieces"), compared=False)
    score_sum: float | None = column(N_("Probability"), unit=N_("nats"), digits=2)
    score_token: float | None = column(N_("Per token"), unit=N_("nats"), digits=2)
    score_character: float | None = column(N_("Per character"), unit=N_("nats"), digits=2)
    score_byte: float | None = column(N_("Per byte"), unit=N_("nats"), digits=2)
    score_mutual_information: float | None = column(
        N_("Mutual information"), unit=N_("nats"), digits=2
    )
    score_calibrated: float | None = column(N_("Calibrated"), unit=N_("nats"), digits=2)
    loss: float | None = column(N_("loss"), unit=N_("nats"), digits=3)
    accuracy_sum: float | None = column(N_("accuracy"), digits=3)
    accuracy_token: float | None = column(N_("accuracy"), digits=3)
    accuracy_character: float | None = column(N_("accuracy"), digits=3)
    accuracy_byte: float | None = column(N_("accuracy"), digits=3)
    accuracy_mutual_information: float | None = column(N_("accuracy"), digits=3)
    accuracy_calibrated: float | None = column(N_("accuracy"), digits=3)
    best_loss: float | None = column(N_("its loss"), unit=N_("nats"), digits=3)
    best_accuracy: float | None = column(N_("best learner"), digits=3)


@dataclass(frozen=True)
class PromptModelRow(PromptRow):
    """The same of one of two models."""

    model: str = column(N_("model"), key=True)


def table(result: PromptResult) -> Table:
    """A row an option, then a row a number of examples and an order; of two models with a name."""
    if result.second is None:
        return Table.of(PromptRow, (PromptRow(*row) for row in _rows(result)))
    rows = ((*row, one.model.id) for one in result.every for row in _rows(one))
    return Table.of(PromptModelRow, (PromptModelRow(*row) for row in rows))


def _rows(result: PromptResult) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    none = (None,) * (len(RULES) + 3)
    for one in result.scores:
        is_right = None if result.right is None else one.option == result.right
        rows.append(
            (
                *("option", len(result.examples), 0, one.option, is_right),
                *(one.log_probability, one.pieces),
                *(one.by(rule) for rule in RULES),
                *none,
            )
        )
    curve = result.curve
    for at in range(len(curve.counts) if curve is not None else 0):
        assert curve is not None
        rows.extend(_curve_row(curve, at, order) for order in range(curve.loss.shape[1]))
    return rows


def _curve_row(curve: ExampleCurve, at: int, order: int) -> tuple[Any, ...]:
    return (
        *("curve", curve.counts[at], order, None, None, None, None),
        *(None for _ in RULES),
        float(curve.loss[at, order]),
        *(float(one[at, order]) for one in curve.right),
        None if curve.best_loss is None else float(curve.best_loss[at, order]),
        None if curve.best_right is None else float(curve.best_right[at, order]),
    )


def derived(result: PromptResult) -> Mapping[str, Any]:
    """The answer, what each rule chooses, and arrays as lists: what --json prints."""
    told: dict[str, Any] = {
        "text": result.answer.option,
        "chosen": {rule.value: result.scores[chosen(result.scores, rule)].option for rule in RULES},
        "by_order": result.by_order.tolist(),
    }
    curve = result.curve
    if curve is not None:
        told["curve"] = {
            "counts": list(curve.counts),
            "right": {rule.value: curve.right[at].tolist() for at, rule in enumerate(RULES)},
            "commonest": {
                rule.value: curve.commonest[at].tolist() for at, rule in enumerate(RULES)
            },
            "last": {rule.value: curve.last[at].tolist() for at, rule in enumerate(RULES)},
            "due": curve.due.tolist(),
            "loss": curve.loss.tolist(),
            "chance": curve.chance,
            "best_right": None if curve.best_right is None else curve.best_right.tolist(),
            "best_loss": None if curve.best_loss is None else curve.best_loss.tolist(),
        }
    if result.second is not None:
        told["second"] = {**to_builtins(result.second), **derived(result.second)}
    return told


COLUMN_TITLES = {
    "answer": N_("answer"),
    "log_probability": N_("log p"),
    "share": N_("share"),
    "by_mutual_information": N_("by mutual information"),
    "calibrated": N_("calibrated"),
    "examples": N_("examples"),
    "right": N_("right"),
    "second_answer": N_("answer, second model"),
    "second_log_probability": N_("log p, second model"),
    "second_right": N_("right, second model"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: PromptResult) -> Mapping[str, Cell]:
    """The answer by its probability in one row."""
    best = result.answer
    row: dict[str, Cell] = {
        "answer": best.option,
        "log_probability": best.log_probability,
        "share": float(shares(result.scores, Rule.SUM).max()),
        "by_mutual_information": result.scores[chosen(result.scores, Rule.MUTUAL)].option,
        "calibrated": result.scores[chosen(result.scores, Rule.CALIBRATED)].option,
        "examples": len(result.examples),
    }
    if result.right is not None:
        row["right"] = int(best.option == result.right)
    if result.second is not None:
        other = result.second.answer
        row |= {
            "second_answer": other.option,
            "second_log_probability": other.log_probability,
        }
        if result.right is not None:
            row["second_right"] = int(other.option == result.right)
    return row


def without_curve(request: PromptRequest) -> PromptRequest:
    """The one question, in one order."""
    return replace(request, asked=0, orders=1)


def waits(_document: Any, _card: ModelCard, _answered: Answered | None) -> bool:
    """Hundreds of prompts are read for the curve."""
    return True


QUESTION = Question(
    name="prompt",
    title=N_("Few-shot prompting"),
    asks=N_("What does the model answer with no, one or a few examples before the question?"),
    listing=Listing(Topic.PREDICT, 7, "message-text-outline"),
    found_by=(
        "few-shot",
        "zero-shot",
        "one-shot",
        "in-context learning",
        "ICL",
        "prompting",
        "GPT-3",
        "프롬프트",
        "퓨샷",
        "제로샷",
        "문맥 내 학습",
        "예시가 있는 프롬프트",
    ),
    request=PromptRequest,
    result=PromptResult,
    follows={"rule": RULE},
    is_expensive=waits,
    waiting_hint=N_(
        "Hundreds of prompts are read for the curve: some seconds with a small model. Press Run to "
        "see what examples are worth."
    ),
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    derived=derived,
    options=(RULE, NEUTRAL, FREE, ALONE),
    cheap_variant=without_curve,
    conditions=(
        a_text(N_("Type a question as your examples ask it; for the small world's, “chef”.")),
    ),
    roles=dict.fromkeys((MODEL, SECOND), (any_of(Predictor, CausalLM),)),
    optional=frozenset({SECOND}),
    binding=active_and_other("prompt", ALONE),
)
