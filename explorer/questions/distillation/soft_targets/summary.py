"""Soft targets in one row of cells, and in one sentence: of the words that count, as the page."""

from collections.abc import Mapping

import numpy as np

from explorer.api.question import Cell
from explorer.numerics.distributions.comparing import compare, same_first, shared_top
from explorer.questions.distillation.soft_targets.settings import EVERY_WORD
from explorer.questions.distillation.soft_targets.targets import SoftTargetsResult
from explorer.questions.distillation.soft_targets.word_by_word import by_word
from explorer.text import N_

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
