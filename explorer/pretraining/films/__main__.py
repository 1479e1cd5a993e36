"""`python -m explorer.pretraining.films bert-film` trains a film and writes it with its card."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from explorer.paths import Paths
from explorer.pretraining.films.recipes import FILMS


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.pretraining.films",
        description="Train one of the bundled films on the small world's text.",
    )
    parser.add_argument("film", choices=sorted(FILMS), help="which film")
    parser.add_argument("--out", type=Path, help="folder to write (resources/films/NAME)")
    parser.add_argument("--runs", type=Path, help="where the run is kept (in the user's cache)")
    options = parser.parse_args(arguments)
    from explorer.pretraining.films.making import make

    paths = Paths.standard()
    recipe = FILMS[options.film]
    runs = options.runs or paths.cache / "films"
    told = make(recipe, runs, options.out or paths.bundled_models.with_name("films") / recipe.name)
    sys.stdout.write(f"{told}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
