"""What is known at one mask: its words at a temperature, a verdict, curves over temperatures."""

from collections.abc import Callable
from typing import Any

from explorer.api.question.parts.curves import Curve, Curves, Panel
from explorer.numerics.distributions.comparing import Comparison, same_first, shared_top
from explorer.questions.distillation.over_temperature import of_both, over_temperatures
from explorer.questions.distillation.soft_targets.question import Target, Targets
from explorer.questions.distillation.soft_targets.settings import (
    BY_DIFFERENCE,
    BY_STUDENT,
    BY_TEACHER,
    BY_WORD,
    TEMPERATURE,
)
from explorer.text import N_, _
from explorer.text.formatting.numbers import decimal, percent, significant
from explorer.text.formatting.probabilities import signed
from explorer.text.glossary import explain
from explorer.text.pieces import drawn, word_or_piece
from explorer.ui.blocks.remembered import remembered
from explorer.ui.blocks.tables.pairs import Pair
from explorer.ui.charts.description import Chart
from explorer.ui.parts.curves import charts_of

HARD_LABEL = N_("hard label")
LIKELIEST = 5
MANY = 8
"""Masks whose curves are kept: they take longer to make than to draw."""


def words_at(
    targets: Targets,
    both: Comparison,
    order: str = BY_TEACHER,
    put: Callable[[str], Any] | None = None,
) -> list[Pair]:
    """The words that are shown, in an order.

    Args:
        targets: Both models' logits.
        both: The distributions at a temperature.
        order: One of the option's.
        put: What puts a word into the sentence; None where there is no place for one.
    """
    words = [
        _pair(targets, target, both, place, put)
        for place, target in zip(targets.places(), targets.shown(), strict=True)
    ]
    keys: dict[str, Callable[[Pair], Any]] = {
        BY_STUDENT: lambda one: one.second_rank,
        BY_DIFFERENCE: lambda one: -abs(one.difference or 0.0),
        BY_WORD: lambda one: one.word.casefold(),
    }
    if order in keys:
        words.sort(key=keys[order])
    elif targets.only is None:
        words.sort(key=lambda one: one.first_rank or 0)
    return words


def _pair(
    targets: Targets,
    target: Target,
    both: Comparison,
    place: int,
    put: Callable[[str], Any] | None,
) -> Pair:
    taught, learnt = float(both.teacher[place]), float(both.student[place])
    word = word_or_piece(target)
    about = [
        _("Difference: {signed}", signed=signed(learnt - taught)),
        _("Piece: {token}", token=target.token),
    ]
    if taught > 0 and learnt > 0:
        about.append(
            _(
                "The student gives it {learnt} times as much.",
                learnt=significant(learnt / taught, 3),
            )
        )
    is_label = targets.original is not None and target.index == targets.original.index
    if is_label:
        about.append(_("The word that is hidden: the hard label."))
    if put is not None:
        about.append(_("Click to put it into the sentence."))
    return Pair(
        drawn(target),
        taught,
        target.teacher_rank,
        learnt,
        target.student_rank,
        _(HARD_LABEL) if is_label else "",
        "mask_fill" if is_label else "",
        about=tuple(about),
        key=("word", word),
        act=put(word) if put is not None else None,
    )


def likeliest(targets: Targets) -> tuple[Target, Target]:
    """The teacher's likeliest of the words that count, and the student's."""
    shown = targets.shown()
    return (
        max(shown, key=lambda one: float(targets.teacher[one.index])),
        max(shown, key=lambda one: float(targets.student[one.index])),
    )


@remembered(MANY)
def agreement(targets: Targets) -> str:
    """Which words both put first, in a sentence; a temperature changes nothing of it."""
    first, second = likeliest(targets)
    said = (
        _("Both put “{word}” first", word=drawn(first))
        if same_first(*targets.counted)
        else _(
            "The teacher puts “{word}” first and the student “{word_2}”",
            word=drawn(first),
            word_2=drawn(second),
        )
    )
    count = min(LIKELIEST, len(targets.counted[0]))
    shared = shared_top(*targets.counted, count)
    return _(
        "{said}; {shared} of their {count} likeliest are the same.",
        said=said,
        shared=shared,
        count=count,
    )


def label_said(targets: Targets, both: Comparison) -> str:
    """What the teacher gives the hard label; "" where nobody knows that, or it does not count."""
    original = targets.original
    for place, target in zip(targets.places(), targets.shown(), strict=True):
        if original is not None and target.index == original.index:
            return _(
                "The hard label keeps “{word}” alone, to which the teacher gives {share}.",
                word=drawn(target),
                share=percent(float(both.teacher[place]), 1),
            )
    return ""


def verdict(targets: Targets, both: Comparison) -> str:
    """What the two distributions have in common, in a few sentences.

    Args:
        targets: Both models' logits.
        both: The distributions at a temperature.
    """
    values = {
        "temperature": significant(both.temperature, 4),
        "forth": decimal(both.kl_teacher_student, 4),
        "back": decimal(both.kl_student_teacher, 4),
        "moved": percent(both.total_variation, 1),
        "agreed": agreement(targets),
        "taught": percent(1 - both.teacher_top, 1),
        "learnt": percent(1 - both.student_top, 1),
    }
    if targets.is_of_text:
        return _(
            "At T = {temperature} the divergence KL(teacher ‖ student) is {forth} nats and "
            "KL(student ‖ teacher) {back}; the total variation, the share of the probability that "
            "lies on other classes, is {moved}. {agreed} At this temperature, all classes but each "
            "model's likeliest hold {taught} of the teacher's probability and {learnt} of the "
            "student's.",
            **values,
        )
    return _(
        "At T = {temperature} the divergence KL(teacher ‖ student) is {forth} nats and KL(student "
        "‖ teacher) {back}; the total variation, the share of the probability that lies on other "
        "words, is {moved}. {agreed} At this temperature, all words but each model's likeliest "
        "hold {taught} of the teacher's probability and {learnt} of the student's.",
        **values,
    )


@remembered(MANY)
def curves(targets: Targets) -> Curves:
    """Entropy, top share, dark knowledge and divergence over the temperature."""
    over = targets.over_temperatures()
    taught, learnt = over.teacher, over.student
    return over_temperatures(
        taught.temperatures,
        TEMPERATURE,
        Panel(
            "entropy",
            N_("Entropy (nats)"),
            of_both(taught.entropy, learnt.entropy),
            explain("entropy"),
        ),
        Panel(
            "top_share",
            N_("Top-1 share"),
            of_both(taught.top_share, learnt.top_share),
            N_("Probability of the likeliest."),
            high=1.0,
        ),
        Panel(
            "dark_knowledge",
            N_("Dark knowledge (nats)"),
            of_both(taught.dark_knowledge, learnt.dark_knowledge),
            explain("dark knowledge"),
        ),
        Panel(
            "kl_teacher_student",
            N_("KL(teacher ‖ student) (nats)"),
            (Curve(N_("divergence"), over.kl, "text"),),
            explain("KL divergence"),
        ),
    )


@remembered(MANY)
def charts(targets: Targets) -> list[Chart]:
    """These as they are drawn."""
    return charts_of(curves(targets))
