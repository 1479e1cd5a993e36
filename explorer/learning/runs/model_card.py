"""The card of a model that was trained here: on what, how, and what it came to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from explorer import __version__
from explorer.api.question.options.asks import asked_fields

if TYPE_CHECKING:
    from explorer.learning.plan.run_plan import RunPlan
    from explorer.learning.runs.run_folder import RunFolder
    from explorer.learning.training import TrainingRun

SHOWN: Final = 8
"""Rows of the curve in the card."""


def card_of(folder: RunFolder, run: TrainingRun[Any]) -> str:
    """README.md, in English as all cards are."""
    import torch
    import transformers

    plan = folder.plan
    parameters = sum(one.numel() for one in run.model.parameters())
    classes = ", ".join(
        f"`{type(model).__name__}`" for model in run.recipe.parts(run.model).values()
    )
    lines = [
        "---",
        "library_name: transformers",
        "---",
        "",
        f"# {folder.name}",
        "",
        f"A model with {parameters:,} parameters, trained with PLM Explorer {__version__}.",
        f"It loads with transformers' own `AutoTokenizer` and {classes}.",
        "",
        "| | |",
        "|---|---|",
        *(f"| {name} | {value} |" for name, value in planned_rows(plan)),
        f"| Training | {_spent(run)} |",
        *_best(run),
        f"| Libraries | torch {torch.__version__}, transformers {transformers.__version__} |",
        "",
        "## How it learnt",
        "",
        *_curve(run.curve.rows),
        "",
        "Means over the steps since the row before. One run is one seed.",
        "",
        "## How to train it again",
        "",
        "The whole plan, as `plan.json` beside the run has it:",
        "",
        "```json",
        plan.to_json(),
        "```",
        "",
    ]
    return "\n".join(lines)


def planned_rows(plan: RunPlan) -> list[tuple[str, str]]:
    """What was planned, of what means anything: the label of each field, and its value."""
    return [
        (str(field.option.label), _written(getattr(plan, name)))
        for name, field in asked_fields(plan).items()
        if plan.matters(name)
    ]


def _spent(run: TrainingRun[Any]) -> str:
    tokens, reckoned = run.totals["tokens"], run.totals["multiply_adds"]
    return (
        f"{run.step:,} steps, {tokens:,.0f} tokens, {reckoned:.3g} multiply-adds,"
        f" {run.seconds:,.0f} s of one thread"
    )


def _best(run: TrainingRun[Any]) -> list[str]:
    """Which frame it is, where that is not the last one."""
    step = int(run.totals.get("best_step", run.step))
    return [] if step == run.step else [f"| Frame | step {step:,}, the best on held-out texts |"]


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("|", "\\|") or "none"


def _curve(rows: list[dict[str, float]]) -> list[str]:
    """Some rows of the curve, the last one among them, as a table."""
    if not rows:
        return ["No row of the curve is full."]
    every = max(1, -(-len(rows) // SHOWN))
    shown = rows[::-1][::every][::-1]
    beside = ("step", "tokens", "multiply_adds", "seconds", "rate", "gradient_norm")
    found = dict.fromkeys(name for row in rows for name in row)
    names = ["step", *(name for name in found if name not in beside)]
    return [
        f"| {' | '.join(names)} |",
        f"|{'---|' * len(names)}",
        *(f"| {' | '.join(_cell(row, name) for name in names)} |" for row in shown),
    ]


def _cell(row: dict[str, float], name: str) -> str:
    value = row.get(name)
    if value is None:
        return ""
    return f"{value:,.0f}" if name == "step" else f"{value:.4g}"
