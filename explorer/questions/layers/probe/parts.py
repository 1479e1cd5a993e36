"""What is read off each layer: curves with their spread, and what the best probe says here."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    Cards,
    Curve,
    Curves,
    Manner,
    OneCard,
    Panel,
    Rows,
    Said,
    Width,
    column,
    layer_phrase,
    over_layers,
    row_phrase,
)
from explorer.files_of_sentences.formats.conllu import USUAL
from explorer.questions.layers.probe.question import (
    FEW_TYPES,
    LABEL,
    SEEDS,
    ProbeRequest,
    ProbeResult,
    ProbeScores,
    ReadWord,
)
from explorer.text import N_, NN_, Phrase, _
from explorer.text.formatting.numbers import decimal, whole

MOST_LABELS = 12
"""Labels whose counts are told; there are dozens of jobs."""

ABOUT = N_(
    "For every layer, a multinomial logistic regression (L2, C = 1) learns the "
    "label from the states of words in three of four texts. It is tested on the "
    "others, never on a sentence that it was trained on. Curves are means over "
    "{seeds} splits, bands go from the worst to the best."
)
CONTROL = N_(
    "The control task gives every word a random label of its own, wherever it "
    "occurs (Hewitt and Liang 2019): what a probe gets right there, it memorised."
    " Selectivity is accuracy minus control accuracy: what the probe reads from "
    "the state, not from which word it is."
)
OF_EVERY_WORD = N_("It labels every word, also those without a label in the grammar or the file.")
FEW = N_(
    "There are only {types} different words, so the control task is learned by heart, and "
    "selectivity says nothing here: compare with the majority label."
)


class SplitSpread(float):
    """The mean over the splits in percent, which knows the worst and the best."""

    ends: tuple[float, float]

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> "SplitSpread":
        """Of a share a split."""
        made = cls(100 * float(values.mean()))
        made.ends = 100 * float(values.min()), 100 * float(values.max())
        return made

    def said(self) -> str:
        """With both ends."""
        least, most = (decimal(one, 1) for one in self.ends)
        return _("{mean} ({least} to {most})", mean=decimal(self, 1), least=least, most=most)


@dataclass(frozen=True)
class LayerRow:
    """A layer, in percent; at the end what always saying the commonest label gets."""

    layer: str = column(N_("layer"), key=True)
    probe: float = column(
        N_("probe, %"),
        tip=N_("In new sentences: mean of the splits, worst to best."),
        written=SplitSpread.said,
    )
    control: float | None = column(N_("control, %"), written=SplitSpread.said)
    selectivity: float | None = column(N_("selectivity, %"), written=SplitSpread.said)


@dataclass(frozen=True)
class LayerRowWithheld(LayerRow):
    """The same where some words were never trained on."""

    withheld: float | None = column(
        N_("withheld words, %"),
        tip=N_("Words that were never trained on."),
        written=SplitSpread.said,
    )


def parts(
    result: ProbeResult, request: ProbeRequest | None = None
) -> Iterator[Said | Curves | Cards | Rows]:
    """Curves, then the sentence beside the numbers."""
    request = request or ProbeRequest()
    yield Said(of_what(result, request))
    if not result.source:
        yield Said(LABEL.entry(request.label).tip, Manner.ABOUT, near=True)
    yield from _warnings(result, request)
    yield _curves(result)
    numbers = OneCard(N_("Layer by layer"), (_numbers(result), Said(_tested(result))))
    cards = (_sentence(result), numbers) if result.read else (numbers,)
    yield Cards(cards, Width.WIDE, framed=False, shares=(0.8, 1.2)[: len(cards)])
    yield Said(Phrase(ABOUT, seeds=SEEDS), Manner.ABOUT)
    yield Said(CONTROL, Manner.ABOUT, near=True)


def of_what(result: ProbeResult, request: ProbeRequest) -> Phrase:
    """What is probed for, of how many words."""
    every = zip(result.labels, result.counts, strict=True)
    shares: list[str] = [f"{label} {whole(count)}" for label, count in every]
    if len(shares) > MOST_LABELS:
        more = Phrase(N_("{count} more"), count=len(shares) - MOST_LABELS)
        shares = [*shares[:MOST_LABELS], more]
    title = Phrase(LABEL.entry(request.label).title)
    return Phrase(
        NN_(
            "{label}: {words} words in {count} text, {types} of them different; {labels}.",
            "{label}: {words} words in {count} texts, {types} of them different; {labels}.",
        ),
        count=result.texts,
        label=f"{Path(result.source).name}: {request.column or USUAL}" if result.source else title,
        words=whole(sum(result.counts)),
        types=whole(result.types),
        labels=", ".join(shares),
    )


def _warnings(result: ProbeResult, request: ProbeRequest) -> Iterator[Said]:
    if result.cut:
        cut = NN_(
            "{count} word is left out: its text does not fit into the model.",
            "{count} words are left out: their texts do not fit into the model.",
        )
        yield Said(Phrase(cut, count=result.cut), Manner.WARNING)
    if request.withheld and result.withheld is None:
        yield Said(N_("There are too few different words to keep some of them from training."))
    if result.types < FEW_TYPES:
        yield Said(Phrase(FEW, types=result.types))


def _curves(result: ProbeResult) -> Curves:
    """The probe beside its control task and the commonest label."""
    scores, withheld = result.scores, result.withheld
    majority = np.full(len(result.layers), float(scores.majority.mean()))
    unseen = []
    if withheld is not None:
        unseen = [
            Curve.of_runs(N_("withheld words"), values, "bar_original", "dot")
            for values in (withheld.accuracy, withheld.selectivity)
        ]
    accuracy = (
        Curve.of_runs(N_("probe"), scores.accuracy),
        *unseen[:1],
        Curve.of_runs(N_("control task"), scores.control, "bar_second", "dash"),
        Curve(N_("majority label"), majority, "muted", thick=1.2),
    )
    selectivity = (Curve.of_runs(N_("new sentences"), scores.selectivity), *unseen[1:])
    panels = (
        Panel(
            "accuracy",
            N_("Accuracy"),
            accuracy,
            N_("Share of words in new sentences whose label is right."),
            high=1.0,
            unit=N_("accuracy"),
            height=180,
        ),
        Panel(
            "selectivity",
            N_("Selectivity"),
            selectivity,
            N_("Accuracy minus that of the control task, split by split."),
            high=1.0,
            unit=N_("selectivity"),
            height=180,
        ),
    )
    return Curves(over_layers(result.layers), panels, Width.MEDIUM)


def _numbers(result: ProbeResult) -> Rows:
    """A row a layer, the last one on top; below them, always the commonest label."""
    scores, withheld = result.scores, result.withheld
    kind = LayerRow if withheld is None else LayerRowWithheld

    def row(name: str, at: int | None) -> LayerRow:
        probe = scores.majority if at is None else scores.accuracy[at]
        told = [None, None] if at is None else [scores.control[at], scores.selectivity[at]]
        if withheld is not None:
            told.append(withheld.majority if at is None else withheld.accuracy[at])
        return kind(
            name, SplitSpread.of(probe), *(None if o is None else SplitSpread.of(o) for o in told)
        )

    rows = [row(row_phrase(name), at) for at, name in enumerate(result.layers)]
    best = rows[result.best]
    last = row(Phrase(N_("majority label")), None)
    return Rows(kind, (*reversed(rows), last), chosen=lambda one: one is best)


def _tested(result: ProbeResult) -> Phrase:
    told = Phrase(N_("Words tested: {words}."), words=_range(result.scores))
    if result.withheld is None:
        return told
    unseen = Phrase(N_("Withheld words tested: {words}."), words=_range(result.withheld))
    return Phrase.joined((told, unseen))


def _range(scores: ProbeScores) -> str:
    least, most = int(scores.tested.min()), int(scores.tested.max())
    if least == most:
        return whole(least)
    return Phrase(N_("{least} to {most}"), least=whole(least), most=whole(most))


def _sentence(result: ProbeResult) -> OneCard:
    """What the best layer's probe says of the words that are typed."""
    title = Phrase(
        N_("What the probe of {layer} says"), layer=layer_phrase(result.layers[result.best])
    )
    words = Rows(ReadWord, result.read, bar="probability")
    return OneCard(title, (words, Said(OF_EVERY_WORD, Manner.EXPLANATION)), name=N_("The sentence"))
