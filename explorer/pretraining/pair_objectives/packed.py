"""``python -m explorer.pretraining.pair_objectives.packed`` asks why packed texts are learnt late.

Models that read full sentences, several documents one after the other, are far behind those that
read single documents after the same tokens (``pair_objectives.json``), though RoBERTa's are not.
Four ways set that apart, in short runs: single documents; packed texts; packed texts in which
attention stays within each document; and those with each document's places counted anew. All are
asked about single documents, so that the third says whether it is the other documents that a model
has to learn to leave alone, and the fourth whether what is left of the difference is that words
are met at more places. What it comes to is written to ``resources/world/full_sentences.json`` after
each run, and none is trained twice.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from explorer.learning.training import TrainingRun
from explorer.pretraining.pair_objectives import measuring
from explorer.pretraining.pair_objectives.__main__ import PLACES, write
from explorer.pretraining.pair_objectives.ways import DOCUMENTS, ObjectiveFormat, WayRecipe
from explorer.published.packed_texts import ANEW, WITHIN, packed_file
from explorer.published.pair_objectives import DOCUMENT, FULL, NONE
from explorer.world.courses.corpus import held_out_courses, training_courses

COMMAND: Final = "python -m explorer.pretraining.pair_objectives.packed"
STEPS: Final = 800
EXAMPLES: Final = {DOCUMENT: 11, FULL: 4, WITHIN: 4, ANEW: 4}
TOKENS: Final = 480
"""About as many stand in a batch of each."""
SEEDS: Final = 3
WAYS: Final = (DOCUMENT, FULL, WITHIN, ANEW)


class PackedRecipe(WayRecipe):
    """BERT, small, trained on single documents or packed ones.

    Args:
        name: of the way.
    """

    def __init__(self, name: str) -> None:
        super().__init__(ObjectiveFormat(NONE, DOCUMENT if name == DOCUMENT else FULL))
        self.within = name in (WITHIN, ANEW)
        self.anew = name == ANEW

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the way; within documents, no token looks at those of another one."""
        if self.within:
            seen = own_document(batch["input_ids"], batch["attention_mask"], model.separator)
            batch = {**batch, "attention_mask": seen}
        if self.anew:
            batch = {**batch, "position_ids": own_places(batch["input_ids"], model.separator)}
        return super().losses(model, batch)


def own_document(tokens: Any, seen: Any, separator: int) -> Any:
    """Which tokens each one may look at, bool of shape [rows, 1, length, length].

    They are those of its document, and itself. A separator is of the document that it ends, and
    [CLS] of the first one.

    Args:
        tokens: shape [rows, length].
        seen: 1 where there is no padding, same shape.
        separator: its number.
    """
    import torch

    document = _document(tokens, separator)
    same = (document[:, :, None] == document[:, None, :]) & (seen[:, None, :] > 0)
    return (same | torch.eye(tokens.shape[1], dtype=torch.bool))[:, None]


def own_places(tokens: Any, separator: int) -> Any:
    """Places counted anew in each document, as if [CLS] stood before it, shape [rows, length].

    Args:
        tokens: shape [rows, length].
        separator: its number.
    """
    import torch

    document = _document(tokens, separator)
    place = torch.arange(tokens.shape[1]).expand_as(tokens)
    begins = torch.ones_like(tokens, dtype=torch.bool)
    begins[:, 1:] = document[:, 1:] != document[:, :-1]
    first = torch.where(begins & (place > 0), place - 1, torch.zeros_like(place))
    return place - first.cummax(dim=1).values


def _document(tokens: Any, separator: int) -> Any:
    """Which document each token is of, from 0 on; a separator is of the one that it ends."""
    ends = (tokens == separator).long()
    return ends.cumsum(dim=1) - ends


def run_of(name: str, texts: Sequence[Any], seed: int, steps: int) -> tuple[Any, Any]:
    """Train in one way from one seed; the model and its tokenizer."""
    import torch

    recipe = PackedRecipe(name)
    tokenizer = recipe.make_tokenizer(texts)
    torch.manual_seed(seed)
    model = recipe.make_model(tokenizer)
    model.separator = int(tokenizer.sep_token_id)
    batches = recipe.make_batches(tokenizer, texts, seed)
    batches.examples = EXAMPLES[name]
    TrainingRun(recipe, model, batches, steps, seed).train()
    model.eval()
    return model, tokenizer


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is missing."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Compare packed texts.")
    parser.add_argument("--out", type=Path, default=packed_file(), help="file to write")
    parser.add_argument("--steps", type=int, default=STEPS, help="training steps of each run")
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help="texts to train on")
    parser.add_argument("--places", type=int, default=PLACES, help="masked places to ask about")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="seeds of every way")
    options = parser.parse_args(arguments)

    import torch

    torch.set_num_threads(1)
    page: dict[str, Any] = {
        "command": COMMAND,
        "steps": options.steps,
        "tokens": TOKENS,
        "runs": [],
    }
    if options.out.is_file():
        page = json.loads(options.out.read_text("utf-8"))
    done = {(run["way"], run["seed"]) for run in page["runs"]}
    texts = training_courses(options.documents)
    unseen = held_out_courses(options.places)
    masked = None
    for seed in range(options.seeds):
        for name in WAYS:
            if (name, seed) in done:
                continue
            model, tokenizer = run_of(name, texts, seed, options.steps)
            masked = masked or measuring.draw_masked(tokenizer, unseen, seed=3)
            way = ObjectiveFormat(NONE, DOCUMENT)
            loss, right = measuring.masked_loss(model, tokenizer, masked, way)
            told = {"date": dt.datetime.now(tz=dt.UTC).date().isoformat(), "loss": round(loss, 4)}
            page["runs"].append({"way": name, "seed": seed, **told, "masked": round(right, 4)})
            write({**page, "floor": round(masked.floor, 4)}, options.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
