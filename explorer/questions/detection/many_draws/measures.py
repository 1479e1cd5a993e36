"""Where a discriminator errs over many draws, on cards: by place, and the worst errors."""

from collections.abc import Iterator, Sequence

from explorer.numerics.evaluation.outcomes import Counts
from explorer.questions.detection.many_draws.question import Example, Place
from explorer.questions.detection.many_draws.sentence_line import SentenceLine
from explorer.questions.detection.replaced_tokens.picture.rows import shown_piece
from explorer.text import _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import heading, note

PLACES = 24
ERRORS = 8


def places_card(found: Sequence[tuple[Place, Counts]]) -> Card:
    """Where it errs: a row for every token of the sentence, or for the pieces with most errors."""
    rows = [(place.position, shown_piece(place.piece), counts) for place, counts in found]
    of_a_file = any(position is None for position, _word, _counts in rows)
    if of_a_file:
        rows.sort(key=lambda row: -(row[2].misses + row[2].false_alarms))
    more = len(rows) - PLACES
    title = _("Pieces with the most errors") if of_a_file else _("By place in the sentence")
    blocks: list[Block] = [
        heading(title),
        BarTable(
            [_place(*row) for row in rows[:PLACES]],
            (
                Column(_("hits"), words=_("Of the replaced tokens, those that are called so.")),
                Column(_("false alarms"), words=_("Originals that are called replaced.")),
            ),
            Axis(1.0, titled=False),
            title=title,
            bold=False,
            track=True,
        ),
    ]
    if more > 0:
        blocks.append(note(_("and {count} more", count=more)))
    return Card(blocks, title)


def _place(position: int | None, word: str, counts: Counts) -> Row:
    hits = _("{hits} of {replaced}", hits=counts.hits, replaced=counts.replaced)
    words = _(
        "{word}: {hits} of {replaced} found, false alarms {alarms}",
        word=word,
        hits=counts.hits,
        replaced=counts.replaced,
        alarms=counts.false_alarms,
    )
    return Row(
        word,
        (hits if counts.replaced else "–", f"{counts.false_alarms:,}"),
        (None if counts.recall is None else Bar(counts.recall, "positive"),),
        words=words,
        inks=("muted", "danger" if counts.false_alarms else "muted"),
        anchor=position,
    )


def errors_card(title: str, examples: Sequence[Example], nothing: str) -> Card:
    """The worst errors of a kind, each in its sentence."""
    return Card((heading(title), *_errors(examples, nothing)), title)


def _errors(examples: Sequence[Example], nothing: str) -> Iterator[Block]:
    if not examples:
        yield note(nothing)
    for example in examples[:ERRORS]:
        yield SentenceLine(
            tuple(shown_piece(piece) for piece in example.corrupted),
            example.index,
            shown_piece(example.original) if example.replaced else "",
            example.probability,
        )
