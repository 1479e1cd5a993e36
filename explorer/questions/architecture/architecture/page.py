"""What a model is made of: its picture, its count, what was published, and what if."""

from collections.abc import Callable, Iterator, Mapping

from explorer.api import ModelCard, Table
from explorer.document import Document
from explorer.questions.architecture.architecture.counting.blocks import count_blocks
from explorer.questions.architecture.architecture.counting.details import statistics_table
from explorer.questions.architecture.architecture.picture.blocks import picture_blocks
from explorer.questions.architecture.architecture.published.blocks import (
    published_blocks,
    published_table,
)
from explorer.questions.architecture.architecture.question import (
    CHECKPOINT,
    COUNT,
    OPERATION,
    PAGE_SHOWN,
    PICTURE,
    PUBLISHED,
    WHAT_IF,
    ArchitectureResult,
    named,
)
from explorer.questions.architecture.architecture.what_if.blocks import (
    what_if_blocks,
    what_if_table,
)
from explorer.questions.architecture.architecture.words import held_said
from explorer.text import N_, _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text, note

PAGES: Mapping[str, Callable[[Shown], Iterator[Block]]] = {
    PICTURE: picture_blocks,
    COUNT: count_blocks,
    PUBLISHED: published_blocks,
    WHAT_IF: what_if_blocks,
}


def blocks(shown: Shown) -> Iterator[Block]:
    """Which model it is, and the page that is chosen."""
    key = PAGE_SHOWN.of(shown.now)
    if key != WHAT_IF:
        yield from about(shown.result)
    yield from PAGES[key](shown)


def offers(now: Document, _shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """What is counted is what the bar names, the example's model too."""
    return {CHECKPOINT.key: Offer(value=named(now))}


def about(result: ArchitectureResult) -> Iterator[Block]:
    """Which model this is, in two lines."""
    shape = shape_said(result)
    # A published file may hold heads that its config does not name.
    named = (one.replace("_", " ").replace(" lm", " LM") for one in result.blueprint.heads_present)
    heads = ", ".join(named)
    source = _("its weights") if result.loaded else _("its config alone")
    yield Text(result.title, "heading")
    yield note(
        _(
            "{shape} · counted from {source}, heads: {heads}",
            shape=shape,
            source=source,
            heads=heads or _("none"),
        ),
        above=Space.TIGHT,
    )
    if result.held is not None:
        yield note(held_said(result), above=Space.TIGHT)


def shape_said(result: ArchitectureResult) -> str:
    """Its sizes; of layers that are no transformer's, those that they have."""
    sizes = {
        "layers": result.layers,
        "hidden_size": result.hidden_size,
        "unique": result.parameters.unique,
    }
    if result.blueprint.has_other_layers:
        return _("{layers} layers × {hidden_size} wide · {unique} parameters", **sizes)
    return _(
        "{layers} layers × {hidden_size} wide × {heads} heads · vocabulary of {vocabulary} · "
        "{unique} parameters",
        heads=result.heads,
        vocabulary=result.vocabulary,
        **sizes,
    )


def table(shown: Shown) -> Table:
    """The rows of the page that is shown."""
    result, key = shown.result, PAGE_SHOWN.of(shown.now)
    if key == PUBLISHED:
        return published_table(result)
    if key == WHAT_IF:
        return what_if_table(result)
    return statistics_table(result) if result.statistics else OPERATION.table(result)


PAGE = Page(
    OPERATION,
    blocks,
    waiting_hint=N_("Choose a model above: its weights need not be on this computer."),
    table=table,
    offers=offers,
    tab=PAGE_SHOWN,
)
