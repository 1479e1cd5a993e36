"""``python -m explorer.pretraining.world_tokenizers`` trains those that come with the program.

They are what the question ``train_tokenizer`` trains on the small world's text as it is set at
first, so that its page has an answer at once: ``resources/tokenizers``. Trained anew they are the
same, byte for byte, as long as the text and the tokenizers library are.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from explorer.api.question import Context
from explorer.questions.tokenizers.train_tokenizer import compute
from explorer.questions.tokenizers.train_tokenizer.options import World
from explorer.questions.tokenizers.train_tokenizer.question import TrainTokenizerRequest
from explorer.questions.tokenizers.train_tokenizer.trainer import kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.pretraining.world_tokenizers",
        description="Train the tokenizers that come with the program.",
    )
    parser.add_argument("--out", type=Path, default=kept.shipped_in(), help="folder to write")
    options = parser.parse_args(arguments)
    for world in World:
        write_tokenizers(world, options.out)
    return 0


def write_tokenizers(world: World, out: Path) -> None:
    """Train every algorithm on a world's text, and write what comes of it.

    Args:
        world: In which language it is told.
        out: The folder.
    """
    request = TrainTokenizerRequest("a", world=world)
    wanted = compute.wanted_by(request, compute.source_of(request, Context()).digest)
    for algorithm, outcome in compute.trained(request, wanted, Context()):
        kept.write(wanted[algorithm], outcome, out)


if __name__ == "__main__":
    raise SystemExit(main())
