"""The page of a file: every number of every tokenizer, over all sentences together."""

from collections.abc import Iterator

from explorer.questions.tokenizers.side_by_side.pooling import Pooled, Total
from explorer.questions.tokenizers.side_by_side.tables import numbers_of
from explorer.questions.tokenizers.side_by_side.wording import title_of
from explorer.text import N_, _, ngettext
from explorer.text.formatting.numbers import whole
from explorer.text.pieces import visible
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.blocks.text import section

ABOUT = N_(
    "All sentences of the file together. Rényi efficiency (order 2.5) says how evenly the pieces "
    "of the whole file are used."
)


def pooled(found: Pooled, _shown: Shown) -> Iterator[Block]:
    """The numbers, and whose pieces give every sentence again."""
    yield from section(_("Tokenizers over the file"), _(ABOUT))
    yield numbers_of(found.totals, found.characters)
    columns = (
        Column(_("Kinds"), words=_("Pieces of the vocabulary that stand somewhere in the file.")),
        Column(_("Read back"), left=True, wraps=True),
    )
    rows = [
        Row(title_of(one), (whole(one.kinds), _read_back(found, one)), key=("back", one.checkpoint))
        for one in found.totals
    ]
    yield BarTable(rows, columns, title=_("What is read back"), bold=False)


def _read_back(found: Pooled, one: Total) -> str:
    if one.exact == found.sentences:
        return _("every sentence exactly")
    read, typed = one.differs
    return ngettext(
        "{exact} of {count} sentence exactly; the first other one reads “{read}” for “{typed}”",
        "{exact} of {count} sentences exactly; the first other one reads “{read}” for “{typed}”",
        found.sentences,
        exact=one.exact,
        read=visible(read),
        typed=visible(typed),
    )
