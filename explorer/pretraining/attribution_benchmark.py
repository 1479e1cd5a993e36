"""``python -m explorer.pretraining.attribution_benchmark`` tests methods on all bundled models.

What it comes to is written to ``resources/world/attribution_benchmark.json`` and, as a table with
intervals and paired tests, into README.md and README.ko.md; that of all pairs of methods is put
into docs/methods.md. It belongs to the weights and to the
methods: after a miniature was trained anew, or a method was changed, it is tested anew; a method
that is new can be tested alone (``--methods``), and each has the hash of the sources that it was
tested with. What was done is kept in the user's cache, so that a run that was stopped goes on where
it was.
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
from explorer.pretraining.attribution_tables import write_tables
from explorer.program import Program
from explorer.questions.cause.attribution_benchmark.kept import own_digest
from explorer.questions.cause.attribution_benchmark.places import KnownPlace, every_place
from explorer.questions.cause.attribution_benchmark.question import (
    QUESTION,
    AttributionBenchmarkRequest,
)
from explorer.questions.cause.attribution_benchmark.recorded import Recorded, shipped_in
from explorer.questions.cause.attribution_benchmark.tested import AttributionBenchmarkResult

SLOT: Final = "A"
ROOT: Final = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.pretraining.attribution_benchmark",
        description="Test methods of attribution on the bundled models that fill masks.",
    )
    parser.add_argument("models", nargs="*", default=fill_masks(), help="which of them")
    parser.add_argument("--out", type=Path, default=shipped_in(), help="file to write")
    parser.add_argument("--methods", default="", help="these alone, commas between; others stay")
    parser.add_argument("--threads", type=int, default=1, help="processor threads")
    parser.add_argument("--tables", action="store_true", help="write the tables alone")
    options = parser.parse_args(arguments)
    known = json.loads(options.out.read_text("utf-8")) if options.out.is_file() else []
    rows = {one["model"]: one for one in known}
    names = [] if options.tables else options.models
    methods = tuple(filter(None, options.methods.split(",")))
    for name in names:
        found = recorded(benchmark(name, options.threads, methods))
        rows[name] = beside(rows[name], found) if methods and name in rows else found
        # After each, so that what was done stays where the next one is stopped.
        lines = [json.dumps(rows[one]) for one in sorted(rows)]
        options.out.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
        print(name, found["right"], flush=True)
    write_tables(ROOT, tuple(Recorded(**rows[one]) for one in sorted(rows)))
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


def benchmark(
    name: str, threads: int = 1, methods: tuple[str, ...] = ()
) -> AttributionBenchmarkResult:
    """What the methods find in a bundled model.

    Args:
        name: Of the model.
        threads: Of the processor.
        methods: Some of them; none for all.
    """
    import torch

    torch.set_num_threads(threads)
    paths = Paths.standard()
    runner = Program(paths, device="cpu", offline=True).runner()
    runner.load(SLOT, name, LoadOptions("cpu"), Context())
    result: AttributionBenchmarkResult = runner.ask(
        AttributionBenchmarkRequest(methods=methods), {"model": SLOT}, Context(cache=paths.cache)
    )
    return result


def recorded(result: AttributionBenchmarkResult) -> Mapping[str, Any]:
    """What is kept of it."""
    every = [KnownPlace.of(one) for one in every_place()]
    numbers = [every.index(one) for one in result.places]

    def by_place(found: Sequence[bool]) -> str:
        """A character a place of all: 1 or 0, and "-" where the model can't be asked."""
        marks = ["-"] * len(every)
        for number, one in zip(numbers, found, strict=True):
            marks[number] = "1" if one else "0"
        return "".join(marks)

    return {
        "model": result.model.id,
        "places": len(result.places),
        "chance": round(result.chance, 6),
        "right": {one.way.name: one.right for one in result.ways},
        "captured": {one.way.name: round(one.captured, 6) for one in result.ways},
        "mass": {one.way.name: round(one.mass or 0.0, 6) for one in result.ways},
        "rank": {one.way.name: round(one.rank or 0.0, 6) for one in result.ways},
        "hits": {one.way.name: by_place(result.hits(one)) for one in result.ways},
        "agrees": by_place(result.agrees),
        "weights": result.model.fingerprint,
        "methods": {one.way.name: own_digest()[:16] for one in result.ways},
        "version": result.version,
    }


def beside(known: Mapping[str, Any], found: Mapping[str, Any]) -> Mapping[str, Any]:
    """What was recorded of a model with some methods more, or anew.

    Raises:
        ValueError: The weights or the places are others, so that all are to be tested.
    """
    fields = {field for field, value in found.items() if isinstance(value, Mapping)}
    if any(known[field] != found[field] for field in found.keys() - fields - {"version"}):
        raise ValueError(f"{found['model']} is not what was tested before.")
    return {**found, **{field: {**known[field], **found[field]} for field in fields}}


if __name__ == "__main__":
    raise SystemExit(main())
