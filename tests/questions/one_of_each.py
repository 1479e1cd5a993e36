"""A short request for every question that can be asked of a model, and how far answers differ."""

import dataclasses
import math
from functools import cache
from pathlib import Path
from typing import Any

from explorer.engine.library.inspection import inspect_folder
from explorer.questions import all_questions, answered_with
from tests.hf import tiny

MODELS = Path(__file__).resolve().parents[2] / "resources" / "models"
NAMES = sorted(path.parent.name for path in MODELS.glob("*/model.safetensors"))
"""Of the bundled models."""
TEXT = "the chef cooked the [MASK] in the kitchen ."
ASKED = {"pair": "what did the chef cook ?"}
"""The second text, of a model that looks for answers."""
OWN = {
    "answer_span": ASKED,
    "candidate_words": {"words": ("meal",)},
    "cost": {"text": TEXT, "seconds": 0.01},
    "prompt": {"text": "chef"},
    "surprisal": {"text": TEXT.replace("[MASK]", "meal")},
    "calibration": {"text": TEXT.replace("[MASK]", "meal")},
    "numerical_precision": {"text": TEXT.replace("[MASK]", "meal")},
}
"""What a question needs besides a text with a mask, and how short a while is enough here."""
NOT_ASKED = {"file_of_sentences", "over_steps"}
"""They ask another question, about a file or at many steps: tests of their own."""
NEAR, NEARLY = 1e-4, 1e-3
"""Batches are larger on a GPU, and sums in another order differ in their last digits."""
OF_THE_DEVICE = {"device", "seconds", "fastest", "slowest", "lower", "upper", "runs"}
"""What may differ: where it ran, how long that took, and how often that was measured."""


def questions() -> list[str]:
    """Names of the questions that are asked."""
    return [
        name
        for name, question in all_questions().items()
        if name not in NOT_ASKED and question.needs_model
    ]


@cache
def offered() -> dict[str, tuple[str, list[str]]]:
    """The family of each model, and the questions that it answers."""
    host = tiny.families()
    found = {}
    for name in NAMES:
        files = inspect_folder(MODELS / name)
        family, _ = host.family_of(files)
        answered = answered_with(family.offers(files))
        found[name] = family.id, [one for one in questions() if one in answered]
    return found


def request_for(name: str, card: Any) -> Any:
    """What a question asks of a model, quickly.

    Args:
        name: Its name.
        card: The model's.
    """
    question = all_questions()[name]
    points = any(head.name == "span_extractor" for head in card.heads)
    given = {"text": TEXT, **(ASKED if points else {}), **OWN.get(name, {})}
    takes = {field.name for field in dataclasses.fields(question.request)}
    request = question.request(**{key: given[key] for key in given if key in takes})
    return request if question.cheap_variant is None else question.cheap_variant(request)


def difference(ours: Any, theirs: Any, where: str = "") -> str | None:
    """The first place where two answers differ; None where they are the same.

    Args:
        ours: As dicts, lists, texts and numbers.
        theirs: The other, likewise.
        where: What is told of the place.
    """
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        pairs = [(f"{where}.{key}", ours[key], theirs[key]) for key in ours.keys() - OF_THE_DEVICE]
    elif isinstance(ours, list | tuple) and len(ours) == len(theirs):
        pairs = [(f"{where}[{n}]", *pair) for n, pair in enumerate(zip(ours, theirs, strict=True))]
    else:
        same = ours == theirs
        if isinstance(ours, float) and isinstance(theirs, float):
            both = math.isnan(ours) and math.isnan(theirs)
            same = both or math.isclose(ours, theirs, rel_tol=NEARLY, abs_tol=NEAR)
        return None if same else f"{where}: {ours!r} and {theirs!r}"
    found = (difference(one, other, place) for place, one, other in pairs)
    return next((one for one in found if one), None)
