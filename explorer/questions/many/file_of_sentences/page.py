"""One question about every sentence of a file: what all say together, and a row for each."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from explorer.api import Entry, Failure, ModelCard, Table
from explorer.api.question.operation import READS_ENTITIES
from explorer.document import Document
from explorer.files_of_sentences.rows import Spread
from explorer.questions.many.file_of_sentences.options import COLUMN, ENTITIES, QUESTION
from explorer.questions.many.file_of_sentences.question import (
    OPERATION,
    FileOfSentencesResult,
    asked_of,
    offered_by,
    operation_asked,
    results_of,
)
from explorer.questions.many.file_of_sentences.table.block import GridBlock, RowsBlock
from explorer.questions.many.file_of_sentences.table.ordering import Found, Order
from explorer.questions.many.file_of_sentences.table.panel import Rows
from explorer.questions.many.file_of_sentences.titles import column_said
from explorer.questions.many.file_of_sentences.wording import (
    about_file,
    means_said,
    not_counted_said,
    written,
)
from explorer.text import N_, _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.page import Offer, Page, Run
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import Text, note, warning
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.page import blocks_of_all


def offers_of(
    document: Document, cards: Mapping[str, ModelCard], active: str
) -> Mapping[str, Offer]:
    """The questions that the loaded models answer."""
    known = ((name, operation_asked(name)) for name in offered_by(cards, active, Document()))
    entries = tuple(
        Entry(name, _(one.title), _(one.question)) for name, one in known if one is not None
    )
    return {QUESTION.key: Offer(entries, asked_of(cards, active, document))}


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The columns of the file, where it has more than one."""
    columns = () if shown is None else shown.result.file_columns
    entries = tuple(Entry(name, name) for name in columns)
    value = None if shown is None else shown.result.column
    return {COLUMN.key: Offer(entries, value, there=len(columns) > 1)}


def blocks(shown: Shown) -> Iterator[Block]:
    """How far it is, what the answers say together, and a row for each."""
    result: FileOfSentencesResult = shown.result
    found = _found(shown)
    if isinstance(shown.looked_at, Failure):
        yield warning(f"{shown.looked_at.said} {shown.looked_at.advice}".strip())
    done = result.done if found is None else found.done
    yield Text(about_file(result, done, running=shown.is_begun))
    if done < result.count and not shown.is_begun:
        yield Chips([Chip(_("Go on") if done else _("Run"), Run(), key="run")])
    operation = operation_asked(result.operation)
    pool = operation and operation.pool
    kept = pool.columns if pool else ()
    yield from _entities(shown)
    yield from _pooled(shown, found)
    # What rows keep for the pool is told by the pool.
    spreads = () if found is None else tuple(s for s in found.spreads if s.column not in kept)
    if found is not None and shown.alone:
        yield _means(spreads, result.operation)
    elif spreads:
        said = means_said(spreads, result.operation)
        yield note("   ·   ".join(said), words="\n".join(said))
    if found is not None and found.not_counted:
        yield warning(not_counted_said(found.not_counted))
    rows = Rows(
        Path(result.results),
        result.operation,
        result.count,
        result.done,
        bool(result.pair_column),
        shown.is_begun and result.done < result.count,
        shown.asked,
        id(result),
    )
    yield RowsBlock(rows, found, kept)


def _found(shown: Shown) -> Found | None:
    """What the table found in the results that are shown."""
    found = shown.looked_at
    same = isinstance(found, Found) and found.path == Path(shown.result.results)
    return found if same else None


def _entities(shown: Shown) -> Iterator[Block]:
    """What reads every sentence with its entities, or without; a reader of them alone has it."""
    stamps = (shown.result.model, shown.result.other)
    cards = [card for card in shown.cards.values() if card.stamp in stamps]
    if not any(READS_ENTITIES in card.operations for card in cards):
        return
    finds = ENTITIES.of(shown.now)
    gesture = shown.setting(ENTITIES, not finds, _("find entities in every sentence"))
    tip = _(ENTITIES.tip)
    yield Chips([Chip(_(ENTITIES.label), gesture, chosen=finds, tip=tip, key="entities")])


def _pooled(shown: Shown, found: Found | None) -> Iterator[Block]:
    """What all answers say together."""
    from explorer.ui.views import page_of_question

    operation = operation_asked(shown.result.operation)
    if found is None or found.pooled is None or operation is None or operation.pool is None:
        return
    parts = operation.pool.parts_of(found.pooled, operation.settings_of(shown.now))
    yield from blocks_of_all(parts, Looking(operation, shown))
    page = page_of_question(shown.result.operation)
    if page is not None and page.pooled:
        yield from page.pooled(found.pooled, shown)


def _means(spreads: tuple[Spread, ...], question: str) -> Block:
    rows = [
        (
            column_said(s.column, question),
            written(s.count),
            written(s.mean),
            written(s.minimum),
            written(s.maximum),
        )
        for s in spreads
    ]
    heads = (_("column"), _("rows"), _("mean"), _("least"), _("greatest"))
    return GridBlock(heads, rows, (0,))


def table(shown: Shown) -> Table:
    """Every row, in the order that is shown."""
    reader, found = results_of(shown.result), _found(shown)
    order = Order() if found is None else found.order
    return Table(reader.columns, tuple(reader.rows(order.positions(reader))))


PAGE = Page(
    OPERATION,
    blocks,
    looks_first=True,
    is_live=True,
    looks=True,
    offers=offers,
    offers_of=offers_of,
    table=table,
    waiting_hint=N_("Load a model that answers a question about a sentence."),
)
