"""What ``python -m explorer.pretraining --list`` prints: a row a recipe, with figures if built."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from explorer.pretraining.distillation.students import AloneRecipe
from explorer.pretraining.measures import comparison
from explorer.pretraining.miniature import MiniatureRecipe

HEADINGS: Final = ("recipe", "family", "steps", "MB", "loss", "right", "folder")
NOT_BUILT: Final = "not built"
NOTHING: Final = "-"
# What a training curve calls the loss and the accuracy of what its family predicts.
LOSSES: Final = (
    "loss_mlm", "mlm_loss", "mlm", "loss_next", "loss_spans", "loss_answer", "answer", "loss_label",
    "loss_choice",
)  # fmt: skip
ACCURACIES: Final = (
    "mlm_accuracy", "next_accuracy", "token_accuracy", "answer_accuracy", "label_accuracy",
    "choice_accuracy",
)  # fmt: skip
# Batches differ, so figures are means over the last rows of the curve.
LAST_ROWS: Final = 5


@dataclass(frozen=True, slots=True)
class MiniatureFigures:
    """What is known of a miniature that is built.

    Attributes:
        steps: training steps.
        megabytes: size of all folders; None where nothing is kept of it.
        loss: in nats a predicted token, at the end of training.
        accuracy: share predicted right, from 0 to 1.
    """

    steps: int
    megabytes: float | None
    loss: float | None
    accuracy: float | None


def figures(recipe: MiniatureRecipe, models: Path) -> MiniatureFigures | None:
    """Figures of a recipe's miniature; None where it is not built.

    Args:
        recipe: the recipe.
        models: the folder of bundled models.
    """
    if isinstance(recipe, AloneRecipe):
        alone = comparison.read(models / recipe.folder)["models"].get("alone")
        if alone is None:
            return None
        row = alone["15 %"]
        return MiniatureFigures(recipe.schedule.steps, None, row["loss"], row["accuracy"])
    folders = [path.parent for path in sorted(models.glob(f"{recipe.folder}*/curve.json"))]
    if not folders:
        return None
    curve = json.loads((folders[0] / "curve.json").read_text("utf-8"))
    rows = curve["rows"][-LAST_ROWS:]
    size = sum(file.stat().st_size for folder in folders for file in folder.iterdir())
    return MiniatureFigures(
        curve["steps"], size / 1e6, _mean(rows, LOSSES), _mean(rows, ACCURACIES)
    )


def _mean(rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> float | None:
    """The mean over the rows of the first of some measurements that all of them have."""
    for name in names:
        if rows and all(name in row for row in rows):
            return sum(row[name] for row in rows) / len(rows)
    return None


def listing(recipes: Mapping[str, MiniatureRecipe], models: Path) -> str:
    """The table.

    Args:
        recipes: by their name on the command line.
        models: the folder of bundled models.
    """
    rows = [HEADINGS]
    for name, recipe in recipes.items():
        found = figures(recipe, models)
        if found is None:
            numbers = (str(recipe.schedule.steps), NOTHING, NOTHING, NOT_BUILT)
        else:
            numbers = (
                str(found.steps),
                _shown(found.megabytes, ".1f"),
                _shown(found.loss, ".3f"),
                _shown(found.accuracy, ".1%"),
            )
        rows.append((name, recipe.title, *numbers, recipe.folder))
    return "\n".join(_aligned(rows))


def _shown(value: float | None, form: str) -> str:
    return NOTHING if value is None else format(value, form)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    numbers = range(2, len(widths) - 1)
    for row in rows:
        cells = [
            cell.rjust(width) if place in numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
