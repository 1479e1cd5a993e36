"""What a model is made of, painted: board, areas, tree, scores; and sliders that change it."""

from collections.abc import Mapping

from explorer.api.question import ModelCard, Table
from explorer.document import Document
from explorer.questions.architecture.architecture.count.blocks import histograms, tree, treemap
from explorer.questions.architecture.architecture.count.details import statistics_table
from explorer.questions.architecture.architecture.picture import board
from explorer.questions.architecture.architecture.published.parts import published_table
from explorer.questions.architecture.architecture.published.scatter import scatter
from explorer.questions.architecture.architecture.question import (
    CHECKPOINT,
    PAGE_SHOWN,
    PUBLISHED,
    QUESTION,
    WHAT_IF,
    named,
)
from explorer.questions.architecture.architecture.what_if.blocks import changes
from explorer.questions.architecture.architecture.what_if.parts import what_if_table
from explorer.ui.blocks import Offer, Shown, page_of_parts


def offers(now: Document, _shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """What is counted is what the bar names, the example's model too."""
    return {CHECKPOINT.key: Offer(value=named(now))}


def table(shown: Shown) -> Table:
    """The rows of the page that is shown."""
    result, key = shown.result, PAGE_SHOWN.of(shown.now)
    if key == PUBLISHED:
        return published_table(result)
    if key == WHAT_IF:
        return what_if_table(result)
    return statistics_table(result) if result.statistics else QUESTION.table(result)


PAGE = page_of_parts(
    QUESTION,
    {
        "board": board,
        "treemap": treemap,
        "tree": tree,
        "histograms": histograms,
        "scatter": scatter,
        "changes": changes,
    },
    table=table,
    offers=offers,
    tab=PAGE_SHOWN,
)
