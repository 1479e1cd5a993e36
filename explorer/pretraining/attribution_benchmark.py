"""``python -m explorer.pretraining.attribution_benchmark`` tests methods on all bundled models.

What it comes to is written to ``resources/world/attribution_benchmark.json`` and printed as the
README's table. It belongs to the weights: after a miniature was trained anew, it is tested anew.
One model alone is asked with ``main.py ask attribution_benchmark --model NAME``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from explorer.api.family import LoadOptions
from explorer.api.family.checkpoint import Source
from explorer.api.question import Context
from explorer.paths import Paths
from explorer.program import Program
from explorer.questions.cause.attribution_benchmark.question import (
    QUESTION,
    AttributionBenchmarkRequest,
    AttributionBenchmarkResult,
)
from explorer.questions.cause.attribution_benchmark.recorded import Recorded, shipped_in

SLOT: Final = "A"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.pretraining.attribution_benchmark",
        description="Test methods of attribution on the bundled models that fill masks.",
    )
    parser.add_argument("models", nargs="*", default=fill_masks(), help="which of them")
    parser.add_argument("--out", type=Path, default=shipped_in(), help="file to write")
    parser.add_argument("--threads", type=int, default=1, help="processor threads")
    options = parser.parse_args(arguments)
    known = json.loads(options.out.read_text("utf-8")) if options.out.is_file() else []
    rows = {one["model"]: one for one in known}
    for name in options.models:
        rows[name] = recorded(benchmark(name, options.threads))
        # After each, so that what was done stays where the next one is stopped.
        lines = [json.dumps(rows[one]) for one in sorted(rows)]
        options.out.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
        print(name, rows[name]["right"], flush=True)
    return 0


def fill_masks() -> tuple[str, ...]:
    """The bundled models that the benchmark can be asked of, by what they answer.

    T5 is none of them: it writes spans of any length, of which the truth about single words says
    nothing. Nor is one that has read no texts of the world, in which the places are, nor a film,
    which is there to be watched.
    """
    program = Program(Paths.standard(), device="cpu", offline=True)
    rows = program.catalogue(program.plugin_host()).list()
    bundled = (row for row in rows if row.source is Source.BUNDLED)
    return tuple(
        sorted(
            row.id
            for row in bundled
            if QUESTION.name in row.operations and row.family != "t5" and "en" in row.world
            # A film is named with the step that is shown.
            if "@" not in row.id
        )
    )


def benchmark(name: str, threads: int = 1) -> AttributionBenchmarkResult:
    """What the methods find in a bundled model.

    Args:
        name: Of the model.
        threads: Of the processor.
    """
    import torch

    torch.set_num_threads(threads)
    runner = Program(Paths.standard(), device="cpu", offline=True).runner()
    runner.load(SLOT, name, LoadOptions("cpu"), Context())
    result: AttributionBenchmarkResult = runner.ask(
        AttributionBenchmarkRequest(), {"model": SLOT}, Context()
    )
    return result


def recorded(result: AttributionBenchmarkResult) -> Mapping[str, Any]:
    """What is kept of it."""
    return {
        "model": result.model.id,
        "places": len(result.places),
        "chance": round(result.chance, 6),
        "right": {one.way.name: one.right for one in result.ways},
        "captured": {one.way.name: round(one.captured, 6) for one in result.ways},
    }


def readme_row(one: Recorded) -> str:
    """A model's row of the README's table: in percent, the best in bold."""
    most = max(one.right.values())
    cells = (
        f"**{100 * one.share(way):.1f}**" if right == most else f"{100 * one.share(way):.1f}"
        for way, right in one.right.items()
    )
    return f"| {one.model} | {one.places} | {' | '.join(cells)} | {100 * one.chance:.1f} |"


if __name__ == "__main__":
    raise SystemExit(main())
