"""``python -m explorer.pretraining.lenses`` trains the tuned lenses that come with the program.

Each is written to ``resources/lenses/NAME.safetensors``, with how it was trained and measured in
its metadata (`explorer.questions.layers.tuned_lens.lens`). It belongs to the weights that it was
trained for: after a miniature was trained anew, so is its lens.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from explorer.api.family import LoadOptions
from explorer.api.question import Context
from explorer.paths import Paths
from explorer.program import Program
from explorer.questions.layers.tuned_lens import kept, lens
from explorer.questions.layers.tuned_lens.texts import digest_of, of_world
from explorer.questions.layers.tuned_lens.training import LensTrainingPlan, train

MODELS: Final = (
    "bert-miniature",
    "roberta-miniature",
    "electra-miniature-generator",
    "gpt2-miniature",
)
SLOT: Final = "A"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.pretraining.lenses",
        description="Train the tuned lenses that come with the program.",
    )
    parser.add_argument("models", nargs="*", default=MODELS, help="which bundled models")
    parser.add_argument("--out", type=Path, default=kept.shipped_in(), help="folder to write")
    parser.add_argument("--threads", type=int, default=1, help="processor threads")
    parser.add_argument(
        "--steps", type=int, default=LensTrainingPlan.steps, help="of the optimiser"
    )
    options = parser.parse_args(arguments)
    write_lenses(options.models, options.out, threads=options.threads, steps=options.steps)
    return 0


def write_lenses(
    models: Sequence[str], out: Path, *, threads: int = 1, steps: int = LensTrainingPlan.steps
) -> None:
    """Train lenses of bundled models on the small world, and write them.

    Args:
        models: Their names.
        out: The folder.
        threads: Of the processor.
        steps: Of the optimiser.
    """
    import torch

    torch.set_num_threads(threads)
    runner = Program(Paths.standard(), device="cpu", offline=True).runner()
    texts = of_world()
    for name in models:
        runner.load(SLOT, name, LoadOptions(device="cpu"), Context())
        model = runner.models[SLOT]
        trained = train(model, texts, Context(), LensTrainingPlan(steps=steps))
        path = out / f"{name}{lens.ENDING}"
        lens.write(trained, model.stamp.fingerprint, digest_of(""), path)
        pairs = zip(trained.training.tuned, trained.training.logit, strict=True)
        rows = ", ".join(f"{tuned:.3f} ({logit:.3f})" for tuned, logit in pairs)
        print(f"{path.name}: KL tuned (logit), nats: {rows}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
