"""A teacher's and a student's distributions side by side, at any temperature."""

from collections.abc import Iterator, Sequence

from explorer.api import Table
from explorer.document import Document
from explorer.questions.distillation.over_temperature import TITLE
from explorer.questions.distillation.roles import SECOND_MODEL, legend, shown_pair
from explorer.questions.distillation.soft_targets.at_mask import (
    charts,
    curves,
    label_said,
    verdict,
    words_at,
)
from explorer.questions.distillation.soft_targets.label_bars import LabelBars, hard_label
from explorer.questions.distillation.soft_targets.masks import masks_table, number_of, put_at
from explorer.questions.distillation.soft_targets.pinned import (
    charts_with_pinned,
    pinned_numbers,
    with_pinned,
    words_on_pinned,
)
from explorer.questions.distillation.soft_targets.question import (
    EXACT_STUDENT,
    EXACT_TEACHER,
    OPERATION,
    SoftTargetsResult,
    Targets,
    table_at,
)
from explorer.questions.distillation.soft_targets.settings import (
    EVERY_WORD,
    ORDER,
    TEMPERATURE,
    WHAT,
    WORDS,
)
from explorer.questions.distillation.soft_targets.temperatures import (
    at_each,
    axis_at_one,
    temperatures,
    widest,
)
from explorer.questions.distillation.soft_targets.word_by_word.words_of_both import (
    names,
    words_of_both,
)
from explorer.questions.masking.exact_answers.beside import (
    exact_at,
    exact_blocks,
    exact_pairs,
    exact_said,
)
from explorer.text import N_, _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.picture import Picture
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.tables.pairs import pairs
from explorer.ui.blocks.text import Text, note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.charts.description import Chart
from explorer.ui.parts.curves import marked
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.pinned_masks import no_mask_said

FIXED = N_(
    "The axis stays that of T = 1, from 0 to {end}, at every temperature: lengths can be compared. "
    "A bar that would be longer is drawn cut."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """Who is who, then both distributions at any temperature, or word by word."""
    result: SoftTargetsResult = shown.result
    if shown.alone:
        yield Tokens(result.tokens, shown.asked if result.masks else None)
    yield legend(shown_pair(shown))
    yield from at_any_temperature(shown) if result.masks else words_of_both(shown)


def at_any_temperature(shown: Shown) -> Iterator[Block]:
    """The masks where there are several; of one of them words, labels, temperatures, curves."""
    result: SoftTargetsResult = shown.result
    number, temperature = number_of(shown), shown.value(TEMPERATURE)
    targets = result.masks[number]
    if len(result.masks) > 1:
        yield masks_table(shown, number, temperature)
    both = targets.at(temperature)
    before = _pinned_targets(shown, number)
    axis = axis_at_one(targets, before)
    words = words_at(targets, both, shown.value(ORDER), put_at(shown, targets.position))
    drawn: Sequence[Chart] = charts(targets)
    if before is not None and shown.pinned is not None:
        words = with_pinned(words, before, temperature)
        drawn = charts_with_pinned(drawn, before)
        said = words_on_pinned(shown.pinned.result, before.at(temperature), both)
        yield Text(said, colour="mask")
    elif shown.pinned is not None:
        yield Text(no_mask_said(shown.asked, shown.pinned.document), colour="mask")
    yield Columns(
        [
            Card(
                [
                    pairs(
                        words,
                        names(),
                        _("Both distributions"),
                        among=widest(targets),
                        axis=axis,
                    ),
                    note(_(FIXED, end=f"{axis.top:g}")),
                ]
            ),
            Card(
                [
                    Text(
                        _("Hard label beside soft labels")
                        if hard_label(words)
                        else _("One word beside soft labels"),
                        "strong",
                    ),
                    Picture(lambda width: LabelBars(words, width)),
                    Text(verdict(targets, both), above=Space.APART),
                    *(Text(one) for one in (label_said(targets, both),) if one),
                ]
            ),
        ],
        narrowest=CardWidth.WIDE,
    )
    yield from exactly_both(shown, targets.position)
    yield Text(_("At four temperatures, on one scale"), "strong", above=Space.SECTION)
    yield temperatures(shown, at_each(targets), temperature, axis)
    yield Text(_(TITLE), "strong", above=Space.SECTION)
    yield marked(drawn, curves(targets).over, Looking(OPERATION, shown))


def exactly_both(shown: Shown, position: int) -> Iterator[Block]:
    """Both models at a mask, each beside the exact answer.

    The student's place is that with the same number, where it cuts the text otherwise.
    """
    known = exact_at(shown, position, EXACT_TEACHER)
    if known is None:
        yield from exact_said(shown, EXACT_TEACHER)
        return
    cards = []
    for lane, title in ((EXACT_TEACHER, _("Teacher")), (EXACT_STUDENT, _("Student"))):
        place = exact_at(shown, position, lane)
        if place is not None:
            every = [pair for one in (known, place) for pair in exact_pairs(one)]
            cards.append(Card([Text(title, "strong"), *exact_blocks(place, every)]))
    yield Text(_("At temperature 1, beside the exact answer"), "strong", above=Space.SECTION)
    yield Columns(cards, narrowest=CardWidth.WIDE)


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
    return table_at(result, sorted({*result.temperatures, shown.value(TEMPERATURE)}))


def curves_table(shown: Shown) -> Table | None:
    """The curves of the mask that is looked at."""
    result: SoftTargetsResult = shown.result
    return curves(result.masks[number_of(shown)]).table() if result.masks else None


def _word_by_word(document: Document, _result: object) -> dict[str, str]:
    if WHAT.of(document) != EVERY_WORD:
        return {}
    why = _("Word by word, every word is compared as it is, at T = 1.")
    return dict.fromkeys((TEMPERATURE.key, WORDS.key, ORDER.key), why)


PAGE = Page(
    OPERATION,
    blocks,
    draws_pinned=True,
    second_model_hint=SECOND_MODEL,
    table=table,
    other_tables={TITLE: curves_table},
    disabled=_word_by_word,
)
