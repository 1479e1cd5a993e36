"""What is read off each layer, as curves with their spread, and what the best probe says here."""

from collections.abc import Iterator

from explorer.api import ModelCard, Table
from explorer.api.question.layer_names import layer_said
from explorer.document import Document
from explorer.questions.layers.probe.curves import accuracy_chart, selectivity_chart
from explorer.questions.layers.probe.numbers import numbers_table
from explorer.questions.layers.probe.question import (
    FEW_TYPES,
    LABEL,
    OPERATION,
    SEEDS,
    ProbeRequest,
    ProbeResult,
    ReadWord,
    label_said,
)
from explorer.text import N_, _, ngettext
from explorer.text.formatting.numbers import whole
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.rows_block import rows_block
from explorer.ui.blocks.text import heading, note, warning
from explorer.ui.charts.block import ChartBlock

MOST_LABELS = 12
"""Labels whose counts are told; there are dozens of jobs."""

ABOUT = N_(
    "For every layer a multinomial logistic regression (L2, C = 1) learns the label from the "
    "states of words in three of four texts, and is tested on the others; sentences that it was "
    "trained on are not tested. Curves are means over {seeds} splits, the band goes from the worst "
    "to the best."
)
CONTROL = N_(
    "The control task gives every word a random label of its own, wherever it stands (Hewitt and "
    "Liang 2019): what a probe gets right there, it knows by heart. Selectivity is accuracy minus "
    "control: what is read off the state rather than off which word it is."
)
OF_EVERY_WORD = N_(
    "It names a label for every word, also for those of which the grammar or the file says none."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """Curves, then the sentence beside the numbers."""
    result: ProbeResult = shown.result
    asked = ProbeRequest.of(shown.asked)
    yield note(of_what(result, asked))
    yield from _warnings(result, asked)
    yield ChartBlock(
        (accuracy_chart(result), selectivity_chart(result)), narrowest=CardWidth.MEDIUM
    )
    numbers = Card([heading(_("Layer by layer")), numbers_table(result)], _("Layer by layer"))
    cards = [Card(list(_sentence(shown)), _("The sentence")), numbers] if result.read else [numbers]
    yield Columns(cards, CardWidth.WIDE, framed=False, shares=(0.8, 1.2) if result.read else ())
    yield note(_(ABOUT, seeds=SEEDS), above=Space.APART)
    yield note(_(CONTROL))


def of_what(result: ProbeResult, asked: ProbeRequest) -> str:
    """What is probed for, of how many words."""
    every = zip(result.labels, result.counts, strict=True)
    shares = [f"{label} {whole(count)}" for label, count in every]
    if len(shares) > MOST_LABELS:
        more = _("{count} more", count=len(shares) - MOST_LABELS)
        shares = [*shares[:MOST_LABELS], more]
    told = ngettext(
        "{label}: {words} words in {count} text, {types} of them different; {labels}.",
        "{label}: {words} words in {count} texts, {types} of them different; {labels}.",
        result.texts,
        label=label_said(result, asked),
        words=whole(sum(result.counts)),
        types=whole(result.types),
        labels=", ".join(shares),
    )
    if result.source:
        return told
    return f"{told} {_(LABEL.entry(asked.label).tip)}"


def _warnings(result: ProbeResult, asked: ProbeRequest) -> Iterator[Block]:
    if result.cut:
        yield warning(
            ngettext(
                "{count} word is left out: its text does not fit into the model.",
                "{count} words are left out: their texts do not fit into the model.",
                result.cut,
            )
        )
    if asked.withheld and result.withheld is None:
        yield note(_("There are too few different words to keep some of them from training."))
    if result.types < FEW_TYPES:
        yield note(
            _(
                "There are only {types} different words, so the control task is learned by heart, "
                "and selectivity says nothing here: compare with the majority label.",
                types=result.types,
            )
        )


def _sentence(shown: Shown) -> Iterator[Block]:
    """What the best layer's probe says of the words that are typed."""
    result: ProbeResult = shown.result
    yield heading(_("What the probe of {layer} says", layer=layer_said(result.layers[result.best])))
    rows = Table.of(ReadWord, result.read)
    yield rows_block(rows, shown, "probe.words", _("The sentence"), bar="probability")
    yield note(_(OF_EVERY_WORD))


def waits(_document: Document, _card: ModelCard, _shown: Shown | None) -> bool:
    """Hundreds of texts are read, and a probe is trained for every layer and split."""
    return True


PAGE = Page(
    OPERATION,
    blocks,
    waits=waits,
    waiting_hint=N_(
        "Hundreds of texts are read, and probes are trained for every layer: some seconds with a "
        "small model. Press Run to see what each layer tells."
    ),
)
