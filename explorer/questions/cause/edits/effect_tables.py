"""What edits do to the prediction, as bars: word by word, and edit by edit."""

import math
from collections.abc import Iterator

from explorer.document import Mask
from explorer.questions.cause.edits.pinned import PinnedEdits
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
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import NOT_THERE, BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column, Row
from explorer.ui.blocks.text import heading, note
from explorer.ui.document.gestures import put_words

LISTED = 40
"""Edits that have a row; the table for export has all."""


def words_table(
    shown: Shown, measure: str, only: int | None, pinned: PinnedEdits | None
) -> BarTable:
    """Each word with the edit of it that moves the prediction most."""
    result: EditsResult = shown.result
    best: dict[int, EditEffect] = {}
    for one in result.ranked(measure):
        best.setdefault(one.place, one)
    title, words = COLUMNS[measure]
    rows = []
    for number, word in enumerate(result.words):
        strongest = best.get(number)
        then = pinned.strongest(number, measure) if pinned is not None else None
        if strongest is None:
            rows.append(Row(numbered(result, number), ("", ""), muted=True, key=("word", number)))
            continue
        moved = strongest.moved(measure)
        now: tuple[int, ...] = () if only == number else (number,)
        rows.append(
            Row(
                numbered(result, number),
                (strongest.put, signed(moved, measure), *_before(pinned, then, measure)),
                (Bar(moved, "bar" if moved >= 0 else "bar_original"),),
                mark=then,
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
        (
            Column(_("strongest edit"), left=True),
            Column(_(title), words=_(words)),
            *_pinned_column(pinned),
        ),
        _axis(result, measure, pinned),
        _("Word by word"),
        first=1,
        bold=False,
        label=Column(_("word")),
    )


def edits_listed(
    shown: Shown, measure: str, only: int | None, pinned: PinnedEdits | None
) -> Iterator[Block]:
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
        yield Chips([every])
    title, words = COLUMNS[measure]
    columns = (
        Column(_(title), words=_(words)),
        *_pinned_column(pinned),
        Column(
            _("probability"),
            words=_("Of “{word}”, after the edit.", word=name_of(result, result.word)),
            dispensable=True,
        ),
        Column(_("now first"), left=True, words=_("The most probable word after the edit.")),
    )
    rows = [_row(shown, one, measure, pinned) for one in ranked[:LISTED]]
    yield BarTable(
        rows,
        columns,
        _axis(result, measure, pinned),
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


def _row(shown: Shown, one: EditEffect, measure: str, pinned: PinnedEdits | None) -> Row:
    result: EditsResult = shown.result
    where, moved = result.words[one.place], one.moved(measure)
    is_new = one.best != result.best
    then = pinned.moved(one, measure) if pinned is not None else None
    before = _before(pinned, then, measure)
    place = Mask(where.start, where.end, where.part)
    return Row(
        put_said(result, one),
        (
            signed(moved, measure),
            *before,
            in_digits(math.exp(one.log_probability)),
            name_of(result, one.best),
        ),
        (Bar(moved, "bar" if moved >= 0 else "bar_original"),),
        mark=then,
        inks=("", *("" for _cell in before), "", "accent" if is_new else "muted"),
        words=edit_said(result, one),
        key=("edit", one.place, one.put),
        act=put_words(shown.asked, (place, one.put)),
    )


def _pinned_column(pinned: PinnedEdits | None) -> tuple[Column, ...]:
    if pinned is None:
        return ()
    return (Column(_("pinned"), words=_("The same in the pinned answer."), dispensable=True),)


def _before(pinned: PinnedEdits | None, then: float | None, measure: str) -> tuple[str, ...]:
    """The cell of that column, where there is one."""
    if pinned is None:
        return ()
    return (signed(then, measure) if then is not None else NOT_THERE,)


def _axis(result: EditsResult, measure: str, pinned: PinnedEdits | None) -> Axis:
    """It holds every bar and every mark."""
    ends = [one.moved(measure) for one in result.edits]
    if pinned is not None:
        ends += [pinned.moved(one, measure) or 0.0 for one in result.edits]
        ends += [pinned.strongest(n, measure) or 0.0 for n in range(len(result.words))]
    top = max(map(abs, ends), default=0.0) or 1.0
    return Axis(top, low=0.0 if measure == DIVERGENCE else -top, titled=False)
