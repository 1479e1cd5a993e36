"""One text through every tokenizer: aligned rows, numbers, what was changed, what is shared."""

from collections.abc import Iterator

from explorer.api import Table
from explorer.questions.tokenizers.side_by_side.more import missing, more
from explorer.questions.tokenizers.side_by_side.pooled import pooled
from explorer.questions.tokenizers.side_by_side.question import (
    OPERATION,
    SideBySideResult,
    numbers_table,
)
from explorer.questions.tokenizers.side_by_side.tables import changed, numbers, overlap
from explorer.questions.tokenizers.side_by_side.wording import about, pieces_of, title_of
from explorer.text import N_, _
from explorer.ui.blocks.aligned.block import AlignedRows
from explorer.ui.blocks.aligned.rows import AlignedRow
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.legend import Legend
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.remembered import remembered
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import heading, note, section

DRAWN = 800
"""Characters of a text that are drawn; the numbers are of all."""
ABOUT = N_(
    "Each row is the same text, cut by one tokenizer; pieces that are joined are parts of one word."
)
NUMBERS = N_(
    "A word is a run of letters and digits, or a sign alone. Rényi efficiency (order 2.5) says how "
    "evenly a text's pieces are used; it means something of long texts only. File of sentences "
    "counts a whole file so."
)
OVERLAP = N_("Of the words that either of two writes as one piece, the share that both do.")
LEGEND = (
    (N_("changed before it was cut"), "accent"),
    (N_("bytes that are no whole character"), "pair"),
    (N_("unknown"), "danger"),
    (N_("a token of its own"), "mask"),
)


def blocks(shown: Shown) -> Iterator[Block]:
    """The rows, the numbers, the changes, and the vocabularies against each other."""
    result: SideBySideResult = shown.result
    yield note(_(ABOUT))
    if len(result.text) > DRAWN:
        yield note(
            _("The first {count} characters are drawn; the numbers are of all.", count=DRAWN)
        )
    yield rows(result)
    yield Legend([(_(words), colour) for words, colour in LEGEND], above=Space.APART)
    yield from missing(shown)
    yield from more(shown)
    yield from section(_("In numbers"), _(NUMBERS))
    yield numbers(result)
    last = [Card((heading(_("What each changes, and what it reads back")), changed(result)))]
    if len(result.cuttings) > 1:
        titled = section(_("Vocabularies in common"), _(OVERLAP))
        last.append(Card((*titled, overlap(result))))
    yield Columns(last, narrowest=CardWidth.WIDE, above=Space.SECTION, framed=False)


@remembered()
def rows(result: SideBySideResult) -> AlignedRows:
    """A row a tokenizer, below the characters of the text."""
    return AlignedRows(
        result.text[:DRAWN],
        [
            AlignedRow(
                title_of(one),
                tuple(pieces_of(result, one, DRAWN)),
                tuple(place for place in one.removed if place < DRAWN),
                about(one),
                strong=one.checkpoint == result.model.id,
            )
            for one in result.cuttings
        ],
        _("The text as every tokenizer cuts it"),
    )


def other_rows(shown: Shown) -> Table:
    """One row a tokenizer, for export."""
    return numbers_table(shown.result)


PAGE = Page(
    OPERATION,
    blocks,
    table_name=N_("pieces"),
    other_tables={N_("numbers"): other_rows},
    knows_library=True,
    pooled=pooled,
)
