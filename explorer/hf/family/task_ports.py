"""Which port each head of a task gives a loaded model."""

from collections.abc import Callable, Collection
from typing import Any

from explorer.api.family import (
    LoadedModel,
    MultipleChoice,
    PairClassifier,
    SpanExtractor,
    TokenClassifier,
)
from explorer.hf.family.task_heads import (
    CLASSIFIER,
    MULTIPLE_CHOICE,
    SPAN_EXTRACTOR,
    TOKEN_CLASSIFIER,
)
from explorer.hf.predict.heads.tasks import (
    NEXT_SENTENCE_LABELS,
    SENTENCE_ORDER_LABELS,
    ModuleClassifier,
    ModuleMultipleChoice,
    ModuleSpanExtractor,
    ModuleTokenClassifier,
)

TASKS: tuple[tuple[str, type, Callable[[LoadedModel], Any]], ...] = (
    (CLASSIFIER, PairClassifier, ModuleClassifier),
    (MULTIPLE_CHOICE, MultipleChoice, ModuleMultipleChoice),
    (TOKEN_CLASSIFIER, TokenClassifier, ModuleTokenClassifier),
    (SPAN_EXTRACTOR, SpanExtractor, ModuleSpanExtractor),
)
"""Heads of classes for one task, the port of each and what answers it."""
PAIRS = {"next_sentence": NEXT_SENTENCE_LABELS, "sentence_order": SENTENCE_ORDER_LABELS}
"""Heads that judge two texts by the pooled first token, and what their scores are for."""


def task_ports(model: LoadedModel, present: Collection[str]) -> dict[type, Any]:
    """The ports of the heads whose weights were loaded, as the model's own class answers them."""
    return {kind: port(model) for head, kind, port in TASKS if head in present}
