"""The sum as a waterfall, the part that is opened, and direct against total effects."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.api.question import (
    Cards,
    Gesture,
    Manner,
    OneCard,
    Plane,
    Points,
    Ranked,
    Said,
    Score,
    Scores,
    Sentence,
    Waterfall,
    Width,
    WrittenBy,
    column,
    sets,
)
from explorer.questions.cause.logit_parts.question import (
    AT,
    IN_ORDER,
    OPENED,
    LogitPartsResult,
    WrittenPart,
)
from explorer.questions.cause.logit_parts.wording import (
    BIASES,
    DIRECT,
    both_said,
    checked_said,
    correlation_said,
    nats,
    part_said,
)
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import decimal, percent, with_minus

SHOWN_NEURONS = 12
"""Neurons in sight; files have a hundred."""
NAMED = 6
"""Points with a name, the furthest from nothing."""


@dataclass(frozen=True)
class WaterfallRow:
    """A bar: a part, several together, or the sum of all."""

    part: str = column(N_("part"), key=True)
    value: float = column(N_("adds"), written=nats)
    total: float | None = column(N_("in all"), written=nats, dispensable=True)
    end: float = column(N_("up to here"), digits=2, shown=False)
    name: str = column(N_("name"), shown=False)


@dataclass(frozen=True)
class NeuronRow:
    """A neuron of a feed-forward part."""

    neuron: int = column(N_("neuron"), key=True)
    activation: float = column(N_("activation"), digits=2)
    value: float = column(N_("adds"), digits=3)


def parts(
    result: LogitPartsResult, order: str, most: int
) -> Iterator[Sentence | Said | Waterfall | Cards | Scores | Ranked | Points]:
    """What is compared, the bars, what is opened, and how far total effects agree."""
    yield _sentence(result)
    yield Said(both_said(result), Manner.STRONG, near=True)
    yield _waterfall(result, order, most)
    yield Said(DIRECT, near=True)
    yield Said(checked_said(result), near=True)
    cards = [*_opened(result), *_totals(result)]
    if cards:
        yield Cards(tuple(cards), Width.WIDE, framed=False, shares=(1.0, 1.0)[: len(cards)])


def _sentence(result: LogitPartsResult) -> Sentence:
    """The text, in which another mask can be read; without one the window has it above."""
    words, gestures = dict[int, str](), dict[int, Gesture]()
    for place, token in enumerate(result.tokens):
        if token.masked and place != result.position:
            words[place] = N_("Click to read this mask.")
            gestures[place] = sets(AT, (place,), N_("read another mask"))
    notes = {result.position: N_("read")}
    return Sentence(result.tokens, notes, words, gestures, only_alone=not gestures)


def bars_of(
    parts_: Sequence[WrittenPart], order: str, most: int
) -> tuple[list[list[WrittenPart]], list[WrittenPart]]:
    """Which parts have a bar, biases of one sort together, and which are left for one bar.

    Args:
        parts_: All.
        order: "strongest" or "model".
        most: Bars at most, but for that of the rest.

    Returns:
        The parts of each bar in the order in which they are drawn, and all others.
    """
    groups: list[list[WrittenPart]] = []
    of_biases: dict[str, list[WrittenPart]] = {}
    for one in parts_:
        if WrittenBy(one.by) not in BIASES:
            groups.append([one])
        elif one.by in of_biases:
            of_biases[one.by].append(one)
        else:
            groups.append(of_biases.setdefault(one.by, [one]))
    ranked = sorted(groups, key=lambda group: -abs(sum(one.value for one in group)))
    shown = ranked[:most] if len(ranked) > most + 1 else ranked
    rest = [one for group in ranked[len(shown) :] for one in group]
    if order == IN_ORDER:
        shown = [group for group in groups if group in shown]
    return shown, rest


def _waterfall(result: LogitPartsResult, order: str, most: int) -> Waterfall:
    """Each bar from where the one before it ended, and the sum below them."""
    shown, rest = bars_of(result.parts, order, most)
    rows, reached = list[WaterfallRow](), 0.0
    for group in shown:
        value = sum(one.value for one in group)
        reached += value
        (first, *others) = group
        total = None if others else first.total
        rows.append(WaterfallRow(part_said(first), value, total, reached, first.name))
    if rest:
        value = sum(one.value for one in rest)
        reached += value
        said = Phrase(NN_("{count} other part", "{count} other parts"), count=len(rest))
        rows.append(WaterfallRow(said, value, None, reached, ""))
    rows.append(WaterfallRow(Phrase(N_("Difference")), result.difference, None, reached, WHOLE))
    opening = {one.name for one in result.parts if one.opens}

    def open_it(row: WaterfallRow) -> Gesture | None:
        return sets(OPENED, row.name, N_("open a part")) if row.name in opening else None

    def words(row: WaterfallRow) -> str:
        lines = Phrase(
            N_("{value} nats; {end} up to here."),
            value=nats(row.value),
            end=with_minus(row.end, 2),
        )
        if row.total is None:
            return lines
        more = Phrase(N_("Without it the difference falls by {total}."), total=nats(row.total))
        return Phrase.joined((lines, more))

    return Waterfall(
        WaterfallRow,
        tuple(rows),
        bar="value",
        gesture=open_it,
        words=words,
        chosen=lambda row: bool(row.name) and row.name == result.opened,
        hidden=() if any(row.total is not None for row in rows) else ("total",),
        ends=lambda row: row.end,
        is_whole=lambda row: row.name == WHOLE,
        in_files=False,
    )


WHOLE = "all"
"""The name of the bar of the sum."""


def _opened(result: LogitPartsResult) -> Iterator[OneCard]:
    """A head by tokens, or a feed-forward part by neurons."""
    part = result.open_part
    if part is None:
        return
    title = Phrase(N_("{part} opened: {value} nats"), part=part_said(part), value=nats(part.value))
    if result.head is not None:
        yield OneCard(title, tuple(_head(result)))
    elif result.neurons is not None:
        yield OneCard(title, tuple(_neurons(result)))
    elif result.note:
        yield OneCard(title, (Said(result.note),))


def _head(result: LogitPartsResult) -> Iterator[Said | Scores]:
    """What it brought from each token."""
    head = result.head
    assert head is not None
    explained = N_(
        "What the head brought from each token: how much it looks at it, times the token's value "
        "through the output matrix, times what is read. Together they are the head's bar."
    )
    yield Said(explained, Manner.EXPLANATION, near=True)
    looks = N_("It looks at it with {weight}.")
    scores = (
        Score(place, float(value), words=Phrase(looks, weight=percent(float(weight), 1)))
        for place, (value, weight) in enumerate(zip(head.values, head.weights, strict=True))
    )
    name = N_("what each token adds")
    yield Scores(head.tokens, tuple(scores), name, title=N_("Brought from each token"))


def _neurons(result: LogitPartsResult) -> Iterator[Said | Ranked]:
    """The strongest neurons, and what is left of the bar."""
    neurons = result.neurons
    assert neurons is not None
    explained = N_(
        "How active each neuron is, times its column of the last matrix, times what is read. With "
        "all other neurons and the matrix's bias they are the part's bar."
    )
    yield Said(explained, Manner.EXPLANATION, near=True)
    rows = tuple(
        NeuronRow(int(number), float(activation), float(value))
        for number, activation, value in zip(
            neurons.numbers, neurons.activations, neurons.values, strict=True
        )
    )
    title = N_("Neurons that add most")
    yield Ranked(NeuronRow, rows, bar="value", most=SHOWN_NEURONS, title=title)
    shown = float(neurons.values[:SHOWN_NEURONS].astype(np.float64).sum())
    others = float(neurons.values[SHOWN_NEURONS:].astype(np.float64).sum()) + neurons.others
    left = N_("These add {shown}, the other {count} neurons {others}, the bias {bias}.")
    yield Said(
        Phrase(
            left,
            shown=nats(shown),
            count=max(0, neurons.count - SHOWN_NEURONS),
            others=nats(others),
            bias=nats(neurons.bias),
        ),
        near=True,
    )


def _totals(result: LogitPartsResult) -> Iterator[OneCard]:
    """Each part by what it adds directly and in all."""
    known = [one for one in result.parts if one.total is not None]
    if not known:
        return
    direct = np.array([one.value for one in known])
    total = np.array([one.total for one in known], dtype=np.float64)

    def said(number: int) -> str:
        one = known[number]
        numbers = Phrase(
            N_("{part}: {direct} directly, {total} in all"),
            part=part_said(one),
            direct=decimal(one.value, 2),
            total=decimal(float(total[number]), 2),
        )
        return numbers.said

    far = np.argsort(-np.maximum(abs(direct), abs(total)), kind="stable")[:NAMED]
    names = tuple(part_said(one) if n in far else "" for n, one in enumerate(known))
    plane = Plane(
        "parts",
        "",
        direct,
        total,
        N_("direct path (nats)"),
        N_("total effect (nats)"),
        N_("On the line neither later layers nor norms make more or less of a part."),
    )
    yield OneCard(
        N_("Direct and total effects"),
        (
            Said(correlation_said(result), near=True),
            Points((plane,), names, said, equal=N_("equal"), in_files=False),
        ),
    )
