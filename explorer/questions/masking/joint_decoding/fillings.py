"""Whole fillings as rows: two bars each, one for the words together and one for each alone."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.document import Document, matched
from explorer.questions.masking.joint_decoding.gestures import gap_places
from explorer.questions.masking.joint_decoding.question import Filling, JointDecodingResult
from explorer.text import N_, _
from explorer.text.formatting.numbers import ten_to
from explorer.text.formatting.probabilities import in_digits, scale_for, signed
from explorer.text.pieces import visible
from explorer.ui.blocks.shown import Pinned
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables import rows as table
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column

BETWEEN_WORDS = " · "
TOGETHER, ALONE = N_("together"), N_("each alone")


def words_of(filling: Filling) -> str:
    """The words of a filling, in order."""
    return BETWEEN_WORDS.join(visible(word) or "␣" for word in filling.words)


@dataclass(frozen=True)
class Row:
    """A filling.

    Attributes:
        filling: Its words and numbers.
        rank: Its place, "–" for the one that no method looked for.
        is_alone: It is the best word of every mask alone.
        before: Its probability and rank in the pinned answer; None where nothing is pinned.
    """

    filling: Filling
    rank: str
    is_alone: bool = False
    before: "Before | None" = None

    @property
    def text(self) -> str:
        """Its words."""
        return words_of(self.filling)


@dataclass(frozen=True)
class Before:
    """A filling in the pinned answer.

    Attributes:
        log_joint: None where that answer did not hold it.
        rank: Its place there; None where the method did not find it.
        listed: How many fillings that answer holds, where it does not hold this one.
    """

    log_joint: float | None = None
    rank: int | None = None
    listed: int = 0


def factor(filling: Filling) -> str:
    """How many times as probable the words are together as they would be each alone."""
    if filling.log_independent is None:
        return ""
    return times(filling.log_joint - filling.log_independent)


def times(log_ratio: float) -> str:
    """A ratio given as its logarithm: "× 2.2", "÷ 43"."""
    sign = "×" if log_ratio >= 0 else "÷"
    if abs(log_ratio) > math.log(9_999.5):
        return f"{sign} {ten_to(math.floor(abs(log_ratio) / math.log(10)))}"
    ratio = math.exp(abs(log_ratio))
    return f"{sign} {ratio:.1f}" if ratio < 9.95 else f"{sign} {ratio:,.0f}"


def details(row: Row) -> str:
    """What is known of a filling, mask by mask."""
    filling = row.filling
    lines = [row.text, _("Together: {in_digits}", in_digits=in_digits(math.exp(filling.log_joint)))]
    if filling.log_independent is not None:
        lines.append(
            _(
                "If each mask were alone: {in_digits}",
                in_digits=in_digits(math.exp(filling.log_independent)),
            )
        )
    for number, chosen in enumerate(filling.chosen):
        line = _(
            "{word}: {in_digits} when it was filled",
            word=chosen.word,
            in_digits=in_digits(chosen.probability),
        )
        line += _(" (rank {rank})", rank=chosen.rank)
        if filling.alone:
            beside = filling.alone[number]
            line += _(
                ", {in_digits} alone (rank {rank})",
                in_digits=in_digits(beside.probability),
                rank=beside.rank,
            )
        lines.append(line)
    if row.before is not None:
        lines.append(_then(row.before))
    lines.append(_("Click to put these words into the sentence."))
    return "\n".join(lines)


def _then(before: Before) -> str:
    if before.log_joint is None:
        return _("The pinned answer does not list it.")
    place = _(", place {rank}", rank=before.rank) if before.rank is not None else ""
    return _(
        "Pinned: {in_digits}{place}", in_digits=in_digits(math.exp(before.log_joint)), place=place
    )


def fillings(rows: Sequence[Row], put: Callable[[Filling], Any]) -> BarTable:
    """A row a filling: a bar for the words together, an outline for each alone.

    Args:
        rows: In the order they are shown.
        put: The gesture that puts a filling into the sentence.
    """
    has_alone = any(row.filling.log_independent is not None for row in rows)
    pinned = any(row.before is not None for row in rows)
    logs = [log for row in rows for log in _logs(row.filling) if log is not None]
    largest = max(map(math.exp, logs), default=1.0)
    # Fillings of many masks are all improbable; the axis then ends at the longest bar.
    scale = scale_for(largest) if largest >= 0.005 else largest
    columns = (
        Column(_(TOGETHER)),
        *((Column(_(ALONE), "muted"), Column("", dispensable=True)) if has_alone else ()),
        *((Column(_("change"), "accent"),) if pinned else ()),
    )
    return BarTable(
        [_row(row, number, put, alone=has_alone, pinned=pinned) for number, row in enumerate(rows)],
        columns,
        Axis(scale, top_said=f"{scale:g}" if scale >= 0.005 else in_digits(scale)),
        _("Fillings"),
        above=Space.APART,
    )


def _logs(filling: Filling) -> tuple[float | None, float | None]:
    return filling.log_joint, filling.log_independent


def _row(
    row: Row, number: int, put: Callable[[Filling], Any], *, alone: bool, pinned: bool
) -> table.Row:
    filling = row.filling
    together, each = ("" if log is None else in_digits(math.exp(log)) for log in _logs(filling))
    then = row.before.log_joint if row.before is not None else None
    independent = filling.log_independent
    return table.Row(
        row.text,
        (
            together,
            *((each, factor(filling)) if alone else ()),
            *((_change(row),) if pinned else ()),
        ),
        (
            Bar(math.exp(filling.log_joint)),
            Bar(math.exp(independent), hollow=True) if independent is not None else None,
        ),
        mark=math.exp(then) if then is not None else None,
        lead=row.rank,
        tag=_(ALONE) if row.is_alone else "",
        ground="mask_fill" if row.is_alone else "",
        words=details(row),
        spoken=_(
            "{text}: together {in_digits}",
            text=row.text,
            in_digits=in_digits(math.exp(filling.log_joint)),
        ),
        key=("filling", number),
        act=put(filling),
    )


def _change(row: Row) -> str:
    """The joint probability against the pinned one, as a difference."""
    before = row.before
    if before is None:
        return ""
    if before.log_joint is None:
        is_new = row.rank.isdigit() and int(row.rank) <= before.listed
        return _("new") if is_new else _("not kept")
    return signed(math.exp(row.filling.log_joint) - math.exp(before.log_joint))


def before_of(pinned: JointDecodingResult) -> Mapping[tuple[str, ...], Before]:
    """The pinned fillings by their words, capital letters aside: models differ in them."""
    known: dict[tuple[str, ...], Before] = {}
    if pinned.independent is not None:
        known[key_of(pinned.independent)] = Before(pinned.independent.log_joint)
    for rank, one in reversed(list(enumerate(pinned.fillings, 1))):
        known[key_of(one)] = Before(one.log_joint, rank)
    return known


def key_of(filling: Filling) -> tuple[str, ...]:
    """A filling's words, as two models' fillings are told to be the same."""
    return tuple(word.casefold() for word in filling.words)


def known_fillings(
    result: JointDecodingResult, document: Document, pinned: Pinned | None
) -> Mapping[tuple[str, ...], Before] | None:
    """The pinned fillings; None where nothing is pinned, or masks stand at other places there."""
    if pinned is None:
        return None
    then: JointDecodingResult = pinned.result
    numbers = matched(gap_places(result), document, gap_places(then), pinned.document)
    return before_of(then) if numbers == tuple(range(len(then.gaps))) else None


def shown_fillings(
    result: JointDecodingResult, known: Mapping[tuple[str, ...], Before] | None = None
) -> tuple[Row, ...]:
    """What the method found, and the words of each mask alone where they are not among it."""
    alone = result.independent

    def row(filling: Filling, rank: str) -> Row:
        before = None
        if known is not None:
            listed = sum(one.rank is not None for one in known.values())
            before = known.get(key_of(filling), Before(listed=listed))
        is_alone = alone is not None and filling.words == alone.words and len(result.order) > 1
        return Row(filling, rank, is_alone, before)

    rows = [row(one, str(rank)) for rank, one in enumerate(result.fillings, start=1)]
    if alone is not None and not any(one.is_alone for one in rows) and len(result.order) > 1:
        rows.append(row(alone, "–"))
    return tuple(rows)
