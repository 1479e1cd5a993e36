"""Which heads a checkpoint's files hold, as far as names and shapes tell before it is loaded."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from explorer.api.family import Files, Head
from explorer.text import N_

from .known import (
    ANSWERS,
    BASE,
    CLASSIFIER,
    LANGUAGE,
    MASKED_LM,
    NEXT_TOKEN,
    TAGGER,
    WRITER,
    classes_of,
    ties_embeddings,
)

TITLES: Mapping[str, str] = {
    MASKED_LM: N_("Masked language model"),
    NEXT_TOKEN: N_("Next token"),
    WRITER: N_("Writing decoder"),
    CLASSIFIER: N_("Sequence classifier"),
    TAGGER: N_("Token classifier"),
    ANSWERS: N_("Answer span"),
}
LABELS_SHOWN = 6
_SAYS_CLASSES = ("classifier", "score", "classification_head", "qa_outputs")
"""Beginnings of the names of heads that transformers puts on for a task with labels."""


def head_named(files: Files) -> str:
    """The head that a checkpoint's config names, or that its tensors tell of; BASE for none."""
    classes = classes_of(str(files.config.get("model_type", "")))
    named = files.config.get("architectures")
    for name in named if isinstance(named, list) else ():
        for head, known in classes.items():
            if name == known and head != BASE:
                return head
    outside = outside_encoder(files)
    if outside and not any(name.startswith(_SAYS_CLASSES) for name in outside):
        return next((head for head in LANGUAGE if head in classes), BASE)
    return BASE


def head_of(files: Files) -> Head | None:
    """The head that the files are for, and whether they hold it; None for an encoder alone."""
    name = head_named(files)
    if name == BASE:
        return None
    missing = _missing(name, files) if files.tensors else ()
    return Head(name, title_of(name, files.config), not missing, missing)


def title_of(head: str, config: Mapping[str, Any]) -> str:
    """What a user reads: "Token classifier (3 labels: O, B-PER, I-PER)"."""
    labels = config.get("id2label")
    if head not in {CLASSIFIER, TAGGER} or not isinstance(labels, Mapping) or not labels:
        return TITLES[head]
    shown = ", ".join(str(label) for label in list(labels.values())[:LABELS_SHOWN])
    more = ", …" if len(labels) > LABELS_SHOWN else ""
    return f"{TITLES[head]} ({len(labels)} labels: {shown}{more})"


def ties(config: Mapping[str, Any]) -> bool:
    """Whether a config makes the output matrix the embedding."""
    own = config.get("tie_word_embeddings")
    return bool(own) if own is not None else ties_embeddings(str(config.get("model_type", "")))


def _missing(head: str, files: Files) -> tuple[str, ...]:
    outside = outside_encoder(files)
    rows = files.config.get("vocab_size")
    has_matrix = any(
        len(files.tensors[name].shape) == 2 and rows in files.tensors[name].shape
        for name in outside
    )
    if head in {NEXT_TOKEN, WRITER}:
        return () if has_matrix or ties(files.config) else ("the output matrix",)
    if head == MASKED_LM and outside and not has_matrix and not ties(files.config):
        return ("the output matrix",)
    return () if outside else ("every tensor of the head",)


def outside_encoder(files: Files) -> tuple[str, ...]:
    """Names of the tensors that lie beside the encoder; none where it was saved alone."""
    tensors = files.tensors
    rows = files.config.get("vocab_size")
    first = Counter(name.partition(".")[0] for name in tensors)
    prefix, count = first.most_common(1)[0] if first else ("", 0)
    holds_pieces = any(
        name.startswith(f"{prefix}.") and len(one.shape) == 2 and one.shape[0] == rows
        for name, one in tensors.items()
    )
    if 2 * count <= len(tensors) or not holds_pieces:
        prefix = ""
    # Without a prefix the encoder was saved alone, and perhaps an output matrix with it.
    return tuple(
        sorted(
            name
            for name in tensors
            if (not name.startswith(f"{prefix}.") if prefix else name.startswith("lm_head"))
            and "pooler" not in name
        )
    )
