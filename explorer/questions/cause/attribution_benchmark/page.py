"""The picture of how often each method is right, and the rows of the places."""

from collections.abc import Iterator

from explorer.api.question import Table
from explorer.questions.cause.attribution_benchmark.methods import chart
from explorer.questions.cause.attribution_benchmark.pairs import table_of_pairs
from explorer.questions.cause.attribution_benchmark.parts import INTERVALS
from explorer.questions.cause.attribution_benchmark.question import QUESTION, table_of_places
from explorer.text import N_
from explorer.ui.blocks import ChartBlock, Shown, page_of_parts


def intervals(shown: Shown) -> Iterator[ChartBlock]:
    """A row a method: its share, and how sure that is."""
    yield ChartBlock((chart(shown.result),))


def places_table(shown: Shown) -> Table:
    """Every place, with what each method picks."""
    return table_of_places(shown.result)


def pairs_table(shown: Shown) -> Table:
    """Every method against every other one."""
    return table_of_pairs(shown.result)


PAGE = page_of_parts(
    QUESTION,
    {INTERVALS: intervals},
    table_name=N_("Methods"),
    other_tables={N_("Places"): places_table, N_("Pairs of methods"): pairs_table},
)
