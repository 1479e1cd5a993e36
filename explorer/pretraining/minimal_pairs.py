"""``python -m explorer.pretraining.minimal_pairs`` writes the small world's minimal pairs.

They are written to ``resources/world/minimal_pairs.jsonl``. They belong to the grammar: after it
was changed, they are made anew.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from explorer.questions.pairs.pair_files import shipped_in
from explorer.world.exact.inside import ExactReader
from explorer.world.scenes import small_world
from explorer.world.tasks.minimal_pairs import MinimalPair, minimal_pairs

EACH: Final = 40
"""Pairs of each phenomenon."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.pretraining.minimal_pairs",
        description="Write pairs of a sentence of the small world and one that is none.",
    )
    parser.add_argument("--each", type=int, default=EACH, help="pairs of each phenomenon")
    parser.add_argument("--out", type=Path, default=shipped_in(), help="file to write")
    options = parser.parse_args(arguments)
    pairs = minimal_pairs(options.each, ExactReader(small_world()))
    options.out.write_text("".join(map(written, pairs)), "utf-8")
    return 0


def written(pair: MinimalPair) -> str:
    """A pair as BLiMP has it: an object a line."""
    told = {
        "sentence_good": pair.good,
        "sentence_bad": pair.bad,
        "phenomenon": pair.phenomenon,
        "log_probability": round(math.log(pair.probability), 4),
    }
    return json.dumps(told) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
