"""``python -m explorer.pretraining.unseen`` reckons which words truly matter at places of texts.

They are written to ``resources/world/unseen.json``, which methods of attribution are tested
against. They belong to the grammar: after it was changed, they are reckoned anew.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from explorer.questions.cause.attribution_benchmark.places import shipped_in
from explorer.world.exact.inside import ExactReader
from explorer.world.exact.unseen import Unseen, held_out_places
from explorer.world.scenes import small_world

COUNT: Final = 215


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.pretraining.unseen",
        description="Reckon which words truly matter at places of texts kept from training.",
    )
    parser.add_argument("--count", type=int, default=COUNT, help="how many places")
    parser.add_argument("--out", type=Path, default=shipped_in(), help="file to write")
    options = parser.parse_args(arguments)
    places = held_out_places(ExactReader(small_world()))
    options.out.write_text(written(islice(places, options.count)), "utf-8")
    return 0


def written(places: Iterable[Unseen]) -> str:
    """A line a place."""
    lines = [
        json.dumps(
            {
                "words": " ".join(one.words),
                "asked": one.asked,
                "log_probability": one.log_probability,
                "losses": [loss or 0 for loss in one.losses],
            }
        )
        for one in places
    ]
    return "[\n" + ",\n".join(lines) + "\n]\n"


if __name__ == "__main__":
    raise SystemExit(main())
