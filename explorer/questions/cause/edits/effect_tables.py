"""What edits do to the prediction, as bars: word by word, and edit by edit."""

import math
from collections.abc import Iterator, Sequence

from explorer.document import Mask
from explorer.questions.cause.edits.question import (
    DIVERGENCE,
    ONLY,
    EditEffect,
    EditsResult,
)
from explorer.questions.cause.edits.wording import (
    COLUMNS,
    edit_said,
    name_of,
    numbered,
    put_said,
    signed,
)
from explorer.text import _
from explorer.text.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import heading, note
from explorer.ui.document.gestures import put_words

LISTED = 40
"""Edits that have a row; the table for export has all."""


def words_table(shown: Shown, measure: str, only: int | None) -> BarTable:
    """Each word with the edit of it that moves the prediction most."""
    result: EditsResult = shown.result
    best: dict[int, EditEffect] = {}
    for one in result.ranked(measure):
        best.setdefault(one.place, one)
    title, words = COLUMNS[measure]
    rows = []
    for number, word in enumerate(result.words):
        strongest = best.get(number)
        if strongest is None:
            rows.append(Row(numbered(result, number), ("", ""), muted=True, key=("word", number)))
            continue
        moved = strongest.moved(measure)
        now: tuple[int, ...] = () if only == number else (number,)
        rows.append(
            Row(
                numbered(result, number),
                (strongest.put, signed(moved, measure)),
                (Bar(moved, "bar" if moved >= 0 else "bar_original"),),
                strong=only == number,
                ground="selection" if only == number else "",
                words=_("Click to list the edits of “{word}” alone.", word=word.word)
                if only != number
                else _("Click to list all edits again."),
                key=("word", number),
                act=shown.setting(ONLY, now, _("choose a word's edits")),
            )
        )
    return BarTable(
        rows,
        (Column(_("strongest edit"), left=True), Column(_(title), words=_(words))),
        _axis(result.edits, measure),
        _("Word by word"),
        first=1,
        bold=False,
        label=Column(_("word")),
    )


def edits_listed(shown: Shown, measure: str, only: int | None) -> Iterator[Block]:
    """The edits, each of which a click puts into the sentence."""
    result: EditsResult = shown.result
    ranked = [one for one in result.ranked(measure) if only in (None, one.place)]
    if only is None:
        yield heading(_("Edits, strongest first"))
    else:
        yield heading(_("Edits of “{word}”", word=numbered(result, only)))
        every = Chip(
            _("All words"),
            shown.setting(ONLY, (), _("choose a word's edits")),
            tip=_("List the edits of every word."),
            key=("word", None),
        )
        if not shown.alone:
            yield Chips([every])
    title, words = COLUMNS[measure]
    columns = (
        Column(_(title), words=_(words)),
        Column(
            _("probability"),
            words=_("Of “{word}”, after the edit.", word=name_of(result, result.word)),
            dispensable=True,
        ),
        Column(_("now first"), left=True, words=_("The most probable word after the edit.")),
    )
    rows = [_row(shown, one, measure) for one in ranked[:LISTED]]
    yield BarTable(
        rows,
        columns,
        _axis(result.edits, measure),
        _("Edits, strongest first"),
        bold=False,
        label=Column(_("edit")),
    )
    if len(ranked) > LISTED:
        yield note(
            _(
                "The {listed} that move the prediction most, of {count}; the table for export has "
                "them all.",
                listed=LISTED,
                count=len(ranked),
            )
        )


def _row(shown: Shown, one: EditEffect, measure: str) -> Row:
    result: EditsResult = shown.result
    where, moved = result.words[one.place], one.moved(measure)
    is_new = one.best != result.best
    place = Mask(where.start, where.end, where.part)
    return Row(
        put_said(result, one),
        (
            signed(moved, measure),
            in_digits(math.exp(one.log_probability)),
            name_of(result, one.best),
        ),
        (Bar(moved, "bar" if moved >= 0 else "bar_original"),),
        inks=("", "", "accent" if is_new else "muted"),
        words=edit_said(result, one),
        key=("edit", one.place, one.put),
        act=put_words(shown.asked, (place, one.put)),
    )


def _axis(edits: Sequence[EditEffect], measure: str) -> Axis:
    top = max((abs(one.moved(measure)) for one in edits), default=0.0) or 1.0
    return Axis(top, low=0.0 if measure == DIVERGENCE else -top, titled=False)
