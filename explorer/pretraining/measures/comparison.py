"""A student and a rival of its size that trained alone: which of them is nearer to the teacher.

Measured at the places of `explorer.pretraining.measures.evaluation`: masked pieces of withheld
sentences. The figures are kept in the student's folder as ``comparison.json``, and its card shows
them.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.learning.measured.floors import compare
from explorer.learning.measured.places import EvaluatedPiece, draw_places
from explorer.learning.measured.predictions import predict
from explorer.numerics.losses import kl
from explorer.pretraining.cards.masked import MASKED
from explorer.world.corpus import held_out_documents
from explorer.world.exact.readers import exact_reader

SEED: Final = 5
UNSEEN: Final = 600
FILE: Final = "comparison.json"
TEMPERATURES: Final = (1.0, 2.0)
HEADING: Final = "## Beside its teacher, and beside a rival that trained alone"
TITLES: Final = {"teacher": "teacher", "student": "this student", "alone": "alone"}
EXPLANATION: Final = """\
At the same {documents} unseen documents. KL is the divergence from the teacher in nats, agreement
is how often the likeliest piece is the teacher's. The model that trained alone has this student's
architecture, text, masks and steps, and no teacher; it is not kept (the recipe's name with `-alone`
trains it again)."""

Logs = NDArray[np.float64]


def divergence(teacher: Logs, model: Logs, temperature: float) -> float:
    """``KL(teacher || model)`` in nats at a temperature, averaged over the rows.

    Args:
        teacher: log-probabilities (or logits), shape [places, vocabulary].
        model: the other model's, same shape.
        temperature: what both are divided by before the softmax.
    """
    return float(kl(teacher, model, temperature).mean())


def agreement(teacher: Logs, model: Logs) -> float:
    """Share of the rows in which both give the same piece first."""
    return float((teacher.argmax(axis=1) == model.argmax(axis=1)).mean())


@functools.lru_cache(maxsize=1)
def unseen_places(tokenizer: Any, documents: int) -> dict[str, list[EvaluatedPiece]]:
    """The places of comparison, by what is masked."""
    unseen = held_out_documents(documents)
    reader = exact_reader(tokenizer.tokenize)
    return {masked: draw_places(reader, unseen, SEED, share) for masked, share in MASKED.items()}


@functools.lru_cache(maxsize=2)
def unseen_targets(teacher: Any, tokenizer: Any, documents: int) -> dict[str, Logs]:
    """The teacher's log-probabilities at those places, each of shape [places, vocabulary]."""
    return {
        masked: predict(teacher, tokenizer, places)
        for masked, places in unseen_places(tokenizer, documents).items()
    }


def measure(model: Any, teacher: Any, tokenizer: Any) -> dict[str, dict[str, float]]:
    """Figures of a model at the unseen places, by what is masked."""
    targets = unseen_targets(teacher, tokenizer, UNSEEN)
    figures: dict[str, dict[str, float]] = {}
    for masked, places in unseen_places(tokenizer, UNSEEN).items():
        taught = targets[masked]
        own = taught if model is teacher else predict(model, tokenizer, places)
        found = compare(tokenizer, places, own)
        figures[masked] = {
            "loss": round(found.loss, 4),
            "floor": round(found.floor, 4),
            "accuracy": round(found.accuracy, 4),
            **{f"kl_t{t:g}": round(divergence(taught, own, t), 4) for t in TEMPERATURES},
            "agreement": round(agreement(taught, own), 4),
        }
    return figures


def read(folder: Path) -> dict[str, Any]:
    """What has been measured so far."""
    path = folder / FILE
    if not path.is_file():
        return {"documents": UNSEEN, "models": {}, "weights": {}}
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def fingerprint(folder: Path) -> str:
    """A short hash of a miniature's weights."""
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()[:16]


def note(
    folder: Path,
    name: str,
    model: Any,
    teacher: Any,
    tokenizer: Any,
    weights: Path | None = None,
) -> None:
    """Measure a model, keep its figures in a student's folder, and renew the card's section.

    Args:
        folder: the student's.
        name: teacher, student or alone.
        model: the model to measure.
        teacher: the student's teacher.
        tokenizer: the tokenizer of all of them.
        weights: the model's folder, for a fingerprint; None where it is not kept.
    """
    figures = read(folder)
    if weights is not None:
        figures["weights"][name] = fingerprint(weights)
    figures["models"][name] = measure(model, teacher, tokenizer)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    card = folder / "README.md"
    if card.is_file():
        card.write_text(with_section(card.read_text("utf-8"), section(figures)), "utf-8")


def with_section(card: str, text: str) -> str:
    """A card whose section about the comparison is replaced, or added before the last one."""
    parts = card.split("\n## ")
    title = HEADING.removeprefix("## ")
    parts = [part for part in parts if not part.startswith(title)]
    parts.insert(-1, text.removeprefix("## ").rstrip("\n") + "\n")
    return "\n## ".join(parts)


def section(figures: Mapping[str, Any]) -> str:
    """The figures as a section of the card."""
    models: Mapping[str, Any] = figures["models"]
    lines = [
        HEADING,
        "",
        EXPLANATION.format(documents=figures["documents"]),
        "",
        "| | masked | loss | floor | right | KL, T = 1 | KL, T = 2 | agreement |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, title in TITLES.items():
        for masked, row in models.get(name, {}).items():
            lines.append(
                f"| {title} | {masked} | {row['loss']:.3f} | {row['floor']:.3f}"
                f" | {row['accuracy']:.1%} | {row['kl_t1']:.3f} | {row['kl_t2']:.3f}"
                f" | {row['agreement']:.1%} |"
            )
    lines += ["", verdict(models), ""]
    return "\n".join(lines)


def verdict(models: Mapping[str, Any]) -> str:
    """One sentence: whether the teacher was worth it."""
    if "alone" not in models or "student" not in models:
        return "The model that trains alone has not been measured yet."
    marks = {
        masked: [
            student["kl_t1"] < models["alone"][masked]["kl_t1"],
            student["kl_t2"] < models["alone"][masked]["kl_t2"],
            student["agreement"] > models["alone"][masked]["agreement"],
        ]
        for masked, student in models["student"].items()
    }
    won = sum(map(sum, marks.values()))
    count = sum(map(len, marks.values()))
    if won == count:
        return "The student is nearer to its teacher than the model that trained alone, throughout."
    if won == 0:
        return "The student is not nearer to its teacher than the model that trained alone."
    return (
        f"The student is nearer to its teacher than the model that trained alone"
        f" in {won} of {count} figures."
    )
