"""How generators and discriminators learned, in short runs from the same seed, as charts.

The file is written by explorer/pretraining/learning_curves.py.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from explorer.api.question import Cards, Curve, Manner, OneCard, Panel, Said, Width
from explorer.api.question.parts.charts import curves as drawn
from explorer.api.question.parts.charts.curves import Dash, Over
from explorer.paths import Paths
from explorer.text import N_, Phrase

MASKED = N_("masked language model")
WAYS: Mapping[str, tuple[str, Dash]] = {
    "shared": ("bar", "solid"),
    "gradient-disentangled": ("positive", "dash"),
    "separate": ("bar_original", "dot"),
    MASKED: ("danger", "dash dot"),
}
"""Colour and line of each run; the line tells them apart without the colour."""

PLOT = 200.0
ABOUT = N_(
    "Four short runs on the miniatures' texts, with the same seed, texts and masks: ELECTRA with "
    "shared, gradient-disentangled (DeBERTa v3) and separate embeddings, and a masked language "
    "model of the discriminator's size."
)
MISSING = N_(
    "The learning curves are not in this copy of the program: "
    "python -m explorer.pretraining.learning_curves draws them up."
)


@dataclass(frozen=True)
class Series:
    """One line of a plot: steps and values."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class LearningCurves:
    """What was measured while each way of training ran.

    Attributes:
        steps: Of each run.
        chance: What a reader of pairs reaches that always gives the more frequent answer.
        runs: By name: lists of measurements beside lists of steps.
    """

    steps: int
    chance: float
    runs: Mapping[str, Mapping[str, Any]]

    def series(self, kind: str, of: str) -> tuple[Series, ...]:
        """A measurement of every run that has it.

        Args:
            kind: "losses", "accuracy", or "pairs".
            of: Whose it is: "generator", "discriminator"; "accuracy" for pairs.
        """
        found = []
        for name in WAYS:
            if name not in self.runs:
                continue
            run = self.runs[name]
            steps = run["pairs"]["steps"] if kind == "pairs" else run["steps"]
            values = run.get(kind, {}).get(of, ())
            points = tuple(
                (float(step), float(value))
                for step, value in zip(steps, values, strict=False)
                if value is not None
            )
            if len(points) > 1:
                found.append(Series(name, points))
        return tuple(found)


def curves_file() -> Path:
    """Where the bundled curves are."""
    return Paths.standard().resources / "curves" / "electra.json"


@cache
def bundled_curves() -> LearningCurves | None:
    """The curves that came with the program, read once."""
    return read_curves(curves_file())


def read_curves(path: Path) -> LearningCurves | None:
    """Read the file; None where it is not there or not what it should be."""
    try:
        page: dict[str, Any] = json.loads(path.read_text("utf-8"))
        curves = LearningCurves(int(page["steps"]), float(page["chance"]), dict(page["curves"]))
        # Whatever is missing or of another kind shows here, and not while it is painted.
        whole = all(curve_cards(curves)) and bool(curves.series("pairs", "accuracy"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return curves if whole else None


def curve_parts(curves: LearningCurves | None) -> Iterator[Said | Cards]:
    """A card each, as many beside each other as the width holds; or why there are none."""
    yield Said(MISSING if curves is None else ABOUT, Manner.PLAIN)
    if curves is not None:
        yield Cards(curve_cards(curves), Width.WIDE)


def curve_cards(curves: LearningCurves) -> tuple[OneCard, ...]:
    """Sharing compared by both losses, and RTD against masked LM at equal steps."""
    told = (
        N_(
            "A linear reader of the frozen states says whether the second of two texts "
            "follows the first, on unseen texts; no run was shown the answers. Chance is "
            "{chance}. In so short a run masked LM does no worse; the paper's advantage "
            "of RTD shows over far longer ones."
        )
        if _masked_is_not_behind(curves)
        else N_(
            "A linear reader of the frozen states says whether the second of two texts "
            "follows the first, on unseen texts; no run was shown the answers. Chance is "
            "{chance}."
        )
    )
    return (
        _card(
            curves,
            ("pairs", "accuracy"),
            N_("RTD against masked LM, at equal steps"),
            N_("accuracy"),
            Phrase(told, chance=f"{curves.chance:.2f}"),
            # What came out otherwise than published must not be missed.
            Manner.NOTE,
        ),
        _card(
            curves,
            ("losses", "discriminator"),
            N_("Discriminator's loss, by how embeddings are shared"),
            N_("nats"),
            N_(
                "Binary cross-entropy over all tokens while training. A better generator "
                "makes the task harder, so read it together with the generator's loss."
            ),
        ),
        _card(
            curves,
            ("accuracy", "recall"),
            N_("Replaced tokens that are found, by how embeddings are shared"),
            N_("recall"),
            N_(
                "The share of replaced tokens that the discriminator calls replaced, while "
                "training."
            ),
        ),
        _card(
            curves,
            ("losses", "generator"),
            N_("Generator's loss, by how embeddings are shared"),
            N_("nats"),
            N_("Cross-entropy over the masked tokens while training."),
        ),
    )


def _masked_is_not_behind(curves: LearningCurves) -> bool:
    ends = {one.name: one.points[-1][1] for one in curves.series("pairs", "accuracy")}
    detected = [value for name, value in ends.items() if name != MASKED]
    return bool(detected) and ends.get(MASKED, 0.0) >= max(detected)


def _card(
    curves: LearningCurves,
    measured: tuple[str, str],
    title: str,
    unit: str,
    said: str,
    manner: Manner = Manner.EXPLANATION,
) -> OneCard:
    """Lines over training steps, named above with their last values."""
    series = curves.series(*measured)
    lines = tuple(
        Curve(
            one.name,
            np.array([value for _step, value in one.points]),
            *WAYS[one.name],
            after=f" {one.points[-1][1]:.3f}",
            at=np.array([step for step, _value in one.points]),
        )
        for one in series
    )
    values = [value for one in series for _step, value in one.points] or [0.0, 1.0]
    room = (max(values) - min(values)) * 0.06 or 0.01
    begins = max(min(values) - room, min(*values, 0.0))
    panel = Panel(
        measured[1],
        "",
        lines,
        title,
        high=max(values) + room,
        unit=unit,
        height=PLOT,
        begins=begins,
        switched=begins > 0,
    )
    over = Over("steps", N_("steps"), np.array([0.0, float(curves.steps)]), whole=True)
    return OneCard(title, (drawn.Curves(over, (panel,)), Said(said, manner)))
