"""How often each method finds the word that matters, in every model, and where it does not."""

from collections.abc import Iterator

from explorer.api import ModelCard, Table
from explorer.document import Document
from explorer.questions.cause.attribution_benchmark.methods import chart, methods_table
from explorer.questions.cause.attribution_benchmark.mistakes import mistakes
from explorer.questions.cause.attribution_benchmark.models import every_model_matrix
from explorer.questions.cause.attribution_benchmark.question import (
    OPERATION,
    AttributionBenchmarkResult,
    table_of_places,
)
from explorer.questions.cause.attribution_benchmark.wording import (
    ABOUT,
    LIMITS,
    title_of,
)
from explorer.text import N_, _, ngettext
from explorer.text.formatting.numbers import decimal, percent
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.numbers import Number, Numbers
from explorer.ui.blocks.text import note
from explorer.ui.charts.block import ChartBlock


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
            Card([methods_table(shown)], _("Method by method")),
        ],
        CardWidth.WIDE,
        framed=False,
        # The table's numbers leave names of methods no room where it is no wider.
        shares=(5.0, 7.0),
    )
    yield from every_model_matrix(result)
    yield from mistakes(shown)
    yield note(_(ABOUT), above=Space.APART)
    yield note(_(LIMITS))


def waits(_document: Document, _card: ModelCard, _shown: Shown | None) -> bool:
    """Eleven methods at two hundred places."""
    return True


def places_table(shown: Shown) -> Table:
    """Every place, with what each method picks."""
    return table_of_places(shown.result)


PAGE = Page(
    OPERATION,
    blocks,
    draws_pinned=True,
    waits=waits,
    waiting_hint=N_(
        "Eleven methods explain the model's predictions at two hundred places of the small world: "
        "a minute or two with a small model. Press Run to see which of them find the word that "
        "truly matters."
    ),
    table_name=N_("Methods"),
    other_tables={N_("Places"): places_table},
)
