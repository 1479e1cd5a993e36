"""Soft targets in one row of cells, and in one sentence: of the words that count, as the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from explorer.api import Cell
from explorer.numerics.distributions.comparing import compare, same_first, shared_top
from explorer.questions.distillation.soft_targets.settings import EVERY_WORD, TEMPERATURE
from explorer.questions.distillation.soft_targets.word_by_word import by_word
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import significant

if TYPE_CHECKING:
    from explorer.questions.distillation.soft_targets.question import SoftTargetsResult

COLUMN_TITLES = {
    "kl_t*": N_("KL at T = {which}"),
    "agreement_top_1": N_("top 1 agreement"),
    "agreement_top_5": N_("top 5 agreement"),
    "masks": N_("masks"),
    "words": N_("words compared"),
    "matched_by": N_("classes matched by"),
    "shared_mass": N_("mass of shared words"),
    "teacher": N_("teacher's word"),
    "student": N_("student's word"),
    "kl": N_("KL, teacher to student"),
    "total_variation": N_("total variation"),
    "agree": N_("the same"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: SoftTargetsResult) -> Mapping[str, Cell]:
    """How near the student is to the teacher in this sentence, averaged over its masks.

    Over the words that count: those that were asked for, or all.
    """
    if result.what == EVERY_WORD:
        return by_word.summary(result.by_word)
    masks = result.masks
    pairs = [one.counted for one in masks]
    how: dict[str, Cell] = {}
    if result.is_restricted:
        how["words"] = min(len(p) for p, _q in pairs)
    if result.are_classes:
        how["matched_by"] = "number" if result.is_by_number else "name"
    found: dict[str, Cell] = {}
    for temperature in result.temperatures:
        kls = [compare(p, q, temperature).kl_teacher_student for p, q in pairs]
        found[f"kl_t{temperature:g}"] = float(np.mean(kls))
    agreed = [same_first(p, q) for p, q in pairs]
    shared = [shared_top(p, q, 5) / min(5, len(p)) for p, q in pairs]
    return {
        **found,
        "agreement_top_1": float(np.mean(agreed)),
        "agreement_top_5": float(np.mean(shared)),
        "masks": sum(not one.is_of_text for one in masks),
        **how,
        "shared_mass": result.vocabulary.shared_mass,
    }


def headline(result: SoftTargetsResult, temperature: float = TEMPERATURE.default) -> str:
    """Where the student agrees with the teacher, and how far the two are apart.

    Args:
        result: The answer.
        temperature: Of the divergence.
    """
    if not result.masks:
        return by_word.headline(result.by_word)
    agreed = sum(same_first(*one.counted) for one in result.masks)
    far = [one.at(temperature).kl_teacher_student for one in result.masks]
    values = {
        "temperature": significant(temperature, 3),
        "kl": significant(float(np.mean(far)), 3),
    }
    if result.are_classes:
        return Phrase(_of_classes(agrees=agreed == 1, by_number=result.is_by_number), **values)
    return Phrase(
        NN_(
            "Among the words asked for, both put the same one first at {agreed} of {count} mask; "
            "at T = {temperature} the KL divergence over them is {kl} nats.",
            "Among the words asked for, both put the same one first at {agreed} of {count} masks; "
            "at T = {temperature} the KL divergence over them is {kl} nats on average.",
        )
        if result.is_restricted
        else NN_(
            "Both expect the same word at {agreed} of {count} mask; at T = {temperature} the KL "
            "divergence is {kl} nats.",
            "Both expect the same word at {agreed} of {count} masks; at T = {temperature} the KL "
            "divergence is {kl} nats on average.",
        ),
        count=len(result.masks),
        agreed=agreed,
        **values,
    )


def _of_classes(*, agrees: bool, by_number: bool) -> str:
    """What is said of two classifiers of one text."""
    if by_number:
        return (
            N_(
                "Compared by number, as their names differ, both put the same class first; at "
                "T = {temperature} the KL divergence is {kl} nats."
            )
            if agrees
            else N_(
                "Compared by number, as their names differ, the two put different classes first; "
                "at T = {temperature} the KL divergence is {kl} nats."
            )
        )
    return (
        N_("Both put the same class first; at T = {temperature} the KL divergence is {kl} nats.")
        if agrees
        else N_(
            "The two put different classes first; at T = {temperature} the KL divergence is "
            "{kl} nats."
        )
    )
