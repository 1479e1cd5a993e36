"""``python -m explorer.pretraining.exact_calibration`` holds bundled models to exact probabilities.

Every token of texts that were kept from training is hidden in turn, or read from the left, and what
the model says is laid beside the exact distribution. What comes of it is written to
``resources/world/exact_calibration.json`` after each model, with the weights' fingerprint: a run
that was stopped goes on with the others, and a model that was trained anew is asked anew. The table
goes into docs/methods.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from explorer import __version__
from explorer.api.family import LoadOptions
from explorer.api.family.checkpoint import Source
from explorer.api.question import Context
from explorer.exact_answers.answers import ExactAnswersResult
from explorer.exact_answers.asking import ExactAnswersRequest
from explorer.numerics.evaluation.calibration import error_interval, reliability
from explorer.numerics.evaluation.clustered_means import clustered_mean
from explorer.paths import Paths
from explorer.pretraining.tables_in_files import put_between
from explorer.program import Program
from explorer.questions.cause.attribution_benchmark.places import KnownPlace, every_place
from explorer.questions.masking.calibration.bundled import ExactCalibration, shipped_in
from explorer.questions.masking.calibration.question import QUESTION

SLOT: Final = "A"
TEXTS: Final = 100
"""The first of those that were kept from training."""
ROOT: Final = Path(__file__).resolve().parents[2]
TABLE_IN: Final = Path("docs/methods.md")
BEGIN: Final = "<!-- calibration against exact probabilities, made by its command -->"
END: Final = "<!-- the end of calibration -->"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.pretraining.exact_calibration",
        description="Hold what bundled models say against exact probabilities.",
    )
    parser.add_argument("models", nargs="*", help="which of them; all that are not known yet")
    parser.add_argument("--out", type=Path, default=shipped_in(), help="file to write")
    parser.add_argument("--table", action="store_true", help="write the table of docs alone")
    options = parser.parse_args(arguments)
    known = json.loads(options.out.read_text("utf-8")) if options.out.is_file() else []
    rows = {one["model"]: one for one in known}
    program = Program(Paths.standard(), device="cpu", offline=True)
    for name in [] if options.table else options.models or predict_words(program):
        found = calibrated(program, name, None if options.models else rows.get(name))
        if found is None:
            continue
        rows[name] = found
        lines = [json.dumps(rows[one]) for one in sorted(rows)]
        options.out.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
        print(name, found["error"], found["divergence"], flush=True)
    put_between(ROOT / TABLE_IN, BEGIN, END, table_of(rows.values()))
    return 0


def predict_words(program: Program) -> tuple[str, ...]:
    """The bundled models whose words can be held against the English world's."""
    rows = program.catalogue(program.plugin_host()).list()
    return tuple(
        sorted(
            row.id
            for row in rows
            if row.source is Source.BUNDLED
            and QUESTION.name in row.operations
            and "en" in row.world
            # A film is named with the step that is shown.
            and "@" not in row.id
        )
    )


def calibrated(
    program: Program, name: str, known: Mapping[str, Any] | None = None
) -> Mapping[str, Any] | None:
    """What is kept of a model; None of one that fills spans, of which single places say nothing.

    Args:
        program: What loads it.
        name: Of the model.
        known: What was kept of it before, which holds for the same weights and version.
    """
    import torch

    torch.set_num_threads(1)
    runner = program.runner()
    stamp = runner.load(SLOT, name, LoadOptions("cpu"), Context()).stamp
    if known and (known["weights"], known["version"]) == (stamp.fingerprint, __version__):
        return known
    answers: list[ExactAnswersResult] = []
    for place in every_place()[:TEXTS]:
        request = ExactAnswersRequest(KnownPlace.of(place).text, every=True)
        answers.append(runner.ask(request, {"model": SLOT}, Context()))
    return kept_of(answers)


def kept_of(answers: Sequence[ExactAnswersResult]) -> Mapping[str, Any] | None:
    """The numbers of answers about whole texts; None where there is no place."""
    told = [one for one in answers if one.places]
    if not told:
        return None
    text_of = np.repeat(np.arange(len(told)), [len(one.places) for one in told])
    places = [place for one in told for place in one.places]
    confidence = np.array([place.first.model for place in places])
    exact = np.array([place.first.exact for place in places])
    stands = np.array([float(place.first.is_original) for place in places])
    found = reliability(confidence, exact, drawn=False)
    against_text = reliability(confidence, stands)
    between = error_interval(confidence, exact, text_of)
    apart = clustered_mean(
        [[abs(place.first.model - place.first.exact) for place in one.places] for one in told]
    )
    divergence = clustered_mean([[place.divergence for place in one.places] for one in told])
    assert between is not None
    assert found.error is not None
    assert against_text.error is not None
    kept = ExactCalibration(
        model=told[0].model.id,
        from_left=told[0].from_left,
        texts=len(told),
        places=len(places),
        confidence=_short(found.confidence),
        exact=_short(found.accuracy),
        error=_short(found.error),
        error_between=(_short(between[0]), _short(between[1])),
        apart=_short(apart.mean),
        apart_between=(_short(apart.low), _short(apart.high)),
        divergence=_short(divergence.mean),
        divergence_between=(_short(divergence.low), _short(divergence.high)),
        floor=_short(sum(place.entropy for place in places) / len(places)),
        text_error=_short(against_text.error),
        weights=told[0].model.fingerprint,
        version=__version__,
    )
    return asdict(kept)


def _short(value: float | None) -> float:
    assert value is not None
    return round(value, 6)


def table_of(rows: Sequence[Mapping[str, Any]] | Any) -> str:
    """A row a model, the one with the least divergence first."""
    heads = (
        *("model", "reads", "calibration error", "95 %", "mean abs(p - exact)", "95 %"),
        *("KL to exact, nats", "95 %", "error against the texts"),
    )
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for one in sorted(rows, key=lambda one: float(one["divergence"])):
        cells = [one["model"], "from the left" if one["from_left"] else "both sides"]
        for name in ("error", "apart", "divergence"):
            low, high = one[f"{name}_between"]
            cells += [f"{one[name]:.3f}", f"{low:.3f}-{high:.3f}"]
        cells.append(f"{one['text_error']:.3f}")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
