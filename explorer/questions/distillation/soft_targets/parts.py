"""A teacher's and a student's distributions at any temperature, or word by word, as parts."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from explorer.api.question import (
    Amount,
    Apart,
    Cards,
    Compared,
    ComparedPlace,
    ComparedSide,
    ComparedWord,
    Curve,
    Curves,
    Manner,
    Models,
    OneCard,
    OwnPicture,
    Panel,
    Said,
    Sets,
    Width,
    sets,
)
from explorer.numerics.distributions.comparing import Comparison, same_first, shared_top
from explorer.numerics.distributions.temperature import COOLEST, HOTTEST
from explorer.questions.distillation.over_temperature import of_both, over_temperatures
from explorer.questions.distillation.roles import players
from explorer.questions.distillation.soft_targets.question import TargetRow, rows_at
from explorer.questions.distillation.soft_targets.settings import (
    BY_DIFFERENCE,
    BY_STUDENT,
    BY_TEACHER,
    BY_WORD,
    MASK,
    TEMPERATURE,
)
from explorer.questions.distillation.soft_targets.targets import (
    TEMPERATURES,
    SharedClass,
    SoftTargetsResult,
    Targets,
)
from explorer.questions.distillation.soft_targets.word_by_word import by_word
from explorer.questions.distillation.soft_targets.word_by_word.by_word import ComparedMask
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal, percent, significant
from explorer.text.formatting.probabilities import in_digits, scale_for, signed
from explorer.text.glossary import meaning
from explorer.text.pieces import drawn, word_or_piece

SIDES = (ComparedSide("teacher", N_("Teacher")), ComparedSide("student", N_("Student")))
HARD_LABEL = N_("hard label")
LABELS = "labels"
"""The page's own picture: one word alone beside both soft labels."""
FIXED = N_(
    "One axis for every temperature, that of T = 1. Grey: the bars of T = 1. A bar that would be "
    "longer is drawn cut."
)
LIKELIEST = 5
AT_EACH = 6
"""Words that are drawn at each of the four temperatures."""
SMALL = 0.01
"""A difference that does not stand out."""


def parts(
    result: SoftTargetsResult,
    temperature: float | None = None,
    order: str = BY_TEACHER,
    mask: int = 0,
) -> Iterator[Models | Said | Compared | Cards | OwnPicture | Curves]:
    """Who is who, then both distributions at any temperature, or word by word."""
    yield players(result)
    if not result.masks:
        yield Said(alignment_said(result), Manner.ABOUT)
        yield _by_word(result)
        return
    number = min(mask, len(result.masks) - 1)
    targets = result.masks[number]
    now = TEMPERATURE.default if temperature is None else temperature
    told = {*result.temperatures} | ({temperature} if temperature is not None else set())
    at_one = words_at(targets, targets.at(1.0))
    chances = (chance or 0.0 for one in at_one for chance in one.chances)
    top = scale_for(max(chances, default=1.0))
    ends = (words_at(targets, targets.at(t)) for t in (COOLEST, 1.0, HOTTEST))
    yield Compared(
        SIDES,
        result.tokens,
        tuple(
            _place(one, now, order, top if n == number else None)
            for n, one in enumerate(result.masks)
        ),
        TargetRow,
        partial(rows_at, result, sorted(told)),
        _apart(result, now),
        only=(number,),
        choose=_look_at,
        top=top,
        among=tuple(word for words in ends for word in words),
    )
    yield _at_each(targets, now, top)
    yield curves(result, targets)


def _look_at(number: int) -> Sets:
    return sets(MASK, number, N_("change mask"))


def _place(targets: Targets, temperature: float, order: str, top: float | None) -> ComparedPlace:
    """A mask, or the whole text; with `top`, where the axis ends, the one that is looked at."""
    both = targets.at(temperature)
    plain = None if temperature == 1.0 else targets.at(1.0)
    far = both.kl_teacher_student, both.kl_student_teacher, both.total_variation
    words = tuple(words_at(targets, both, order, plain))
    known = any(one.tag for one in words)
    title = N_("Hard label and soft labels") if known else N_("One word and soft labels")
    beside = (
        Said(title, Manner.STRONG),
        OwnPicture(LABELS),
        Said(verdict(targets, both), Manner.PLAIN),
        Said(label_said(targets, both), Manner.PLAIN),
    )
    return ComparedPlace(
        None if targets.is_of_text else targets.position,
        words,
        said=() if top is None else (Phrase(FIXED),),
        beside=() if top is None else beside,
        measures=tuple(_measures(*far)),
    )


def _measures(forth: float | None, back: float | None, moved: float) -> Iterator[Amount]:
    """How far two distributions are apart."""
    there = N_("Divergence of the student from the teacher, in nats.")
    yield Amount("kl", "KL(t ‖ s)", forth, written=in_digits, words=there)
    again = N_("Divergence of the teacher from the student, in nats.")
    yield Amount("kl_back", "KL(s ‖ t)", back, written=in_digits, words=again)
    yield Amount(
        "total_variation",
        N_("elsewhere"),
        moved,
        written=partial(percent, places=1),
        words=N_("Total variation: the share of the probability that lies on other words."),
    )


def words_at(
    targets: Targets, both: Comparison, order: str = BY_TEACHER, beneath: Comparison | None = None
) -> list[ComparedWord]:
    """The words that are shown, in an order.

    Args:
        targets: Both models' logits.
        both: The distributions at a temperature.
        order: One of the option's.
        beneath: Those that are drawn in grey beneath them; None for none.
    """
    words = [
        _word(targets, target, both, place, beneath)
        for place, target in zip(targets.places(), targets.shown(), strict=True)
    ]
    keys: dict[str, Callable[[ComparedWord], Any]] = {
        BY_STUDENT: lambda one: one.ranks[1],
        BY_DIFFERENCE: lambda one: -(one.apart or 0.0),
        BY_WORD: lambda one: one.word.casefold(),
    }
    if order in keys:
        words.sort(key=keys[order])
    elif targets.only is None:
        words.sort(key=lambda one: one.ranks[0] or 0)
    return words


def _word(
    targets: Targets, target: SharedClass, both: Comparison, place: int, beneath: Comparison | None
) -> ComparedWord:
    taught, learnt = float(both.teacher[place]), float(both.student[place])
    about = [
        Phrase(N_("Difference: {signed}"), signed=signed(learnt - taught)),
        Phrase(N_("Piece: {token}"), token=target.token),
    ]
    if taught > 0 and learnt > 0:
        times = significant(learnt / taught, 3)
        about.append(Phrase(N_("The student gives it {learnt} times as much."), learnt=times))
    is_label = targets.original is not None and target.index == targets.original.index
    if is_label:
        about.append(Phrase(N_("The word that is hidden: the hard label.")))
    return ComparedWord(
        drawn(target),
        (taught, learnt),
        (target.teacher_rank, target.student_rank),
        HARD_LABEL if is_label else "",
        tuple(about),
        put=word_or_piece(target),
        beneath=None
        if beneath is None
        else (float(beneath.teacher[place]), float(beneath.student[place])),
    )


def _apart(result: SoftTargetsResult, temperature: float) -> Apart:
    """How the word is told on which both differ most."""
    values = {"temperature": significant(temperature, 3)}
    if result.is_by_number:
        numbered = N_(
            "At T = {temperature}, the two differ most on the classes “{word}”, which have the "
            "same number: the student says {student}, its teacher {teacher}."
        )
        return Apart(0.0, numbered, numbered, values=values)
    return Apart(
        SMALL,
        N_(
            "At T = {temperature}, the two differ most on “{word}” at position {position}: the "
            "student says {student}, its teacher {teacher}."
        ),
        N_(
            "At T = {temperature}, the two differ most on “{word}”: the student says {student}, "
            "its teacher {teacher}."
        ),
        N_(
            "At T = {temperature}, the student nearly equals its teacher: even on "
            "“{word}”, where they differ most, it says {student}, the teacher {teacher}."
        ),
        values,
    )


def likeliest(targets: Targets) -> tuple[SharedClass, SharedClass]:
    """The teacher's likeliest of the words that count, and the student's."""
    shown = targets.shown()
    return (
        max(shown, key=lambda one: float(targets.teacher[one.index])),
        max(shown, key=lambda one: float(targets.student[one.index])),
    )


def agreement(targets: Targets) -> Phrase:
    """Which words both put first, in a sentence; a temperature changes nothing of it."""
    first, second = likeliest(targets)
    said = (
        Phrase(N_("Both put “{word}” first"), word=drawn(first))
        if same_first(*targets.counted)
        else Phrase(
            N_("The teacher puts “{word}” first and the student “{word_2}”"),
            word=drawn(first),
            word_2=drawn(second),
        )
    )
    count = min(LIKELIEST, len(targets.counted[0]))
    return Phrase(
        N_("{said}; {shared} of their {count} likeliest are the same."),
        said=said,
        shared=shared_top(*targets.counted, count),
        count=count,
    )


def label_said(targets: Targets, both: Comparison) -> str:
    """What the teacher gives the hard label; "" where nobody knows that, or it does not count."""
    original = targets.original
    for place, target in zip(targets.places(), targets.shown(), strict=True):
        if original is not None and target.index == original.index:
            return Phrase(
                N_("The hard label keeps “{word}” alone, to which the teacher gives {share}."),
                word=drawn(target),
                share=percent(float(both.teacher[place]), 1),
            )
    return ""


def verdict(targets: Targets, both: Comparison) -> Phrase:
    """What the two distributions have in common, in a few sentences.

    Args:
        targets: Both models' logits.
        both: The distributions at a temperature.
    """
    sentence = N_(
        "At T = {temperature} the divergence KL(teacher ‖ student) is {forth} nats and KL(student "
        "‖ teacher) {back}; the total variation, the share of the probability that lies on other "
        "words, is {moved}. {agreed} At this temperature, all words but each model's likeliest "
        "hold {taught} of the teacher's probability and {learnt} of the student's."
    )
    if targets.is_of_text:
        sentence = N_(
            "At T = {temperature} the divergence KL(teacher ‖ student) is {forth} nats and "
            "KL(student ‖ teacher) {back}; the total variation, the share of the probability that "
            "lies on other classes, is {moved}. {agreed} At this temperature, all classes but each "
            "model's likeliest hold {taught} of the teacher's probability and {learnt} of the "
            "student's."
        )
    return Phrase(
        sentence,
        temperature=significant(both.temperature, 4),
        forth=decimal(both.kl_teacher_student, 4),
        back=decimal(both.kl_student_teacher, 4),
        moved=percent(both.total_variation, 1),
        agreed=agreement(targets),
        taught=percent(1 - both.teacher_top, 1),
        learnt=percent(1 - both.student_top, 1),
    )


def _at_each(targets: Targets, now: float, top: float) -> Cards:
    """The likeliest words at four temperatures, on one axis; choosing a card chooses its T."""
    at = {t: tuple(words_at(targets, targets.at(t))[:AT_EACH]) for t in TEMPERATURES}
    every = tuple(one for words in at.values() for one in words)
    return Cards(
        tuple(
            OneCard(
                f"T = {t:g}",
                (
                    Compared(
                        SIDES, (), (ComparedPlace(None, words),), brief=True, top=top, among=every
                    ),
                ),
                _listed(t, words),
                gesture=sets(TEMPERATURE, t, N_("change temperature")),
                chosen=abs(t - now) < 1e-9,
            )
            for t, words in at.items()
        ),
        Width.NARROW,
        title=N_("At four temperatures, on one scale"),
    )


def _listed(temperature: float, words: Sequence[ComparedWord]) -> Phrase:
    lines = (
        f"{one.word}: {', '.join(in_digits(chance or 0.0) for chance in one.chances)}"
        for one in words
    )
    return Phrase(
        N_("T = {temperature} (click to choose it): teacher, student\n{words}"),
        temperature=temperature,
        words="\n".join(lines),
    )


def curves(result: SoftTargetsResult, targets: Targets) -> Curves:
    """Entropy, top share, dark knowledge and divergence over the temperature."""
    over = targets.over_temperatures
    taught, learnt = over.teacher, over.student
    return over_temperatures(
        taught.temperatures,
        TEMPERATURE,
        Panel(
            "entropy",
            N_("Entropy (nats)"),
            of_both(taught.entropy, learnt.entropy),
            meaning("entropy"),
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
            meaning("dark knowledge"),
        ),
        Panel(
            "kl_teacher_student",
            N_("KL(teacher ‖ student) (nats)"),
            (Curve(N_("divergence"), over.kl, "text", pins=True),),
            meaning("KL divergence"),
        ),
        about=None if targets.is_of_text else (result.tokens, targets.position),
    )


def _by_word(result: SoftTargetsResult) -> Compared:
    """Every mask's words in a card, and how far the two are apart."""
    return Compared(
        SIDES,
        result.tokens,
        tuple(
            ComparedPlace(
                mask.position,
                tuple(
                    ComparedWord(
                        one.word,
                        (one.teacher, one.student),
                        (one.teacher_rank, one.student_rank),
                        # A part of a word is none to put in.
                        put="" if "…" in one.word else one.word,
                    )
                    for one in mask.words
                ),
                said=(mask_said(mask),),
                measures=tuple(_measures(mask.kl, mask.kl_back, mask.total_variation)),
            )
            for mask in result.by_word
        ),
        by_word.ByWordRow,
        partial(by_word.rows, result.by_word),
        _apart(result, 1.0),
    )


def alignment_said(result: SoftTargetsResult) -> Phrase:
    """How the two vocabularies were brought together."""
    known = result.vocabulary
    if known.same:
        return Phrase(
            N_("Both models have the same vocabulary of {teacher_size} words."),
            teacher_size=known.teacher_size,
        )
    aside = Phrase(N_(", capital letters aside,")) if known.folded else ""
    return Phrase(
        N_(
            "The vocabularies differ, so the models are compared word by word: the teacher "
            "has {teacher_size} words as one piece, the student {student_size}, and "
            "{shared}{aside} are in both."
        ),
        teacher_size=known.teacher_size,
        student_size=known.student_size,
        shared=known.shared,
        aside=aside,
    )


def mask_said(mask: ComparedMask) -> Phrase:
    """How far the two are apart at one mask."""
    first = N_("Both expect the same word first.")
    if not mask.agree:
        first = N_("They expect different words.")
    infinite = Phrase(N_("infinite"))
    kl = Phrase(N_("{kl} nats"), kl=decimal(mask.kl, 3)) if mask.kl is not None else infinite
    far = Phrase(
        N_(
            "The total variation is {total_variation} %: that much probability lies on other "
            "words (KL divergence teacher to student {kl}, student to teacher {back})."
        ),
        total_variation=decimal(mask.total_variation * 100, 1),
        kl=kl,
        back=infinite if mask.kl_back is None else decimal(mask.kl_back, 3),
    )
    if min(mask.teacher_share, mask.student_share) >= 0.9995:
        return Phrase.joined((first, far))
    shares = Phrase(
        N_(
            "Words that both have hold {teacher_share} % of the teacher's probability and "
            "{student_share} % of the student's; the rest counts as one word."
        ),
        teacher_share=decimal(mask.teacher_share * 100, 1),
        student_share=decimal(mask.student_share * 100, 1),
    )
    return Phrase.joined((first, far, shares))
