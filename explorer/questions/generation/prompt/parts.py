"""The prompt, what may be answered to it, and what examples are worth, in numbers and curves."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from explorer.api.question import Cards, Manner, OneCard, OwnPicture, Rows, Said, Width, column
from explorer.numerics.distributions.temperature import log_softmax
from explorer.questions.generation.prompt.answers.rules import Rule, chosen, shares
from explorer.questions.generation.prompt.options import RULE
from explorer.questions.generation.prompt.question import (
    RULES,
    ExampleCurve,
    Floats,
    PromptPieces,
    PromptRequest,
    PromptResult,
)
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import decimal, percent, whole

CURVES, REPEATED_CURVES = "curves", "repeated"
"""What the page draws itself: charts that have the pinned answer's curves, too."""
ABOUT = N_(
    "Rows that are asked are never examples. Each time, other examples are drawn "
    "from the rest and put in order; the band goes from the worst time to the "
    "best. The loss is of the right answer among all that the model could say, "
    "the accuracy of the choice among the possible answers."
)
SPACE = N_(
    "An answer is split into tokens as in the template: a space before {answer} "
    "belongs to its first piece where pieces carry spaces. Of several pieces, "
    "probabilities are multiplied."
)
REPEATED = N_(
    "A model that gives the commonest answer of its examples more often than it is right follows "
    "the majority label; one that gives the last one's, what it read most recently (Zhao et al. "
    "2021, section 4). The band goes from the worst order to the best."
)
ALL_DIFFER = N_(
    "No answer repeats that of an example before it, so there is no majority "
    "label here. A table with few answers, as yes and no, shows how strongly a "
    "model follows one."
)
BEST = N_(
    "The best learner knows the small world's tables, and that each kind of word "
    "(jobs, animals, qualities, dates, verbs) is asked one relation, which the "
    "prompt hides. It holds every relation that agrees with the examples to be "
    "equally likely."
)


def _in_percent(share: float) -> str:
    return percent(share, 1)


@dataclass(frozen=True)
class AnswerRow:
    """What may be answered."""

    option: str = column(N_("answer"), key=True)
    share: float = column(
        N_("share"),
        tip=N_("The scores as shares of one whole: their softmax."),
        written=_in_percent,
    )
    score: float = column(
        N_("score"),
        tip=N_("By which the answer is chosen, in nats."),
        digits=2,
        dispensable=True,
    )
    probability: float = column(
        N_("probability"),
        tip=N_("Of the answer after the prompt, among all texts."),
        written=_in_percent,
        dispensable=True,
    )
    pieces: int = column(N_("pieces"), dispensable=True)
    best: float | None = column(N_("best learner"), written=_in_percent)
    right: str | None = column(N_("right"))


@dataclass(frozen=True)
class OrderRow:
    """What is answered behind the same examples in an order."""

    order: str = column(N_("order"), key=True)
    answer: str = column(N_("answer"))
    share: float = column(N_("share"), written=_in_percent)
    number: int = column(N_("number"), shown=False)


@dataclass(frozen=True)
class ExampleCountRow:
    """What came of a number of examples: the mean of the orders, the worst and the best."""

    examples: int = column(N_("examples"), key=True)
    right: str = column(
        N_("right, %"), tip=N_("Mean of the orders, worst to best."), ends_right=True
    )
    loss: str = column(
        N_("loss"),
        tip=N_("Nats of the right answer: mean of the orders, least to most."),
        ends_right=True,
    )
    best_right: float | None = column(N_("best learner, %"), digits=0)
    best_loss: float | None = column(N_("its loss"), digits=2)
    commonest: str | None = column(
        N_("commonest, %"),
        tip=N_(
            "How often the answer is given that most examples have, and in brackets how often it "
            "is right."
        ),
    )
    last: str | None = column(
        N_("last, %"),
        tip=N_(
            "How often the last example's answer is given, and in brackets how often it is right."
        ),
    )


def parts(
    result: PromptResult,
    rule: str = RULE.default,
    request: PromptRequest | None = None,
    titles: Mapping[str, str] | None = None,
) -> Iterator[Said | PromptPieces | Cards | OwnPicture | Rows]:
    """The prompt and its answers, then what examples are worth.

    Args:
        result: The answer.
        rule: By which an answer is chosen.
        request: What was asked.
        titles: What people read for models, by their ids.
    """
    by, request, titles = Rule(rule), request or PromptRequest(""), titles or {}
    yield Said(result.refused, Manner.WARNING)
    if result.second is None:
        yield from _one_model(result, by)
    else:
        cards = (OneCard(_name(one, titles), tuple(_column(one, by))) for one in result.every)
        yield Cards(tuple(cards), Width.WIDE, framed=False)
    curves = [one for one in result.every if one.curve is not None]
    if curves:
        yield Said(N_("By the number of examples"), Manner.TITLE)
        yield Said(_of_what(result, request), near=True)
        yield OwnPicture(CURVES)
        for one in result.every:
            if one.too_long:
                yield Said(_ends(one.too_long), near=True)
        yield from _in_numbers(curves, by, titles)
        yield Said(ABOUT, Manner.EXPLANATION)
        if any(one.curve is not None and one.curve.repeats(by) for one in curves):
            yield Said(N_("Answers taken from the examples"), Manner.TITLE)
            yield Said(REPEATED, Manner.EXPLANATION, near=True)
            yield OwnPicture(REPEATED_CURVES)
        elif curves[0].curve is not None and max(curves[0].curve.counts) > 1:
            yield Said(ALL_DIFFER, Manner.EXPLANATION, near=True)
    if any(one.best or (one.curve and one.curve.best_loss is not None) for one in result.every):
        yield Said(BEST, Manner.ABOUT, near=True)
    yield Said(SPACE, Manner.ABOUT, near=True)
    if result.second is None:
        yield Said(result.note, near=True)


def _name(result: PromptResult, titles: Mapping[str, str]) -> Phrase:
    return Phrase("{model}", model=titles.get(result.model.id, result.model.name))


def _one_model(result: PromptResult, rule: Rule) -> Iterator[Said | PromptPieces | Cards]:
    """A model that is asked alone: the prompt, and below it answers and orders side by side."""
    yield from _read(result)
    cards = [OneCard(N_("Possible answers"), tuple(_answers(result, rule)))]
    orders = tuple(_orders(result))
    if orders:
        cards.append(OneCard(N_("The same examples in other orders"), orders))
    yield Cards(tuple(cards), Width.WIDE, framed=False, shares=(1.2, 0.8) if len(cards) > 1 else ())


def _column(result: PromptResult, rule: Rule) -> Iterator[Said | PromptPieces | Rows]:
    """One of two models that answer the same prompt."""
    yield from _read(result)
    yield Said(result.note, near=True)
    yield Said(N_("Possible answers"), Manner.TITLE)
    yield from _answers(result, rule)
    orders = tuple(_orders(result))
    if orders:
        yield Said(N_("The same examples in other orders"), Manner.TITLE)
        yield from orders


def _read(result: PromptResult) -> Iterator[Said | PromptPieces]:
    """The prompt as the model's tokens, and what of it the model does not read."""
    if result.left_out:
        code = NN_(
            "With {count} example more, the prompt is longer than this model reads.",
            "With {count} examples more, the prompt is longer than this model reads.",
        )
        yield Said(Phrase(code, count=result.left_out), Manner.WARNING, near=True)
    if result.too_long == 0:
        none = N_("Questions of the table are longer than this model reads: there is no curve.")
        yield Said(none, Manner.WARNING, near=True)
    unknown = unknown_of(result)
    if unknown:
        code = N_(
            "This vocabulary has no piece for {words}: the model reads {unknown} there. Choose a "
            "template without."
        )
        words = ", ".join(f"“{one}”" for one in unknown)
        sign = next(token.text for token in result.written if token.unknown)
        yield Said(Phrase(code, words=words, unknown=sign), Manner.WARNING, near=True)
    yield PromptPieces(result.written)


def unknown_of(result: PromptResult) -> tuple[str, ...]:
    """Parts of the prompt that the model's vocabulary has no piece for."""
    found = (
        result.prompt[token.start : token.end].strip() or token.text
        for token in result.written
        if token.unknown
    )
    return tuple(dict.fromkeys(found))


def _answers(result: PromptResult, rule: Rule) -> Iterator[Said | Rows]:
    """What may be answered, the chosen answer first."""
    yield Said(RULE.entry(rule.value).tip, Manner.EXPLANATION, near=True)
    values = shares(result.scores, rule)
    best, right = dict(result.best), Phrase(N_("right"))
    rows = tuple(
        AnswerRow(
            *(one.option, float(values[number]), one.by(rule), math.exp(one.log_probability)),
            *(one.pieces, best.get(one.option, 0.0) if best else None),
            None if result.right is None else right if one.option == result.right else "",
        )
        for number, one in sorted(
            enumerate(result.scores), key=lambda both: -float(values[both[0]])
        )
    )
    answer = result.scores[chosen(result.scores, rule)].option
    yield Rows(
        AnswerRow,
        rows,
        bar="share",
        second_bar="best" if best else "",
        scale=(0.0, 1.0),
        chosen=lambda row: row.option == answer,
        drops_empty=True,
        in_files=False,
    )


def _orders(result: PromptResult) -> Iterator[Said | Rows]:
    """The same examples in other orders: what is answered then, by its probability."""
    if len(result.by_order) < 2 or len(result.examples) < 2:
        return
    yield Said(
        N_("Shares of the possible answers, by their probability."), Manner.EXPLANATION, near=True
    )
    options = [one.option for one in result.scores]
    rows = []
    for number, values in enumerate(result.by_order):
        found = np.exp(log_softmax(values))
        best = int(found.argmax())
        # The right answer's share where it is known, else that of the one that is given.
        told = options.index(result.right) if result.right in options else best
        name = Phrase(N_("order {number}") if number else N_("as shown"), number=number + 1)
        rows.append(OrderRow(name, options[best], float(found[told]), number))
    yield Rows(
        OrderRow,
        tuple(rows),
        bar="share",
        scale=(0.0, 1.0),
        words=lambda row: _in_order(result, row.number),
        in_files=False,
    )


def _in_order(result: PromptResult, number: int) -> str:
    """The examples' questions in one of the orders."""
    if not result.permutations:  # of an older version
        return ""
    told = (result.examples[at][0] for at in result.permutations[number])
    return Phrase(N_("In this order: {questions}"), questions=", ".join(told))


def _ends(too_long: int) -> Phrase:
    code = NN_(
        "With {count} example, questions of the table are longer than this model reads: the curve "
        "ends before that.",
        "With {count} examples, questions of the table are longer than this model reads: the curve "
        "ends before that.",
    )
    return Phrase(code, count=too_long)


def _of_what(result: PromptResult, request: PromptRequest) -> Phrase:
    code = NN_(
        "{count} row of {total} is asked; the other ones give examples, in {orders} orders.",
        "{count} rows of {total} are asked; the other ones give examples, in {orders} orders.",
    )
    total, orders = whole(result.total), whole(request.orders)
    return Phrase(code, count=result.rows, total=total, orders=orders)


def _in_numbers(
    results: list[PromptResult], rule: Rule, titles: Mapping[str, str]
) -> Iterator[Rows | Cards]:
    """The curves in numbers, a table a model."""
    tables = [
        (one, Rows(ExampleCountRow, numbers(one.curve, rule), drops_empty=True, in_files=False))
        for one in results
        if one.curve is not None
    ]
    if len(tables) == 1:
        yield tables[0][1]
        return
    cards = tuple(OneCard(_name(one, titles), (table,)) for one, table in tables)
    yield Cards(cards, Width.WIDE, framed=False)


def numbers(curve: ExampleCurve, rule: Rule) -> tuple[ExampleCountRow, ...]:
    """A row a number of examples."""
    at = RULES.index(rule)
    # Where all answers differ, nothing is told by how often one is repeated.
    repeated = curve.repeats(rule)
    rows = []
    for place, count in enumerate(curve.counts):
        told = (curve.commonest[at, place], curve.last[at, place])
        both = zip(told, curve.due[:, place], strict=True)
        beside = [_beside(said, due) if count else Phrase("") for said, due in both]
        best, loss = curve.best_right, curve.best_loss
        rows.append(
            ExampleCountRow(
                count,
                _spread(100 * curve.right[at, place], 0),
                _spread(curve.loss[place], 2),
                None if best is None else 100 * float(best[place].mean()),
                None if loss is None else float(loss[place].mean()),
                *(beside if repeated else (None, None)),
            )
        )
    return tuple(rows)


def _spread(values: Floats, places: int) -> str:
    mean, least, most = (
        decimal(float(one), places) for one in (values.mean(), values.min(), values.max())
    )
    if least == most:
        return mean
    return Phrase(N_("{mean} ({least} to {most})"), mean=mean, least=least, most=most)


def _beside(said: Floats, due: Floats) -> Phrase:
    return Phrase(
        N_("{said} ({due})"),
        said=decimal(100 * float(said.mean()), 0),
        due=decimal(100 * float(due.mean()), 0),
    )
