"""A vocabulary: the table of its pieces, their lengths and ranks are painted; all else is parts."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from explorer.api.question import ModelCard, Table
from explorer.document import Document
from explorer.questions.tokenizers.vocabulary.charts import lengths_chart, ranks_chart
from explorer.questions.tokenizers.vocabulary.columns import rows_of
from explorer.questions.tokenizers.vocabulary.options import PAGE_SHOWN, WHICH, Which
from explorer.questions.tokenizers.vocabulary.panel import PiecesPanel, PieceTable
from explorer.questions.tokenizers.vocabulary.question import (
    QUESTION,
    VocabularyResult,
    VocabularyRow,
    groups_table,
    near_table,
    ranks_table,
    table,
)
from explorer.questions.tokenizers.vocabulary.rows import VocabularyRows, WantedPieces
from explorer.text import N_, _
from explorer.ui.blocks import (
    Block,
    ChartBlock,
    LongRowsBlock,
    Offer,
    Shown,
    first_rows,
    note,
    page_of_parts,
)

GONE = N_("These are the first pieces; the whole table was cleared away. Ask again for all of it.")


def pieces(shown: Shown) -> Iterator[Block]:
    """All that were found; of an answer whose file is gone, the first."""
    result: VocabularyResult = shown.result
    in_bytes, compared = len(result.sizes) > 0, result.overlap is not None
    first = result.first
    rows = rows_of(len(first), lambda a, b: first[a:b], in_bytes=in_bytes, compared=compared)
    if not VocabularyRows(Path(result.rows)).is_there:
        if result.found > len(first):
            yield note(_(GONE))
        yield first_rows(rows, len(first), title=_("Pieces"))
        return
    if shown.alone:
        yield first_rows(rows, title=_("Pieces"))
        return
    chosen = None if result.piece is None else result.piece.id
    content = PieceTable(
        Path(result.rows), wanted_of(result), in_bytes, compared, chosen, shown.now
    )
    yield LongRowsBlock(PiecesPanel, content, _("Pieces"))


def wanted_of(result: VocabularyResult) -> WantedPieces:
    """What was looked for."""
    return WantedPieces(result.search, result.by, result.which, result.sort)


def lengths(shown: Shown) -> Iterator[Block]:
    """How many pieces are how long, in characters and in bytes."""
    result: VocabularyResult = shown.result
    before: VocabularyResult | None = shown.before
    old = None if before is None else before.lengths
    charts = [lengths_chart(result.lengths, old, _("Length in characters"), _("characters"))]
    if len(result.sizes):
        old = None if before is None or not len(before.sizes) else before.sizes
        charts.append(lengths_chart(result.sizes, old, _("Length in bytes"), _("bytes")))
    yield ChartBlock(tuple(charts))


def ranks(shown: Shown) -> Iterator[Block]:
    """How often the piece of each rank is used."""
    before: VocabularyResult | None = shown.before
    counted = None if before is None else before.counted
    yield ChartBlock((ranks_chart(shown.result.counted, counted),))


def rows(shown: Shown) -> Table:
    """Every piece that was found."""
    result: VocabularyResult = shown.result
    kept = VocabularyRows(Path(result.rows))
    if not kept.is_there or result.no_search:
        return table(result)
    ids = kept.ids(wanted_of(result))
    return Table.of(VocabularyRow, kept.rows(ids))


def offers(_now: Document, shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """What needs a second vocabulary only where there is one."""
    if shown is None or shown.result.overlap is not None:
        return {}
    need = (Which.SHARED.value, Which.ONLY_HERE.value)
    entries = [one for one in WHICH.translated().entries if one.value not in need]
    return {WHICH.key: Offer(tuple(entries))}


PAGE = page_of_parts(
    QUESTION,
    {"pieces": pieces, "lengths": lengths, "ranks": ranks},
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
