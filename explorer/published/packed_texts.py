"""Why packed texts are learnt late: what short runs came to, measured once.

The file is written by `explorer.pretraining.pair_objectives.packed`.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from explorer.files.foreign import json_of, read_bytes
from explorer.numerics.evaluation.student_t import MeanInterval, mean_interval
from explorer.paths import own_resources
from explorer.published.pair_objectives import DOCUMENT, FULL
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import decimal
from explorer.text.phrase import NOTHING

MOST_BYTES: Final = 1_000_000
WITHIN: Final = "full-sentences-within"
"""Packed texts in which attention stays within each document."""
ANEW: Final = "full-sentences-anew"
"""The same, with the places of each document counted anew."""


def packed_file() -> Path:
    """The file of all runs."""
    return own_resources() / "world" / "full_sentences.json"


@cache
def packed_page() -> Mapping[str, Any] | None:
    """The file; None where nobody has made it."""
    path = packed_file()
    found: Mapping[str, Any] | None = None
    if path.is_file():
        found = json_of(read_bytes(path, MOST_BYTES))
    return found


@cache
def packed_losses() -> tuple[int, dict[str, MeanInterval]]:
    """Steps of each run, and by way the loss at masked words of single documents, in nats."""
    page = packed_page() or {"runs": (), "steps": 0}
    losses: dict[str, list[float]] = {}
    for run in page["runs"]:
        losses.setdefault(run["way"], []).append(float(run["loss"]))
    return int(page["steps"]), {way: mean_interval(values) for way, values in losses.items()}


def why_packed_is_late() -> Phrase:
    """What packed texts lack, in a sentence or two; "" where nobody has asked it."""
    steps, losses = packed_losses()
    if not losses:
        return NOTHING
    single, packed, within = (decimal(losses[way].mean, 2) for way in (DOCUMENT, FULL, WITHIN))
    return Phrase(
        N_(
            "“Full sentences” are asked about single documents, and that they do far worse is no "
            "fault of it: several documents share one text, and a model has to find out first "
            "which words belong together. After {steps} steps it is at {packed} nats, at {within} "
            "where attention stays within each document, and at {single} on single documents "
            "({seeds} seeds). Published training is far longer; whether ours would catch up was "
            "not tried."
        ),
        steps=steps,
        packed=packed,
        within=within,
        single=single,
        seeds=losses[FULL].count,
    )
