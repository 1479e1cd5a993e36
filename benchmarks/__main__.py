"""`python -m benchmarks [NAME ...]`: measure all rows, or some, into benchmarks/README.md."""

import argparse
import importlib
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.row import NotMeasured, Row

MODULES = (
    "window_start",
    "first_prediction",
    "latency",
    "sweep",
    "continuation",
    "joint_filling",
    "lens",
    "attribution",
    "file_of_sentences",
    "pairs_of_a_file",
    "processes",
    "stalls",
    "logging",
    "million",
    "temperature",
    "contexts",
    "anatomy",
    "tokenizers",
    "attention",
    "panning",
    "pass_frames",
    "training_step",
    "scrubbing",
    "accelerator",
)
README = Path(__file__).with_name("README.md")


def main(names: list[str]) -> int:
    """Measure the rows named, or all; those of other names stay on the page as they are."""
    rows: list[Row] = []
    missing: list[NotMeasured] = []
    for name in names or MODULES:
        module = importlib.import_module(f"benchmarks.{name}")
        try:
            measured = module.measure()
        except NotMeasured as without:
            missing.append(without)
            sys.stdout.write(f"{name}: not measured: {without.why}\n")
            continue
        rows.extend(measured if isinstance(measured, list) else [measured])
        sys.stdout.write(f"{name}: {_cell(rows[-1])} (at most {rows[-1].at_most:g})\n")
    before = _lines_of(README.read_text(encoding="utf-8"))
    # What can't be measured here keeps what was measured elsewhere.
    lines: dict[str, str] = {}
    for one in missing:
        there = {what: line for what, line in before.items() if one.elsewhere in what}
        lines |= there or {one.what: _unmeasured(one)}
    lines |= {row.what: _line(row) for row in rows}
    kept = before if names else {}
    README.write_text(_page({**kept, **lines}), encoding="utf-8")
    return 0 if all(row.holds for row in rows) else 1


def _lines_of(page: str) -> dict[str, str]:
    """The rows of a page by what they measure."""
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    return {line.split(" | ")[0].removeprefix("| "): line for line in rows[1:]}


def _line(row: Row) -> str:
    theirs = "" if row.theirs is None else _amount(row, row.theirs)
    holds = "yes" if row.holds else "**no**"
    return (
        f"| {row.what} | {_amount(row, row.ours)} | {theirs} | {_cell(row)} | {_limit(row)} "
        f"| {holds} | {row.note} |"
    )


def _unmeasured(one: NotMeasured) -> str:
    why = one.why.replace("|", "/")
    return f"| {one.what} |  |  | not measured |  |  | {why} |"


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


def _page(rows: Mapping[str, str]) -> str:
    import torch
    import transformers

    lines = [
        "# Benchmarks",
        "",
        "`python -m benchmarks` measures every row and writes this page; with names, those rows.",
        "A ratio says how long ours takes against what a user would pick instead, on the same",
        "machine in the same run; the seconds themselves say little on another machine.",
        "",
        "| what | ours | theirs | result | at most | holds | how |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += rows.values()
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


def names_of(arguments: Sequence[str]) -> list[str]:
    """The rows that are typed; one that is none ends the program with a line that says so."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure the rows of benchmarks/README.md, all or some, and write that page.",
    )
    # With choices for a list of any length argparse takes the empty one for none of them.
    one_of = f"one of {', '.join(MODULES)}"
    parser.add_argument("names", nargs="*", metavar="NAME", help=one_of)
    names: list[str] = parser.parse_args(arguments).names
    for name in names:
        if name not in MODULES:
            parser.error(f"{name} is not {one_of}")
    return names


if __name__ == "__main__":
    sys.exit(main(names_of(sys.argv[1:])))
