"""What to look at first: the word about which student and teacher differ most."""

from collections.abc import Iterator

from explorer.api import Headline
from explorer.questions.distillation.soft_targets.question import SoftTargetsResult
from explorer.questions.distillation.soft_targets.settings import TEMPERATURE
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import significant
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import word_or_piece

SMALL = 0.01
"""A difference that does not stand out."""

Told = tuple[float, int, str, float, float]
"""How far both are apart, at which position, about which word, and what either says."""


def headline(result: SoftTargetsResult, temperature: float = TEMPERATURE.default) -> Headline:
    """The largest difference between the two at a temperature.

    Args:
        result: The answer.
        temperature: Of both distributions; words are compared one by one as they are, at 1.
    """
    at = 1.0 if result.by_word else temperature
    told = list(_by_word(result) if result.by_word else _at_masks(result, at))
    if not told:
        return Headline(NOTHING)
    far, position, word, teacher, student = max(told)
    values = {
        "temperature": significant(at, 3),
        "word": word,
        "teacher": in_percent(teacher),
        "student": in_percent(student),
    }
    place = position if position >= 0 else None
    if result.is_by_number:
        sentence = Phrase(
            N_(
                "At T = {temperature}, the two differ most on the classes “{word}”, which have "
                "the same number: the student says {student}, its teacher {teacher}."
            ),
            **values,
        )
    elif far < SMALL:
        sentence = Phrase(
            N_(
                "At T = {temperature}, the student all but equals its teacher: even on “{word}”, "
                "where they differ most, it says {student}, the teacher {teacher}."
            ),
            **values,
        )
    elif place is None:
        sentence = Phrase(
            N_(
                "At T = {temperature}, the two differ most on “{word}”: the student says "
                "{student}, its teacher {teacher}."
            ),
            **values,
        )
    else:
        sentence = Phrase(
            N_(
                "At T = {temperature}, the two differ most on “{word}” at position {position}: "
                "the student says {student}, its teacher {teacher}."
            ),
            position=str(place),
            **values,
        )
    return Headline(sentence, place)


def _by_word(result: SoftTargetsResult) -> Iterator[Told]:
    for mask in result.by_word:
        for one in mask.words:
            if one.teacher is not None and one.student is not None:
                far = abs(one.student - one.teacher)
                yield far, mask.position, one.word, one.teacher, one.student


def _at_masks(result: SoftTargetsResult, temperature: float) -> Iterator[Told]:
    for mask in result.masks:
        both = mask.at(temperature)
        for place, target in zip(mask.places(), mask.shown(), strict=True):
            p, q = float(both.teacher[place]), float(both.student[place])
            yield abs(q - p), mask.position, word_or_piece(target), p, q
