"""A vocabulary: its pieces to search, what it is made of, and what a text uses of it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from explorer.api import ModelCard, Table
from explorer.document import Document
from explorer.questions.tokenizers.vocabulary.cards import (
    groups_card,
    near_blocks,
    overlap_blocks,
    scripts_card,
    top_table,
    use_numbers,
)
from explorer.questions.tokenizers.vocabulary.charts import lengths_chart, ranks_chart
from explorer.questions.tokenizers.vocabulary.options import (
    FILE,
    OVERVIEW,
    PAGE_SHOWN,
    PIECES,
    USE,
    WHICH,
    Which,
)
from explorer.questions.tokenizers.vocabulary.question import (
    OPERATION,
    PieceRow,
    VocabularyResult,
    groups_table,
    near_table,
    ranks_table,
    table,
)
from explorer.questions.tokenizers.vocabulary.rows import VocabularyRows, Wanted
from explorer.questions.tokenizers.vocabulary.table.block import PiecesBlock, first_rows
from explorer.questions.tokenizers.vocabulary.table.panel import PieceTable
from explorer.questions.tokenizers.vocabulary.wording import (
    found_said,
    headline_said,
    marks_said,
    notes,
    source_said,
)
from explorer.text import N_, _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Offer, Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text, heading, note, section, warning
from explorer.ui.charts.block import ChartBlock
from explorer.ui.document.gestures import set_options

GONE = N_("These are the first pieces; the whole table was cleared away. Ask again for all of it.")
NOTHING_FOUND = N_("No piece is so.")
LENGTHS = N_("Characters that a piece stands for, a space before it not counted.")
SIZES = N_("Bytes that a piece stands for, a space before it included.")
RENYI = N_(
    "Rényi efficiency (order 2.5) is 1 where all pieces that are used are used equally often "
    "(Zouhar et al. 2023)."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """Which vocabulary it is, then the page that is chosen."""
    result: VocabularyResult = shown.result
    yield Text(headline_said(result), "heading")
    yield note(marks_said(result), above=Space.TIGHT)
    for one in notes(result):
        yield note(one)
    page = shown.value(PAGE_SHOWN)
    yield from {PIECES: _pieces, OVERVIEW: _overview, USE: _use}[page](shown)


def _pieces(shown: Shown) -> Iterator[Block]:
    result: VocabularyResult = shown.result
    cards = [Card(list(_found(shown)), _("Pieces"))]
    if result.piece is not None or result.no_neighbours or not shown.alone:
        cards.append(Card(list(near_blocks(shown)), _("Neighbours")))
    yield Columns(cards, side=360, framed=False)


def _found(shown: Shown) -> Iterator[Block]:
    result: VocabularyResult = shown.result
    if result.no_search:
        yield warning(said(result.no_search))
        return
    yield note(found_said(result) if result.found else _(NOTHING_FOUND), above=Space.TIGHT)
    in_bytes, compared = len(result.sizes) > 0, result.overlap is not None
    if not result.found:
        return
    if not VocabularyRows(Path(result.rows)).is_there:
        if result.found > len(result.first):
            yield note(_(GONE))
        yield first_rows(result.first, in_bytes=in_bytes, compared=compared)
        return
    yield PiecesBlock(
        PieceTable(
            Path(result.rows),
            wanted_of(result),
            in_bytes,
            compared,
            None if result.piece is None else result.piece.id,
            shown.now,
        ),
        result.first,
    )


def wanted_of(result: VocabularyResult) -> Wanted:
    """What was looked for."""
    return Wanted(result.search, result.by, result.which, result.sort)


def _overview(shown: Shown) -> Iterator[Block]:
    result: VocabularyResult = shown.result
    before: VocabularyResult | None = shown.before
    charts = [
        lengths_chart(
            result.lengths,
            None if before is None else before.lengths,
            _("Length in characters"),
            _("characters"),
        )
    ]
    if len(result.sizes):
        charts.append(
            lengths_chart(
                result.sizes,
                None if before is None or not len(before.sizes) else before.sizes,
                _("Length in bytes"),
                _("bytes"),
            )
        )
    about = [_(LENGTHS), *([_(SIZES)] if len(result.sizes) else [])]
    cards = [
        groups_card(result, before),
        scripts_card(result, before),
        Card(
            (
                *section(_("Lengths"), " ".join(about)),
                ChartBlock(tuple(charts)),
            ),
            _("Lengths"),
        ),
        Card(list(overlap_blocks(shown)), _("A second vocabulary")),
    ]
    yield Columns(cards, narrowest=CardWidth.WIDE)


def _use(shown: Shown) -> Iterator[Block]:
    result: VocabularyResult = shown.result
    before: VocabularyResult | None = shown.before
    counted = result.counted
    yield Text(source_said(counted))
    if FILE.of(shown.now):
        act = shown.setting(FILE, "", _("count in the small world"))
        yield Chips([Chip(_("Count in the small world instead"), act, key="world")])
    yield use_numbers(result, before)
    yield note(_(RENYI))
    chart = ranks_chart(counted, None if before is None else before.counted)
    left: list[Block] = [heading(_("The most used pieces")), top_table(shown)]
    if counted.never:
        values = {WHICH.key: Which.NEVER.value, PAGE_SHOWN.key: None}
        act = set_options(shown.now, values, _("show pieces never used"))
        left.append(Chips([Chip(_("Show the pieces that are never used"), act, key="never")]))
    yield Columns(
        [Card(left, _("The most used pieces")), Card([ChartBlock((chart,))], _("Ranks"))],
        narrowest=CardWidth.WIDE,
    )


def rows(shown: Shown) -> Table:
    """Every piece that was found."""
    result: VocabularyResult = shown.result
    kept = VocabularyRows(Path(result.rows))
    if not kept.is_there or result.no_search:
        return table(result)
    ids = kept.ids(wanted_of(result))
    return Table.of(PieceRow, kept.rows(ids))


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """What needs a second vocabulary only where there is one."""
    if shown is None or shown.result.overlap is not None:
        return {}
    need = (Which.SHARED.value, Which.ONLY_HERE.value)
    entries = [one for one in WHICH.translated().entries if one.value not in need]
    return {WHICH.key: Offer(tuple(entries))}


PAGE = Page(
    OPERATION,
    blocks,
    draws_pinned=True,
    table=rows,
    table_name=N_("pieces"),
    other_tables={
        N_("groups"): lambda shown: groups_table(shown.result),
        N_("ranks"): lambda shown: ranks_table(shown.result),
        N_("neighbours"): lambda shown: near_table(shown.result),
    },
    offers=offers,
    tab=PAGE_SHOWN,
)
