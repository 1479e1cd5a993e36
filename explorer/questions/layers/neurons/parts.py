"""A unit's strongest texts, its words, its label beside a probe's, and what it does here."""

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.api.question import (
    Cards,
    Manner,
    OneCard,
    Rows,
    Said,
    ScoredText,
    ScoredTexts,
    UnitKind,
    Width,
    column,
    sets,
)
from explorer.api.question.parts.predictions.changes import Changed
from explorer.questions.layers.neurons.question import (
    LABEL,
    NUMBER,
    ActiveText,
    LabelFound,
    NeuronsRequest,
    NeuronsResult,
    UnitWord,
)
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import decimal, whole

SEEN = 0.05
"""Share of the largest activation below which a token is left as it is."""

ACTIVE = {
    UnitKind.NEURON: N_(
        "A token's number is what the neuron hands to the last matrix of the feed-forward part."
    ),
    UnitKind.HEAD: N_(
        "A token's number is the length of the vector that the head adds to the stream there."
    ),
}
READS = N_(
    "The product of each piece's own vector with what the neuron looks for: a projection, as if "
    "nothing lay between the embeddings and this layer."
)
WRITES = {
    UnitKind.NEURON: N_(
        "What the model's own head reads in the neuron's column of the last matrix alone, as if "
        "the stream held nothing else: the probability of each piece."
    ),
    UnitKind.HEAD: N_(
        "What the model's own head reads in what the head adds at its strongest token alone, as if "
        "the stream held nothing else: the probability of each piece."
    ),
}
TESTED = N_(
    "In one half of the texts a threshold is chosen for every unit and label, and the unit that "
    "finds the label best; F1 is measured in the other half. Every word counts: one without the "
    "label that is said to have it is a false alarm. The probe is a multinomial logistic "
    "regression on the states after this layer, trained and measured on the same halves. “Always” "
    "is what saying yes of every word gets. Intervals hold 95 % of a bootstrap over texts."
)
OFF = N_("switched off")
TWICE = N_("doubled")


@dataclass(frozen=True)
class BestUnitRow:
    """A label, the unit of the layer that finds it best, and a probe."""

    label: str = column(N_("label"), key=True)
    number: int = column(N_("number"), key=True, written=str)
    f1: float = column(N_("F1"), digits=2)
    low: float = column(N_("F1 from"), shown=False)
    high: float = column(N_("F1 to"), shown=False)
    probe: float = column(N_("probe's F1"), digits=2)
    probe_low: float = column(N_("probe's F1 from"), shown=False)
    probe_high: float = column(N_("probe's F1 to"), shown=False)
    always: float = column(N_("F1 of “always”"), digits=2, dispensable=True)
    threshold: float = column(N_("threshold"), shown=False)
    precision: float = column(N_("precision"), shown=False)
    recall: float = column(N_("recall"), shown=False)
    tested: int = column(N_("words tested"), dispensable=True)


@dataclass(frozen=True)
class SoughtWord:
    """A piece that a neuron looks for."""

    rank: int = column(N_("rank"), key=True)
    word: str = column(N_("word"))
    product: float = column(N_("product"), digits=3)


@dataclass(frozen=True)
class WrittenWord:
    """A piece that is read in what a unit writes."""

    rank: int = column(N_("rank"), key=True)
    word: str = column(N_("word"))
    probability: float = column(N_("probability"), digits=3)


def parts(
    result: NeuronsResult, request: NeuronsRequest | None = None
) -> Iterator[Said | ScoredTexts | Cards | Rows | Changed]:
    """Texts, words, labels, and what becomes of the predictions."""
    request = request or NeuronsRequest()
    kind = UnitKind(result.unit)
    yield Said(named(result), Manner.STRONG)
    yield Said(read_in(result, request), near=True)
    if result.is_short:
        yield Said(N_("No more texts were read: there is no room for more."), Manner.WARNING)
    if result.cut:
        cut = NN_(
            "{count} word is left out: its text does not fit into the model.",
            "{count} words are left out: their texts do not fit into the model.",
        )
        yield Said(Phrase(cut, count=result.cut), Manner.WARNING)
    if result.own is not None:
        yield Said(label_said(result.own), Manner.PLAIN)
    if result.best:
        yield _best(result)
        yield Said(TESTED, Manner.EXPLANATION, near=True)
    texts = tuple(_scored(one) for one in result.strongest)
    yield ScoredTexts(
        texts,
        N_("activation"),
        is_signed=any(value is not None and value < 0 for one in texts for value in one.values),
        title=N_("Texts in which it is most active"),
    )
    yield Said(ACTIVE[kind], Manner.EXPLANATION, near=True)
    reads = OneCard(N_("It looks for"), _words(SoughtWord, result.reads, result.reads_why, READS))
    writes = OneCard(
        N_("It writes"), _words(WrittenWord, result.writes, result.writes_why, WRITES[kind])
    )
    yield Cards((reads, writes), Width.MEDIUM, framed=False)
    changed = [
        OneCard(Phrase(title), (Changed(one, in_files=False),))
        for title, one in ((OFF, result.off), (TWICE, result.twice))
        if one is not None
    ]
    if changed:
        yield Said(N_("What is predicted at the masks"), Manner.TITLE)
        yield Cards(tuple(changed), Width.WIDE, framed=False)
    else:
        hint = N_("Mask a word in the sentence to see what becomes of it without this neuron.")
        yield Said(hint, Manner.HINT)


def named(result: NeuronsResult) -> Phrase:
    """Which unit it is."""
    code = (
        N_("Neuron {number} of {units} in layer {layer}")
        if result.unit == UnitKind.NEURON
        else N_("Head {number} of {units} in layer {layer}")
    )
    values = {"number": str(result.number), "layer": str(result.layer)}
    return Phrase(code, units=whole(result.units), **values)


def read_in(result: NeuronsResult, request: NeuronsRequest) -> Phrase:
    """In which texts it was looked at."""
    where = result.source or Phrase(LABEL.entry(request.label).title)
    if not result.counted:
        code = NN_(
            "{count} text of {where}, without labels.", "{count} texts of {where}, without labels."
        )
        return Phrase(code, count=result.texts, where=where)
    code = NN_(
        "{count} text with {words} words. Labels: {where}.",
        "{count} texts with {words} words. Labels: {where}.",
    )
    return Phrase(code, count=result.texts, words=whole(result.counted), where=where)


def label_said(own: LabelFound) -> Phrase:
    """The label that it finds best, beside the probe's."""
    return Phrase(
        N_(
            "It finds “{label}” best: F1 {f1} ({low} to {high}) in texts that nothing was chosen "
            "by. A linear probe gets {probe} ({probe_low} to {probe_high}), “always” {always}."
        ),
        label=own.label,
        f1=decimal(own.f1, 2),
        low=decimal(own.low, 2),
        high=decimal(own.high, 2),
        probe=decimal(own.probe, 2),
        probe_low=decimal(own.probe_low, 2),
        probe_high=decimal(own.probe_high, 2),
        always=decimal(own.always, 2),
    )


def _best(result: NeuronsResult) -> Rows:
    """A row a label; choosing one looks at its unit."""
    rows = tuple(
        BestUnitRow(
            one.label,
            one.number,
            one.f1,
            one.low,
            one.high,
            one.probe,
            one.probe_low,
            one.probe_high,
            one.always,
            one.threshold,
            one.precision,
            one.recall,
            one.tested,
        )
        for one in result.best
    )
    return Rows(
        BestUnitRow,
        rows,
        title=N_("The best of the layer for each label"),
        bar="f1",
        second_bar="probe",
        scale=(0.0, 1.0),
        gesture=lambda row: sets(NUMBER, row.number, N_("look at another neuron")),
        words=lambda row: Phrase(N_("Look at number {number}"), number=str(row.number)),
        below=lambda row: Phrase(
            N_("F1 {low} to {high}, the probe's {probe_low} to {probe_high}"),
            low=decimal(row.low, 2),
            high=decimal(row.high, 2),
            probe_low=decimal(row.probe_low, 2),
            probe_high=decimal(row.probe_high, 2),
        ),
        chosen=lambda row: row.number == result.number,
    )


def _scored(one: ActiveText) -> ScoredText:
    """Without the tokens where next to nothing happens."""
    least = SEEN * float(max(abs(one.values), default=0.0))
    values = tuple(
        float(value) if abs(value) >= least and not token.special else None
        for value, token in zip(one.values, one.tokens, strict=True)
    )
    return ScoredText(one.text, one.tokens, values)


def _words(
    row: type[SoughtWord | WrittenWord], words: tuple[UnitWord, ...], why: str, how: str
) -> tuple[Said | Rows, ...]:
    """The words, or why there are none."""
    if not words:
        return (Said(why),)
    rows = tuple(row(one.rank, one.word, one.value) for one in words)
    bar = "product" if row is SoughtWord else "probability"
    return Rows(row, rows, bar=bar), Said(how, Manner.EXPLANATION)
