"""Heads that transformers puts on an encoder for a task, by the names of their tensors.

Each has a class of its own, so that a checkpoint whose config names one has that head alone.
"""

from collections.abc import Sequence

from explorer.api.family import MultipleChoice, PairClassifier, SpanExtractor, TokenClassifier
from explorer.hf.family.specs import HeadSpec
from explorer.text import N_

CLASSIFIER = "classifier"
MULTIPLE_CHOICE = "multiple_choice"
TOKEN_CLASSIFIER = "token_classifier"  # noqa: S105 - a head's name
SPAN_EXTRACTOR = "span_extractor"


def text_classifier(*modules: str) -> HeadSpec:
    """Classes of a text or of a pair.

    Args:
        *modules: Its modules, each with a weight and a bias, as "classifier.dense".
    """
    return HeadSpec(
        name=CLASSIFIER,
        title=N_("Sequence classifier"),
        tensors=_tensors_of(modules),
        modules=_beginnings_of(modules),
        ports=(PairClassifier,),
        architecture="ForSequenceClassification",
    )


def multiple_choice(*modules: str, architecture: str = "ForMultipleChoice") -> HeadSpec:
    """One score a sequence, to choose among several.

    Args:
        *modules: Its modules, each with a weight and a bias.
        architecture: How its class ends.
    """
    return HeadSpec(
        name=MULTIPLE_CHOICE,
        title=N_("Multiple choice"),
        tensors=_tensors_of(modules),
        modules=_beginnings_of(modules),
        ports=(MultipleChoice,),
        architecture=architecture,
    )


def _tensors_of(modules: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{one}.{part}" for one in modules for part in ("weight", "bias"))


def _beginnings_of(modules: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{one.partition('.')[0]}." for one in modules))


TOKEN_CLASSES = HeadSpec(
    name=TOKEN_CLASSIFIER,
    title=N_("Token classifier"),
    tensors=("classifier.weight", "classifier.bias"),
    modules=("classifier.",),
    ports=(TokenClassifier,),
    architecture="ForTokenClassification",
)
"""A label for every token."""

ANSWER_SPANS = HeadSpec(
    name=SPAN_EXTRACTOR,
    title=N_("Answer span"),
    tensors=("qa_outputs.weight", "qa_outputs.bias"),
    modules=("qa_outputs.",),
    ports=(SpanExtractor,),
    architecture="ForQuestionAnswering",
)
"""Two scores a token: an answer's start and its end (Devlin et al. 2019, section 4.2)."""

POOLED_CLASSES = text_classifier("pooler.dense", "classifier")
"""BERT's: classes of a text, from the pooled first token."""

POOLED_CHOICE = multiple_choice("pooler.dense", "classifier")
"""BERT's: a score a sequence, from its pooled first token (Devlin et al. 2019, section 4.4)."""

TASK_HEADS = (POOLED_CLASSES, POOLED_CHOICE, TOKEN_CLASSES, ANSWER_SPANS)
"""The heads that BERT and the families built like it have for tasks."""
