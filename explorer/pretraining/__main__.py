"""``python -m explorer.pretraining bert`` trains a miniature and writes it with its card."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from explorer.learning.training import CheckpointError
from explorer.paths import Paths
from explorer.pretraining.recipes import load_recipe, recipe_names

ALL: Final = "all"


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.pretraining",
        description="Train one of the bundled miniatures on the small world's text.",
    )
    parser.add_argument(
        "recipe",
        nargs="?",
        choices=[*sorted(recipe_names()), ALL],
        help="which miniature, or all of them",
    )
    parser.add_argument(
        "--list",
        action="store_true",
        help="list the recipes, with the figures of those that are built, and stop",
    )
    parser.add_argument("--steps", type=int, help="training steps (the recipe's own if not given)")
    parser.add_argument("--out", type=Path, help="folder to write (resources/models/NAME)")
    parser.add_argument("--resume", action="store_true", help="continue from the checkpoint")
    parser.add_argument("--checkpoint", type=Path, help="checkpoint file (in the user's cache)")
    parser.add_argument("--seed", type=int, default=1, help="seed of weights, order and masks")
    parser.add_argument("--threads", type=int, default=1, help="processor threads")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Returns the exit code: 0 done, 2 the user's mistake."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.list:
        from explorer.pretraining.listing import listing

        recipes = {name: load_recipe(name) for name in sorted(recipe_names())}
        print(listing(recipes, Paths.standard().bundled_models))
        return 0
    if options.recipe is None:
        parser.error("name a recipe (see --list)")
    if options.steps is not None and options.steps < 1:
        parser.error("--steps must be at least 1")
    if options.threads < 1:
        parser.error("--threads must be at least 1")

    if options.recipe == ALL and (options.out or options.checkpoint):
        parser.error("--out and --checkpoint are for one recipe")

    from explorer.pretraining.publish import train_and_publish

    paths = Paths.standard()
    # Teachers stand before their students.
    names = list(recipe_names()) if options.recipe == ALL else [options.recipe]
    try:
        for name in names:
            recipe = load_recipe(name)
            checkpoint = paths.cache / "pretraining" / f"{recipe.name}.pt"
            train_and_publish(
                recipe,
                out=options.out or paths.bundled_models / recipe.folder,
                steps=options.steps or recipe.schedule.steps,
                seed=options.seed,
                threads=options.threads,
                checkpoint=options.checkpoint or checkpoint,
                resume=options.resume and (options.recipe != ALL or checkpoint.is_file()),
            )
    except CheckpointError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
