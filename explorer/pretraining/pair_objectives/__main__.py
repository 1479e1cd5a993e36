"""``python -m explorer.pretraining.pair_objectives`` compares objectives for pairs, and formats.

Every way is trained from several seeds on courses of events (`explorer.world.courses`), which are
told in order by what the world knows alone. What it comes to is written to
``resources/world/pair_objectives.json`` after each run; runs that are there already are not trained
again, so that a command that was stopped is simply given again.

Each run is measured on documents with a withheld sentence, none of which was trained on:

* masked words: loss in nats beside the exact floor, and how often the likeliest word is right;
* next sentence and sentence order, each by the model's own head as it is, where one was trained,
  and by a linear classifier fitted to the pooled vectors of the frozen encoder;
* what happens next, by a linear classifier of the frozen states (`what_follows`).
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from explorer.learning.training import TrainingRun
from explorer.pretraining.pair_objectives import measuring, ways, what_follows
from explorer.pretraining.pair_objectives.ways import (
    FORMAT_WAYS,
    OBJECTIVE_WAYS,
    ObjectiveFormat,
    WayRecipe,
)
from explorer.published.pair_objectives import NONE, SEGMENTS, shipped_in
from explorer.world.courses.corpus import held_out_courses, training_courses

COMMAND: Final = "python -m explorer.pretraining.pair_objectives"
OBJECTIVE_SEEDS: Final = 5
FORMAT_SEEDS: Final = 2
# Pairs a classifier is fitted to, pairs it is tested on, documents that go on, and masked places.
FITTED: Final = 2000
TESTED: Final = 1000
CONTINUED: Final = 4000
PLACES: Final = 500


class Laboratory:
    """What all runs share: texts, tokenizer, and what they are tested on.

    Args:
        documents: how many are trained on.
        tested: pairs of each task; twice as many are fitted to.
    """

    def __init__(self, documents: int, tested: int) -> None:
        self.texts = training_courses(documents)
        self.tokenizer = WayRecipe(OBJECTIVE_WAYS[0]).make_tokenizer(self.texts)
        unseen = held_out_courses(tested)
        fitted = self.texts[: tested * FITTED // TESTED]
        self.known = self._pairs(fitted, seed=1)
        self.unseen = self._pairs(unseen, seed=2)
        self.masked = measuring.draw_masked(self.tokenizer, unseen[:PLACES], seed=3)
        self.asked = [
            what_follows.draw_continuations(self.tokenizer, texts)
            for texts in (self.texts[: tested * CONTINUED // TESTED], unseen)
        ]

    def _pairs(self, documents: Any, seed: int) -> dict[str, measuring.Pairs]:
        draw = measuring.draw_pairs
        return {task: draw(self.tokenizer, documents, task, seed) for task in measuring.TASKS}

    def bounds(self) -> dict[str, Any]:
        """What nobody can do better, and what guessing comes to."""
        return {
            "floor": round(self.masked.floor, 4),
            "knowing": {
                task: round(measuring.knowing_reader(self.tokenizer, pairs), 4)
                for task, pairs in self.unseen.items()
            },
        }

    def run(self, way: ObjectiveFormat, seed: int, steps: int) -> tuple[dict[str, Any], Any]:
        """Train in one way from one seed, and measure.

        Returns:
            What is kept of it, and the model.
        """
        import torch

        recipe = WayRecipe(way)
        torch.manual_seed(seed)
        model = recipe.make_model(self.tokenizer)
        batches = recipe.make_batches(self.tokenizer, self.texts, seed)
        TrainingRun(recipe, model, batches, steps, seed).train()
        model.eval()
        loss, right = measuring.masked_loss(model, self.tokenizer, self.masked, way)
        found: dict[str, Any] = {
            "objective": way.objective,
            "format": way.format,
            "seed": seed,
            "date": dt.datetime.now(tz=dt.UTC).date().isoformat(),
            "loss": round(loss, 4),
            "masked": round(right, 4),
            "head": {},
            "classifier": {},
        }
        for task in measuring.TASKS if way.format == SEGMENTS else ():
            head, classifier = measuring.head_and_classifier(
                model, self.tokenizer, self.known[task], self.unseen[task]
            )
            found["classifier"][task] = round(classifier, 4)
            if way.objective != NONE:
                found["head"][task] = round(head, 4)
        follows = what_follows.accuracy(model, self.tokenizer, *self.asked)
        found["what_follows"] = round(follows, 4)
        return found, model


def plan(seeds: int | None) -> list[tuple[ObjectiveFormat, int]]:
    """Ways and seeds, seed by seed, so that a part of it is a whole comparison.

    Formats have fewer seeds, and come one seed later.
    """
    formats = [way for way in FORMAT_WAYS if way not in OBJECTIVE_WAYS]
    found = []
    for seed in range(OBJECTIVE_SEEDS + 1):
        if seed < (OBJECTIVE_SEEDS if seeds is None else seeds):
            found += [(way, seed) for way in OBJECTIVE_WAYS]
        if 0 <= seed - 1 < (FORMAT_SEEDS if seeds is None else seeds):
            found += [(way, seed - 1) for way in formats]
    return found


def settings(options: argparse.Namespace) -> dict[str, Any]:
    """What has to agree for runs to be of one comparison."""
    return {
        "command": COMMAND,
        "architecture": {
            "layers": ways.LAYERS,
            "width": ways.WIDTH,
            "heads": ways.HEADS,
        },
        "steps": options.steps,
        "tokens": ways.TOKENS,
        "documents": options.documents,
        "fitted": options.tested * FITTED // TESTED,
        "tested": options.tested,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is missing. Returns the exit code: 0 done, 2 the user's mistake."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Compare objectives for pairs.")
    parser.add_argument("--out", type=Path, default=shipped_in(), help="file to write")
    parser.add_argument("--steps", type=int, default=ways.STEPS, help="training steps of each run")
    parser.add_argument("--documents", type=int, default=ways.DOCUMENTS, help="texts to train on")
    parser.add_argument("--tested", type=int, default=TESTED, help="pairs to test on")
    parser.add_argument("--seeds", type=int, help="seeds of every way (5 and 2 if not given)")
    parser.add_argument("--models", type=Path, help="folder for the models of seed 0")
    parser.add_argument("--threads", type=int, default=1, help="processor threads")
    options = parser.parse_args(arguments)

    wanted = settings(options)
    page: dict[str, Any] = {**wanted, "bounds": {}, "runs": []}
    if options.out.is_file():
        page = json.loads(options.out.read_text("utf-8"))
        different = [name for name, value in wanted.items() if page[name] != value]
        if different:
            print(
                f"{options.out} is of other settings ({', '.join(different)}). Name another file.",
                file=sys.stderr,
            )
            return 2
    done = {(ObjectiveFormat(run["objective"], run["format"]), run["seed"]) for run in page["runs"]}
    left = [one for one in plan(options.seeds) if one not in done]
    if not left:
        return 0

    import torch

    torch.set_num_threads(options.threads)
    laboratory = Laboratory(options.documents, options.tested)
    page["bounds"] = laboratory.bounds()
    for way, seed in left:
        found, model = laboratory.run(way, seed, options.steps)
        if options.models is not None and seed == 0:
            _keep(model, laboratory.tokenizer, options.models / f"{way.objective}-{way.format}")
        page["runs"].append(found)
        write(page, options.out)
        print(json.dumps(found), flush=True)
    return 0


def _keep(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write a model, whole."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def write(page: Mapping[str, Any], path: Path) -> None:
    """A run a line, so that what changed is seen; whole or not at all."""
    head = {name: value for name, value in page.items() if name != "runs"}
    lines = [f" {json.dumps(name)}: {json.dumps(value)}," for name, value in head.items()]
    runs = ",\n".join(f"  {json.dumps(run)}" for run in page["runs"])
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text("\n".join(["{", *lines, f' "runs": [\n{runs}\n ]', "}"]) + "\n", "utf-8")
    partial.replace(path)


if __name__ == "__main__":
    raise SystemExit(main())
