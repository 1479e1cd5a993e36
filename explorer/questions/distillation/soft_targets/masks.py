"""The masks of an answer: a row each, what each is called, and what puts a word into one."""

from collections.abc import Callable

from explorer.document import MASK_LITERAL, Document, Mask, places_of
from explorer.questions.distillation.roles import STUDENTS, TEACHERS
from explorer.questions.distillation.soft_targets.at_mask import likeliest
from explorer.questions.distillation.soft_targets.settings import MASK
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import drawn
from explorer.ui.blocks.mask_context import context_of
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.document.gestures import Edit, put_words


def number_of(shown: Shown) -> int:
    """Which mask is looked at."""
    last = len(shown.result.masks) - 1
    wanted: int = shown.value(MASK)
    return min(wanted, last)


def masks_table(shown: Shown, chosen: int, temperature: float) -> BarTable:
    """A row a mask: what either puts first, and how far the two are apart."""
    rows = []
    for number, targets in enumerate(shown.result.masks):
        both = targets.at(temperature)
        first, second = likeliest(targets)
        rows.append(
            Row(
                title_of(shown, number, targets.position),
                (
                    drawn(first),
                    drawn(second),
                    in_digits(both.kl_teacher_student),
                    in_digits(both.kl_student_teacher),
                    percent(both.total_variation, 1),
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
            Column(
                _("elsewhere"),
                words=_("Total variation: the share of the probability that lies on other words."),
            ),
        ),
        title=_("Masks"),
        bold=False,
        ruled=True,
        above=Space.APART,
    )


def title_of(shown: Shown, number: int, position: int) -> str:
    """A mask by its number and the words around it."""
    if position < 0:
        return _("The whole text")
    context = context_of(shown.result.tokens, position, shown.asked, around=2)
    return _(
        "{number}: {before} [MASK] {after}",
        number=number + 1,
        before=context.before,
        after=context.after,
    ).strip()


def put_at(shown: Shown, position: int) -> Callable[[str], Edit] | None:
    """What puts a word into a mask; None where there is no place for one."""
    if position < 0:
        return None
    (place,) = places_of(shown.result.tokens, [position])
    asked = shown.asked
    if not (_is_typed(asked, place) or asked.is_masked(place.start, place.end, place.part)):
        return None
    # A range that the two vocabularies cut differently was one mask in either.
    if not shown.result.vocabulary.same:
        place = next((one for one in asked.masks if _is_in(place, one)), place)
    return lambda word: put_words(asked, (place, word))


def _is_typed(document: Document, place: Mask) -> bool:
    return document.part(place.part)[place.start : place.end] == MASK_LITERAL


def _is_in(place: Mask, mask: Mask) -> bool:
    return mask.part == place.part and mask.start <= place.start and place.end <= mask.end
