"""`python -m benchmarks`: measure every row in one run and write benchmarks/README.md."""

import importlib
import os
import platform
import sys
from pathlib import Path

from benchmarks.row import Row

MODULES = (
    "window_start",
    "first_prediction",
    "latency",
    "sweep",
    "joint_filling",
    "stalls",
    "logging",
    "million",
    "temperature",
    "anatomy",
    "attention",
)
README = Path(__file__).with_name("README.md")


def main(names: list[str]) -> int:
    """Measure the rows named, or all; the table is only written when all were."""
    rows: list[Row] = []
    for name in names or MODULES:
        module = importlib.import_module(f"benchmarks.{name}")
        measured = module.measure()
        rows.extend(measured if isinstance(measured, list) else [measured])
        sys.stdout.write(f"{name}: {_cell(rows[-1])} (at most {rows[-1].at_most:g})\n")
    if not names:
        README.write_text(_page(rows), encoding="utf-8")
    return 0 if all(row.holds for row in rows) else 1


def _cell(row: Row) -> str:
    if row.theirs is None:
        return _amount(row, row.value)
    return f"{row.value:.2f} x" if row.value >= 0.1 else f"{row.value:.4f} x"


def _amount(row: Row, number: float) -> str:
    return f"{number:.0f} {row.unit}" if row.unit else f"{number * 1000:.1f} ms"


def _limit(row: Row) -> str:
    if row.theirs is not None:
        return f"{row.at_most:g} x"
    return f"{row.at_most:g} {row.unit}" if row.unit else f"{row.at_most * 1000:g} ms"


def _page(rows: list[Row]) -> str:
    import torch
    import transformers

    lines = [
        "# Benchmarks",
        "",
        "`python -m benchmarks` measures every row in one run and writes this page. A ratio says",
        "how long ours takes against what a user would pick instead, on the same machine in the",
        "same run; the seconds themselves say little on another machine.",
        "",
        "| what | ours | theirs | result | at most | holds | how |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        theirs = "" if row.theirs is None else _amount(row, row.theirs)
        holds = "yes" if row.holds else "**no**"
        lines.append(
            f"| {row.what} | {_amount(row, row.ours)} | {theirs} | {_cell(row)} | {_limit(row)} "
            f"| {holds} | {row.note} |"
        )
    lines += [
        "",
        (
            f"Measured with Python {platform.python_version()}, torch {torch.__version__}, "
            f"transformers {transformers.__version__}, {os.cpu_count()} cores, "
            f"{platform.system()} {platform.machine()}."
        ),
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
