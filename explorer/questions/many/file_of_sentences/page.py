"""One question about every sentence of a file: what all say together, and a row for each."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from explorer.api.question import (
    READS_ENTITIES,
    Choices,
    Entry,
    ExplorerError,
    Failure,
    Manner,
    ModelCard,
    OneChoice,
    Rows,
    Runs,
    Said,
    Table,
    sets,
)
from explorer.document import Document
from explorer.files_of_sentences.compared import ComparedReader, column_of, parted
from explorer.files_of_sentences.formats.layout import NO_COLUMN
from explorer.files_of_sentences.rows import ColumnSpread
from explorer.questions.many.file_of_sentences.casting import asked_of, offered_by
from explorer.questions.many.file_of_sentences.columns import tables_of
from explorer.questions.many.file_of_sentences.further import further_models
from explorer.questions.many.file_of_sentences.groups import MOST, group_lines
from explorer.questions.many.file_of_sentences.options import (
    ASKED_QUESTION,
    COLUMN,
    COMPARE,
    ENTITIES,
    GROUP,
    PAIR_COLUMN,
)
from explorer.questions.many.file_of_sentences.ordering import (
    FileSnapshot,
    Order,
    found_in,
    pooled_of,
)
from explorer.questions.many.file_of_sentences.panel import FileRows, RowsPanel
from explorer.questions.many.file_of_sentences.question import (
    QUESTION,
    FileOfSentencesResult,
    kept_columns,
    question_asked,
    results_of,
)
from explorer.questions.many.file_of_sentences.titles import column_said
from explorer.questions.many.file_of_sentences.wording import (
    about_file,
    means_of_each_said,
    means_said,
    not_counted_said,
)
from explorer.text import N_, _, verbatim
from explorer.ui.blocks import (
    Block,
    LongRowsBlock,
    Looking,
    Offer,
    Page,
    Shown,
    Space,
    blocks_of_all,
    first_rows,
    heading,
)


def offers_of(
    document: Document, cards: Mapping[str, ModelCard], active: str
) -> Mapping[str, Offer]:
    """The questions that the loaded models answer."""
    known = ((name, question_asked(name)) for name in offered_by(cards, active, Document()))
    entries = tuple(
        Entry(name, _(one.title), _(one.asks)) for name, one in known if one is not None
    )
    return {ASKED_QUESTION.key: Offer(entries, asked_of(cards, active, document))}


def offers(now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """The columns of the file, where it has more than one."""
    columns = () if shown is None else shown.result.file_columns
    entries = tuple(Entry(name, name) for name in columns)
    text = None if shown is None else shown.result.column
    pair = None if shown is None else shown.result.pair_column or NO_COLUMN
    none = Entry(NO_COLUMN, _("none"))
    there = len(columns) > 1
    return {
        COLUMN.key: Offer(entries, text, there=there),
        PAIR_COLUMN.key: Offer((none, *entries), pair, there=there),
        GROUP.key: Offer((Entry("", _("none")), *entries), GROUP.of(now), there=there),
    }


def blocks(shown: Shown) -> Iterator[Block]:
    """How far it is, what the answers say together, and a row for each."""
    result: FileOfSentencesResult = shown.result
    found = _found(shown)
    looking = Looking(QUESTION, shown)
    yield from blocks_of_all(tuple(_how_far(shown, found)), looking)
    yield from further_models(shown)
    yield from _pooled(shown, found)
    yield from blocks_of_all(tuple(_in_few_numbers(shown, found)), looking)
    yield from _grouped(shown, found)
    pairs = bool(result.pair_column)
    if shown.alone:
        hidden = kept_columns(result)
        tables = tables_of(found, result.operation, has_pairs=pairs, hidden=hidden)
        for title, rows in tables:
            if title:
                yield heading(title, Space.APART)
            yield first_rows(rows)
        return
    content = FileRows(
        results_of(result),
        result.operation,
        result.count,
        result.done,
        pairs,
        shown.is_begun and result.done < result.count,
        _order(shown),
        shown.now,
        shown.asked,
        id(result),
    )
    yield LongRowsBlock(RowsPanel, content, above=Space.APART)


def _order(shown: Shown) -> Order:
    """Which rows the document of now shows."""
    question = question_asked(shown.result.operation)
    worst = "" if question is None else question.sort_by
    if worst and shown.result.beside:
        worst = column_of(worst, results_of(shown.result).each[0][0])
    return Order.of(shown.now, worst)


def _how_far(shown: Shown, found: FileSnapshot | None) -> Iterator[Said | Choices]:
    """What is asked, how far it is, and how it goes on."""
    result: FileOfSentencesResult = shown.result
    if isinstance(shown.looked_at, Failure):
        said = f"{shown.looked_at.said} {shown.looked_at.advice}".strip()
        yield Said(verbatim(said), Manner.WARNING, near=True)
    done = result.done if found is None else found.done
    # On paper nothing can be run.
    said = about_file(result, done, running=shown.is_begun or (shown.alone and not done))
    yield Said(verbatim(said), Manner.PLAIN, near=True)
    if (done < result.count or result.waiting) and not shown.is_begun:
        yield Choices((OneChoice(N_("Go on") if done else N_("Run"), Runs(), key="run"),))
    question = question_asked(result.operation)
    if question is not None and question.one_answers and len(shown.cards) > 1:
        both = COMPARE.of(shown.now)
        gesture = sets(COMPARE, not both, N_("ask both models"))
        one = OneChoice(COMPARE.label, gesture, chosen=both, tip=COMPARE.tip, key="compare")
        yield Choices((one,))
    stamps = (result.model, result.other)
    cards = [card for card in shown.cards.values() if card.stamp in stamps]
    if any(READS_ENTITIES in card.operations for card in cards):
        # What reads every sentence with its entities, or without; a reader of them alone has it.
        finds = ENTITIES.of(shown.now)
        gesture = sets(ENTITIES, not finds, N_("find entities in every sentence"))
        one = OneChoice(ENTITIES.label, gesture, chosen=finds, tip=ENTITIES.tip, key="entities")
        yield Choices((one,))


def _in_few_numbers(shown: Shown, found: FileSnapshot | None) -> Iterator[Said | Rows]:
    """The columns of numbers; what rows keep for the pool is told by the pool."""
    if found is None:
        return
    name = shown.result.operation
    kept = kept_columns(shown.result)
    spreads = tuple(one for one in found.spreads if parted(one.column)[0] not in kept)
    if shown.alone:
        named = tuple(replace(one, column=column_said(one.column, name)) for one in spreads)
        yield Rows(ColumnSpread, named)
    elif said := _means(shown.result, spreads):
        yield Said(verbatim("   ·   ".join(said)), words=verbatim("\n".join(said)), near=True)
    if found.not_counted:
        yield Said(verbatim(not_counted_said(found.not_counted)), Manner.WARNING, near=True)


def _grouped(shown: Shown, found: FileSnapshot | None) -> Iterator[Block]:
    """A line for each that the chosen column holds."""
    if found is None or not found.groups:
        return
    result: FileOfSentencesResult = shown.result
    rows = group_lines(found, result.operation, kept_columns(result))
    by = column_said(found.order.by, result.operation)
    yield heading(_("By {column}", column=by), Space.APART)
    yield first_rows(rows, MOST)


def _means(result: FileOfSentencesResult, spreads: Sequence[ColumnSpread]) -> tuple[str, ...]:
    """In words, of one model or of several."""
    reader = results_of(result)
    if isinstance(reader, ComparedReader):
        return means_of_each_said(spreads, reader.names, result.operation)
    return means_said(spreads, result.operation)


def _found(shown: Shown) -> FileSnapshot | None:
    """What the table found in the results that are shown; a picture without one looks itself."""
    found, reader = shown.looked_at, results_of(shown.result)
    if isinstance(found, FileSnapshot) and found.reader == reader:
        return found
    if not shown.alone:
        return None
    question = question_asked(shown.result.operation)
    pool = None if question is None else question.pool
    with contextlib.suppress(ExplorerError):  # the file is gone, or its rows are
        pooled = () if pool is None else pooled_of(reader, pool)
        looked = found_in(reader, _order(shown), reader.spreads(), pooled)
        return looked if looked.done >= shown.result.done else None
    return None


def _pooled(shown: Shown, found: FileSnapshot | None) -> Iterator[Block]:
    """What all answers say together."""
    question = question_asked(shown.result.operation)
    if found is None or question is None or question.pool is None:
        return
    for (name, _reader), pooled in zip(found.reader.each, found.pooled, strict=False):
        if pooled is not None:
            looking = Looking(question, shown)
            if name:
                yield from blocks_of_all((Said(verbatim(name), Manner.TITLE),), looking)
            parts = question.pool.parts_of(pooled, question.settings_of(shown.now))
            yield from blocks_of_all(parts, looking)


def table(shown: Shown) -> Table:
    """Every row, in the order that is shown."""
    reader = results_of(shown.result)
    columns = reader.columns
    order = _order(shown).among(columns)
    return Table(columns, tuple(reader.rows(order.positions(reader))))


PAGE = Page(
    QUESTION,
    blocks,
    looks_first=True,
    is_live=True,
    looks=True,
    knows_library=True,
    offers=offers,
    offers_of=offers_of,
    table=table,
)
