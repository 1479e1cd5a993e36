"""Models that learn, by the names that people type, and those that there are to choose from."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeVar

from explorer.api.question import ExplorerError
from explorer.engine.library.inspection import inspect_folder
from explorer.learning.runs.trainings import Trainings
from explorer.learning.tuning.models import numbers_in
from explorer.learning.tuning.plan import TuningPlan
from explorer.paths import own_resources

Planned = TypeVar("Planned", bound=TuningPlan)

LEARNING: Final = frozenset(
    {"albert", "bert", "distilbert", "electra", "ernie", "gpt2", "mobilebert", "openai-gpt"}
    | {"roberta", "deberta", "deberta-v2", "t5", "xlm"}
)
"""Types of bundled models for which transformers has a head for classes of texts."""
_NO_PLACES: Final = LEARNING - {"openai-gpt", "xlm"}
"""GPT has no head for a label or a place; XLM’s tokenizer can't tell where a token is."""
LEARNS: Final[Mapping[str, frozenset[str]]] = {
    "classes": LEARNING,
    "words": _NO_PLACES,
    "spans": _NO_PLACES - {"t5"},
    "choices": LEARNING - {"openai-gpt", "gpt2", "deberta", "t5"},
}
"""The same by the form of a task."""
_TUNED_BEFORE: Final = re.compile(
    r"-(answers|labels|choice|endings|prompts|sentiment|tasks)-|-generator$"
)
"""Names of bundled models that learnt a task of their own, or serve another model."""


def with_run(plan: Planned, trainings: Trainings) -> Planned:
    """The same plan; a finished run that it names as its model is the folder of that."""
    model = trainings.model_named(plan.base)
    return plan if model is None else dataclasses.replace(plan, base=str(model))


def bundled_bases(form: str) -> Iterator[tuple[str, str, int]]:
    """Bundled models that can learn a form of task: name, type, and how many numbers they hold."""
    for folder in sorted((own_resources() / "models").iterdir()):
        if _TUNED_BEFORE.search(folder.name):
            continue
        try:
            files = inspect_folder(folder)
        except ExplorerError:
            continue
        kind = str(files.config.get("model_type", ""))
        if kind in LEARNS[form] and files.has_tokenizer and files.weight_files:
            yield folder.name, kind, numbers_in(files)
