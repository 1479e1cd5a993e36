"""A teacher's and a student's distributions side by side, at any temperature."""

from collections.abc import Iterator, Mapping, Sequence

from explorer.api import Table
from explorer.document import Document
from explorer.questions.distillation.over_temperature import at_temperature
from explorer.questions.distillation.roles import (
    SECOND_MODEL,
    STUDENTS,
    TEACHERS,
    legend,
    pair_caption,
    shown_pair,
)
from explorer.questions.distillation.soft_targets.at_mask import (
    MANY,
    agreement,
    charts,
    likeliest,
    verdict,
    words_at,
    written,
)
from explorer.questions.distillation.soft_targets.label_bars import LabelBars
from explorer.questions.distillation.soft_targets.pinned import (
    charts_with_pinned,
    pinned_numbers,
    table_with_pinned,
    with_pinned,
    words_on_pinned,
)
from explorer.questions.distillation.soft_targets.put import put_at, title_of
from explorer.questions.distillation.soft_targets.question import (
    OPERATION,
    TEMPERATURES,
    SoftTargetsResult,
    Targets,
    table_at,
)
from explorer.questions.distillation.soft_targets.settings import (
    EVERY_WORD,
    MASK,
    ORDER,
    TEMPERATURE,
    WHAT,
    WORDS,
)
from explorer.questions.distillation.soft_targets.words_of_both import names, words_of_both
from explorer.questions.masking.pinned_places import no_mask_said
from explorer.text import _
from explorer.text.probabilities import in_digits
from explorer.ui.blocks.bar_table import BarTable
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.kept import kept
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.pairs import Pair, axis_of, bars_of, pairs
from explorer.ui.blocks.picture import Picture
from explorer.ui.blocks.rows import Column, Row
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import Text, note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.charts.block import ChartBlock

AT_EACH = 6
"""Words that are drawn at each of the four temperatures."""


def blocks(shown: Shown) -> Iterator[Block]:
    """Who is who, then both distributions at any temperature, or word by word."""
    result: SoftTargetsResult = shown.result
    if shown.alone:
        yield Tokens(result.tokens, shown.asked if result.masks else None)
    yield legend(shown_pair(shown))
    for said in result.notes:
        yield note(said, above=4)
    yield from at_any_temperature(shown) if result.masks else words_of_both(shown)


def at_any_temperature(shown: Shown) -> Iterator[Block]:
    """The masks where there are several; of one of them words, labels, temperatures, curves."""
    result: SoftTargetsResult = shown.result
    number, temperature = number_of(shown), shown.value(TEMPERATURE)
    targets = result.masks[number]
    if len(result.masks) > 1:
        yield _masks(shown, number, temperature)
    both = targets.at(temperature)
    before = _pinned_targets(shown, number)
    words = words_at(targets, both, shown.value(ORDER), put_at(shown, targets.position))
    curves = charts(targets)
    if before is not None and shown.pinned is not None:
        words = with_pinned(words, before, temperature)
        curves = charts_with_pinned(curves, before)
        said = words_on_pinned(shown.pinned.result, before.at(temperature), both)
        yield Text(said, colour="mask")
    elif shown.pinned is not None:
        yield Text(no_mask_said(shown.asked, shown.pinned.document), colour="mask")
    yield Columns(
        [
            Card([pairs(words, names(), _("Both distributions"))]),
            Card(
                [
                    Text(_("Hard label beside soft label"), "strong"),
                    Picture(lambda width: LabelBars(words, width)),
                    Text(verdict(agreement(targets), both), above=14),
                ]
            ),
        ],
        narrowest=420.0,
    )
    yield Text(_("At four temperatures, on one scale"), "strong", above=20)
    yield _temperatures(shown, _at_each(targets), temperature)
    yield Text(_("What the temperature does"), "strong", above=20)
    yield ChartBlock(at_temperature(curves, temperature, TEMPERATURE))


def number_of(shown: Shown) -> int:
    """Which mask is looked at."""
    last = len(shown.result.masks) - 1
    wanted: int = shown.value(MASK)
    return min(wanted, last)


def _masks(shown: Shown, chosen: int, temperature: float) -> BarTable:
    """A row a mask: what either puts first, and how far the two are apart."""
    rows = []
    for number, targets in enumerate(shown.result.masks):
        both = targets.at(temperature)
        first, second = likeliest(targets)
        rows.append(
            Row(
                title_of(shown, number, targets.position),
                (
                    written(first),
                    written(second),
                    in_digits(both.kl_teacher_student),
                    in_digits(both.kl_student_teacher),
                    f"{both.total_variation:.1%}",
                ),
                strong=number == chosen,
                ground="selection" if number == chosen else "",
                words="" if number == chosen else _("Click to look at this mask."),
                key=("mask", number),
                act=shown.setting(MASK, number, _("change mask")),
            )
        )
    return BarTable(
        rows,
        (
            Column(_("teacher's first"), title_colour=TEACHERS, left=True),
            Column(_("student's first"), title_colour=STUDENTS, left=True),
            Column("KL(t ‖ s)", words=_("Divergence of the student from the teacher, in nats.")),
            Column("KL(s ‖ t)", words=_("Divergence of the teacher from the student, in nats.")),
            Column("elsewhere", words=_("The share of the probability that lies on other words.")),
        ),
        title=_("Masks"),
        bold=False,
        ruled=True,
        above=10,
    )


@kept(MANY)
def _at_each(targets: Targets) -> Mapping[float, Sequence[Pair]]:
    """The likeliest words at four temperatures."""
    return {t: words_at(targets, targets.at(t))[:AT_EACH] for t in TEMPERATURES}


def _temperatures(shown: Shown, at: Mapping[float, Sequence[Pair]], now: float) -> Columns:
    """The words at each, on one scale; choosing a card is choosing its temperature."""
    every = [one for words in at.values() for one in words]
    return Columns(
        [
            Card(
                [
                    Text(f"T = {t:g}", "strong"),
                    BarTable(
                        [Row(one.word, bars=bars_of(one)) for one in words],
                        axis=axis_of(every),
                        bold=False,
                        peers=[Row(one.word) for one in every],
                    ),
                ],
                _("Temperature {t}", t=t),
                act=shown.setting(TEMPERATURE, t, _("change temperature")),
                key=("temperature", t),
                words=_listed(t, words),
                chosen=abs(t - now) < 1e-9,
            )
            for t, words in at.items()
        ],
        narrowest=200.0,
        above=8,
    )


def _listed(temperature: float, words: Sequence[Pair]) -> str:
    lines = [_("T = {temperature} (click to choose it): teacher, student", temperature=temperature)]
    lines += [f"{o.word}: {in_digits(o.first or 0)}, {in_digits(o.second or 0)}" for o in words]
    return "\n".join(lines)


def _pinned_targets(shown: Shown, number: int) -> Targets | None:
    """The pinned answer's mask at the same place in the text."""
    if shown.pinned is None or not shown.pinned.result.masks:
        return None
    then = pinned_numbers(shown.result, shown.asked, shown.pinned)[number]
    found: tuple[Targets, ...] = shown.pinned.result.masks
    return found[then] if then is not None else None


def table(shown: Shown) -> Table:
    """The rows at the four temperatures and at the one that is chosen."""
    result: SoftTargetsResult = shown.result
    if not result.masks:
        return OPERATION.table(result)
    chosen = sorted({*result.temperatures, shown.value(TEMPERATURE)})
    if shown.pinned is None or not shown.pinned.result.masks:
        return table_at(result, chosen)
    numbers = pinned_numbers(result, shown.asked, shown.pinned)
    return table_with_pinned(result, shown.pinned.result, numbers, chosen)


def _word_by_word(document: Document, _result: object) -> dict[str, str]:
    if WHAT.of(document) != EVERY_WORD:
        return {}
    why = _("Word by word, every word is compared as it is, at T = 1.")
    return dict.fromkeys((TEMPERATURE.key, WORDS.key, ORDER.key), why)


PAGE = Page(
    OPERATION,
    blocks,
    pinnable=True,
    second_model_hint=SECOND_MODEL,
    table=table,
    caption=pair_caption,
    disabled=_word_by_word,
)
