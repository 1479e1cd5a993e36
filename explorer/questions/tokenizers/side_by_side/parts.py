"""One text through every tokenizer: aligned rows, numbers, what was changed, what is shared."""

from collections.abc import Callable, Iterator
from functools import partial

from explorer.api.question import (
    Cards,
    Colours,
    Grid,
    Manner,
    OneCard,
    OwnPicture,
    Rows,
    Said,
    Table,
    Width,
)
from explorer.api.question.parts.matrices.grid import Side
from explorer.api.question.parts.tokens.cut_text import CutRow, CutText
from explorer.questions.tokenizers.side_by_side.question import SideBySideResult, places_table
from explorer.questions.tokenizers.side_by_side.tables import changes, numbers
from explorer.questions.tokenizers.side_by_side.wording import about, pieces_of, title_of
from explorer.text import N_, Phrase, verbatim
from explorer.text.formatting.numbers import percent

DRAWN = 800
"""Characters of a text that are drawn; the numbers are of all."""
ABOUT = N_(
    "Each row is the same text, split by another tokenizer; joined tokens are parts of one word."
)
NUMBERS = N_(
    "A word is a run of letters and digits, or a sign alone. Rényi efficiency (order 2.5) says how "
    "evenly a text's pieces are used; it means something of long texts only. File of sentences "
    "counts a whole file so."
)
OVERLAP = N_("Of the words that either of two writes as one piece, the share that both do.")
LEGEND = (
    (N_("changed before it was split"), "accent"),
    (N_("bytes that are no whole character"), "pair"),
    (N_("unknown"), "danger"),
    (N_("a token of its own"), "mask"),
)


def parts(result: SideBySideResult) -> Iterator[Said | CutText | OwnPicture | Rows | Cards | Grid]:
    """The rows, the numbers, the changes, and the vocabularies against each other."""
    yield Said(ABOUT, Manner.ABOUT)
    if len(result.text) > DRAWN:
        code = N_("The first {count} characters are drawn; the numbers are of all.")
        yield Said(Phrase(code, count=DRAWN), near=True)
    yield rows(result, filed=partial(places_table, result))
    for one in result.missing:
        said = Phrase(N_("{name}: {why}"), name=verbatim(one.checkpoint), why=one.why)
        yield Said(said, Manner.WARNING)
    yield OwnPicture("more")
    yield from in_numbers(result)
    cards = [OneCard(N_("What each changes, and what it reads back"), (changes(result),))]
    if len(result.cuttings) > 1:
        shared = (Said(OVERLAP, Manner.EXPLANATION, near=True), _overlap(result))
        cards.append(OneCard(N_("Vocabularies in common"), shared))
    yield Cards(tuple(cards), Width.WIDE, framed=False)


def _overlap(result: SideBySideResult) -> Grid:
    """Tokenizers against tokenizers."""
    titles = tuple(map(title_of, result.cuttings))
    names, colours = Side("", tuple(map(verbatim, titles))), Colours(with_bar=False)

    def said(row: int, column: int) -> str:
        return f"{titles[row]} → {titles[column]}: {percent(float(result.overlap[row, column]))}"

    return Grid("overlap", result.overlap, names, names, "", said, percent, colours, in_files=False)


def in_numbers(
    result: SideBySideResult, named: Callable[[str], str] = verbatim
) -> Iterator[Said | Rows]:
    """What is counted of every tokenizer."""
    yield Said(N_("In numbers"), Manner.TITLE)
    yield Said(NUMBERS, Manner.EXPLANATION, near=True)
    yield numbers(result, named)


def rows(
    result: SideBySideResult,
    named: Callable[[str], str] = verbatim,
    filed: Callable[[], Table] | None = None,
) -> CutText:
    """A row a tokenizer, below the characters of the text.

    Args:
        result: The text as every tokenizer cuts it.
        named: What makes a text of a tokenizer's title.
        filed: Makes its rows in files.
    """
    return CutText(
        result.text[:DRAWN],
        tuple(
            CutRow(
                named(title_of(one)),
                tuple(pieces_of(result, one, DRAWN)),
                tuple(place for place in one.removed if place < DRAWN),
                about(one),
                strong=one.checkpoint == result.model.id,
            )
            for one in result.cuttings
        ),
        N_("The text as every tokenizer splits it"),
        LEGEND,
        filed,
    )
