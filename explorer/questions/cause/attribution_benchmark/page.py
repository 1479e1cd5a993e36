"""How often each method finds the word that matters, in every model, and where it does not."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from explorer.api import ModelCard, Table
from explorer.document import Document, Mask
from explorer.questions.cause.attribution_benchmark.places import KnownPlace
from explorer.questions.cause.attribution_benchmark.question import (
    OPERATION,
    SHOWN,
    AttributionBenchmarkResult,
    Way,
    WayTested,
    table_of_places,
)
from explorer.questions.cause.attribution_benchmark.recorded import every_model
from explorer.questions.cause.method import Baseline, Method
from explorer.text import N_, _, ngettext
from explorer.text.numbers import decimal, percent
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.tables.rows import Axis as BarAxis
from explorer.ui.blocks.tables.rows import Bar, Column, Row
from explorer.ui.blocks.text import heading, note
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis, Chart, Line, Points, Reference
from explorer.ui.document.gestures import Edit
from explorer.ui.matrices.block import CellSize, Matrix, MatrixBlock
from explorer.ui.matrices.heat_layout import HeatContent, Mark
from explorer.ui.matrices.scale import Scale

SIZE = CellSize(narrowest=30, widest=78, share=0.32, lowest=20, highest=24)
MISTAKES = 8
"""Places that are listed; the table for export has all."""
ROW = 19.0
"""Pixels of a row of the chart."""

SHORT = {
    Way(Method.OCCLUSION, Baseline.MASK): N_("occl."),
    Way(Method.DELETION): N_("delet."),
    Way(Method.SHAPLEY, Baseline.MASK): N_("Shapley"),
    Way(Method.SEQUENTIAL_INTEGRATED_GRADIENTS, Baseline.MASK): N_("SIG"),
    Way(Method.INTEGRATED_GRADIENTS, Baseline.MASK): N_("IG mask"),
    Way(Method.INTEGRATED_GRADIENTS, Baseline.PAD): N_("IG pad"),
    Way(Method.GRADIENT_X_INPUT): N_("grad. x"),
    Way(Method.GRADIENT): N_("grad."),
    Way(Method.LAST_ATTENTION): N_("att. last"),
    Way(Method.ATTENTION): N_("att."),
    Way(Method.ROLLOUT): N_("rollout"),
}
"""Above the narrow columns of all models."""

ABOUT = N_(
    "The miniatures' world comes from a grammar, so what a word is truly worth is known: how much "
    "less probable the hidden word is, exactly, where that word is not seen either. Each place "
    "stands in a text of its own that was kept from training, drawn by chance among those where "
    "one word at least is worth more than 0.1 nats. A method is right where it gives the highest "
    "score to the word that is worth most."
)
LIMITS = N_(
    "An attribution explains the model, and the truth is of the world: a model that goes by "
    "another word than it should makes even a perfect method wrong here. Sequential integrated "
    "gradients summed over a word's numbers are what occlusion takes away, up to the steps."
)


def title_of(way: Way) -> str:
    """A method with what stands in the place of words, where that makes a difference."""
    title = _(way.method.about.title)
    if way.method is not Method.INTEGRATED_GRADIENTS:
        return title
    names = {Baseline.MASK: "[MASK]", Baseline.PAD: "[PAD]"}
    return f"{title}, {names[way.baseline or Baseline.MASK]}"


def blocks(shown: Shown) -> Iterator[Block]:
    """Numbers, the chart beside the table, all models, and mistakes."""
    result: AttributionBenchmarkResult = shown.result
    best = result.ranked[0]
    yield Numbers(
        [
            Number(percent(best.share, 1), title_of(best.way), _("Right most often.")),
            Number(percent(result.chance, 1), _("by chance"), _("A word drawn at random.")),
            Number(
                str(len(result.places)), _("places"), _("Each in a text that was never trained on.")
            ),
            Number(
                decimal(result.probability, 3),
                _("the model's probability"),
                _("Of the hidden words: the geometric mean."),
            ),
        ]
    )
    if result.left_out:
        yield note(
            ngettext(
                "{count} place is left out: its word is no single piece of this model's "
                "vocabulary.",
                "{count} places are left out: their words are no single pieces of this model's "
                "vocabulary.",
                result.left_out,
            )
        )
    yield Columns(
        [
            Card([ChartBlock((chart(result),))], _("How often each method is right")),
            Card([_methods(shown)], _("Method by method")),
        ],
        440,
        framed=False,
        shares=(1.0, 1.0),
    )
    yield from _models(result)
    yield from _mistakes(shown)
    yield note(_(ABOUT), above=14)
    yield note(_(LIMITS))


def chart(result: AttributionBenchmarkResult) -> Chart:
    """A row a method: its share with Wilson's interval, and a line where chance is."""
    rows = list(reversed(result.ranked))
    places = np.arange(len(rows), dtype=np.float64)
    series: list[Line | Points] = [
        Line("", np.array([one.low, one.high]), np.array([at, at]), "bar", marked=False)
        for at, one in zip(places, rows, strict=True)
    ]
    words = tuple(way_said(one) for one in rows)
    shares = np.array([one.share for one in rows])
    series.append(Points(shares, places, ("",) * len(rows), words, ("bar",) * len(rows)))
    top = len(rows) - 0.4
    return Chart(
        _("How often each method is right"),
        _("Share of the places, with the 95 % interval (Wilson). The line: by chance."),
        tuple(series),
        Axis(_("share of the places"), 0.0, 1.0, grid=True, written=percent),
        Axis("", -0.6, top, ticks=tuple(places), words=tuple(title_of(one.way) for one in rows)),
        references=(Reference((result.chance, -0.6), (result.chance, top), "warning", "dash"),),
        height=ROW * len(rows) + 14,
        spoken=". ".join(words),
        readout=lambda _share: "",
    )


def way_said(one: WayTested) -> str:
    """A method's share with its interval."""
    return _(
        "{method}: {share} ({low} to {high})",
        method=title_of(one.way),
        share=percent(one.share, 1),
        low=percent(one.low, 1),
        high=percent(one.high, 1),
    )


def _methods(shown: Shown) -> BarTable:
    """The numbers of each method; choosing one lists its mistakes."""
    result: AttributionBenchmarkResult = shown.result
    rows = []
    for one in result.ranked:
        name = one.way.name
        is_shown = SHOWN.of(shown.now) == name
        rows.append(
            Row(
                title_of(one.way),
                (
                    percent(one.share, 1),
                    _("{low} to {high}", low=decimal(100 * one.low, 1), high=percent(one.high, 1)),
                    percent(one.captured, 1),
                ),
                (Bar(one.share),),
                mark=result.chance,
                strong=is_shown,
                ground="selection" if is_shown else "",
                words="\n".join(
                    (
                        way_said(one),
                        _(one.method.about.does),
                        one.method.about.citation,
                        _("Click to list where it is wrong."),
                    )
                ),
                key=("way", name),
                act=shown.setting(SHOWN, name, _("choose a method's mistakes")),
            )
        )
    return BarTable(
        rows,
        (
            Column(_("right")),
            Column(_("interval"), "muted", dispensable=True),
            Column(
                _("worth found"),
                words=_("What the picked words are worth, of what the best ones are; the mean."),
            ),
        ),
        BarAxis(titled=False),
        _("Method by method"),
        bold=False,
        track=True,
        label=Column(_("method")),
    )


def _models(result: AttributionBenchmarkResult) -> Iterator[Block]:
    """What it came to in every bundled model that fills masks."""
    models = every_model()
    if not models:
        return
    yield heading(_("Every bundled model"))
    names = [one.way.name for one in result.ways]
    values = np.array([[one.share(name) for name in names] for one in models], dtype=np.float32)
    titles = [title_of(one.way) for one in result.ways]

    def said(row: int, column: int) -> str:
        one = models[row]
        lines = (
            f"{one.model}: {titles[column]}",
            _(
                "Right at {right} of {places} places: {share}; chance {chance}",
                right=one.right[names[column]],
                places=one.places,
                share=percent(one.share(names[column]), 1),
                chance=percent(one.chance, 1),
            ),
            _("Worth found: {share}", share=percent(one.captured[names[column]], 1)),
        )
        return "\n".join(lines)

    best = values.argmax(axis=1)
    content = HeatContent(
        values,
        tuple(one.model.replace("-miniature", "") for one in models),
        tuple(_(SHORT[one.way]) for one in result.ways),
        Scale(1.0),
        texts=lambda row, column: percent(float(values[row, column])),
        said=said,
        marks=tuple(Mark(row, int(column), "chosen") for row, column in enumerate(best)),
        seams=True,
        with_bar=False,
    )
    yield MatrixBlock(Matrix(content, _("Share of the places at which a method is right")), SIZE)


def _mistakes(shown: Shown) -> Iterator[Block]:
    """Places at which one method picks another word; a click brings one into the sentence."""
    result: AttributionBenchmarkResult = shown.result
    chosen = SHOWN.of(shown.now)
    one = next((way for way in result.ways if way.way.name == chosen), result.ways[0])
    wrong = [
        (place, pick)
        for place, pick in zip(result.places, one.picks, strict=True)
        if pick not in place.right
    ]
    wrong.sort(key=lambda pair: -max(pair[0].losses))
    yield heading(_("Where it is wrong: {method}", method=title_of(one.way)))
    if not wrong:
        yield note(_("Nowhere."))
        return
    rows = [_mistake(shown, place, pick) for place, pick in wrong[:MISTAKES]]
    columns = (
        Column(_("matters most"), left=True),
        Column(_("worth"), words=_("In nats of the hidden word's exact log-probability.")),
        Column(_("picked"), left=True),
        Column(_("worth"), key=("worth", "picked")),
    )
    yield BarTable(
        rows,
        columns,
        title=_("Where it is wrong: {method}", method=title_of(one.way)),
        bold=False,
        ruled=True,
        label=Column(_("place, with the hidden word in brackets")),
    )
    if len(wrong) > MISTAKES:
        yield note(
            _(
                "The {listed} where most is at stake, of {count}; the table of places has all.",
                listed=MISTAKES,
                count=len(wrong),
            )
        )


def _mistake(shown: Shown, place: KnownPlace, pick: int) -> Row:
    start, end = place.words[place.asked]
    text = f"{place.text[:start]}[{place.text[start:end]}]{place.text[end:]}"
    return Row(
        text,
        (
            " / ".join(place.word(n) for n in place.right),
            decimal(max(place.losses), 2),
            place.word(pick),
            decimal(place.losses[pick], 2),
        ),
        words="\n".join((text, _("Click to bring it into the sentence, with the word masked."))),
        key=("place", place.text),
        act=take_place(shown.now, place.text, Mask(start, end)),
    )


def take_place(seen: Document, text: str, mask: Mask) -> Edit:
    """Bring a place into the sentence, with its word masked."""
    return Edit(
        _("take a place of the benchmark"),
        seen,
        lambda now, _where: replace(now, text=text, pair=None, masks=(mask,)),
    )


def waits(_document: Document, _card: ModelCard, _shown: Shown | None) -> bool:
    """Eleven methods at two hundred places."""
    return True


def places_table(shown: Shown) -> Table:
    """Every place, with what each method picks."""
    return table_of_places(shown.result)


PAGE = Page(
    OPERATION,
    blocks,
    waits=waits,
    waiting_hint=N_(
        "Eleven methods explain the model's predictions at two hundred places of the small world: "
        "a minute or two with a small model. Press Run to see which of them find the word that "
        "truly matters."
    ),
    table_name=N_("Methods"),
    other_tables={N_("Places"): places_table},
    tells_text=False,
)
