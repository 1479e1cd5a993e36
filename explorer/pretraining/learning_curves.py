"""``python -m explorer.pretraining.learning_curves`` compares ways to pretrain, in short runs.

Two questions, answered on the small world with the same seed, texts and masks throughout:

* How should a generator and a discriminator share embeddings? ELECTRA is trained three times:
  shared, gradient-disentangled and separate (He et al. 2023, sections 3.2 and 3.3).
* What is learned from every token against what is learned from 15 % (Clark et al. 2020, section
  3.5)? The discriminators and a masked language model of the same size and steps are asked the same
  thing. A reader that is linear in the mean of the frozen states says whether the second text of a
  pair follows the first; no run was told so. It is fitted to pairs from training documents and
  measured on pairs from documents with a withheld sentence.

The result is one JSON object (``resources/curves/electra.json``)::

    {"seed": 1, "steps": 1200, "examples": 32, "chance": 0.5,
     "curves": {"shared": CURVE, "gradient-disentangled": CURVE, "separate": CURVE,
                "masked language model": CURVE}}

    CURVE = {"steps": [40, 80, ...],
             "losses": {"generator": [...], "discriminator": [...]},
             "accuracy": {"generator": [...], "discriminator": [...],
                          "precision": [...], "recall": [...]},
             "replaced": [...],
             "pairs": {"steps": [200, 400, ...], "accuracy": [...]}}

All lists beside ``steps`` are as long as it: means over the training steps since the step before
(of training texts, each met once). Losses are nats: the generator's of a masked token, the
discriminator's of a token, before its weight. Accuracies are from 0 to 1; the discriminator's is
over all tokens, so ``1 - replaced`` (the share of tokens that were replaced) is what saying
"original" always would reach. Precision is of the tokens it calls replaced (null where there are
none), recall of those that were. The masked language model has ``losses`` and ``accuracy`` of
"masked language model" alone, and no ``replaced``. ``pairs`` is the linear reader's accuracy on
unseen pairs, ``chance`` what always giving the more frequent answer would reach there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from explorer.learning.measured.linear_reading import linear_reading
from explorer.learning.recipe import Recipe, Schedule
from explorer.learning.training import TrainingRun
from explorer.objectives import IGNORED
from explorer.objectives.pairs.next_sentence import IS_NEXT, draw_pair, lay_out
from explorer.paths import Paths
from explorer.pretraining.recipes.encoders.electra import ElectraRecipe
from explorer.world.corpus import CorpusDocument, held_out_documents, training_documents

STEPS: Final = 1200
PAIRS: Final = 1500
READINGS: Final = 6
SEED: Final = 1
WAYS: Final = ("shared", "gradient-disentangled", "separate")
MASKED: Final = "masked language model"
# What a training curve calls them, and what they are called in the result.
LOSSES: Final = {"mlm_loss": "generator", "rtd_loss": "discriminator"}
ACCURACY: Final = {
    "mlm_accuracy": "generator",
    "rtd_accuracy": "discriminator",
    "rtd_precision": "precision",
    "rtd_recall": "recall",
}


class ComparedElectra(ElectraRecipe):
    """ELECTRA in a short run of one cycle."""

    schedule = Schedule(steps=STEPS, examples=32, documents=160_000, peak_rate=1e-3)


class MaskedElectra(ComparedElectra):
    """The discriminator's encoder, trained as a masked language model on the same masks."""

    def make_model(self, tokenizer: Any) -> Any:
        """As wide and deep as the discriminator, with the generator's head."""
        from transformers import ElectraForMaskedLM

        config = super().make_model(tokenizer)["discriminator"].config
        return ElectraForMaskedLM(config)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Cross-entropy in nats at the selected tokens."""
        from torch.nn import functional

        selected = batch["labels"] != IGNORED
        labels = batch["labels"][selected]
        states = model.electra(
            batch["input_ids"],
            attention_mask=batch["attention_mask"],
            token_type_ids=batch["token_type_ids"],
        ).last_hidden_state[selected]
        scores = model.generator_lm_head(model.generator_predictions(states))
        return {
            "loss": functional.cross_entropy(scores, labels),
            "mlm_accuracy": (scores.argmax(-1) == labels).float().mean(),
        }


def pair_states(
    encoder: Any, tokenizer: Any, documents: Sequence[CorpusDocument], seed: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Mean last states of pairs, shape [pairs, hidden], and which of them belong together."""
    import torch

    numbered = [
        tokenizer(list(document.sentences), add_special_tokens=False)["input_ids"]
        for document in documents
        if len(document.sentences) > 1
    ]
    rng = np.random.default_rng(seed)
    states: list[NDArray[np.float64]] = []
    labels: list[bool] = []
    for sentences in numbered:
        pair = draw_pair(sentences, numbered[int(rng.integers(len(numbered)))], rng)
        laid = lay_out(pair, tokenizer.cls_token_id, tokenizer.sep_token_id)
        with torch.inference_mode():
            found = encoder(
                torch.from_numpy(laid.tokens)[None],
                token_type_ids=torch.from_numpy(laid.segments)[None],
            ).last_hidden_state[0]
        states.append(found.double().mean(dim=0).numpy())
        labels.append(pair.label == IS_NEXT)
    return np.stack(states), np.array(labels)


def compare(
    recipes: Mapping[str, Recipe],
    texts: Sequence[CorpusDocument],
    unseen: Sequence[CorpusDocument],
    steps: int,
    pairs: int,
    readings: int = READINGS,
) -> dict[str, Any]:
    """Train each recipe from the same seed and read it now and then.

    Args:
        recipes: by the name they get in the result.
        texts: training documents.
        unseen: documents with a withheld sentence.
        steps: training steps of each.
        pairs: how many of the training documents the reader is fitted to.
        readings: how often each is read, at equal distances, the last time at its end.

    Returns:
        The curves and ``chance``, as the module's docstring says.
    """
    import torch

    tokenizer = next(iter(recipes.values())).make_tokenizer(texts)
    curves: dict[str, Any] = {}
    for name, recipe in recipes.items():
        torch.manual_seed(SEED)
        model = recipe.make_model(tokenizer)
        run = TrainingRun(recipe, model, recipe.make_batches(tokenizer, texts, SEED), steps, SEED)
        run.curve.every = max(1, steps // 30)
        read: dict[str, list[float]] = {"steps": [], "accuracy": []}
        for part in range(1, readings + 1):
            run.train(until=steps * part // readings)
            model.eval()
            body = model.electra if name == MASKED else model["discriminator"].electra
            known = pair_states(body, tokenizer, texts[:pairs], SEED)
            other = pair_states(body, tokenizer, unseen, SEED + 1)
            accuracy = round(linear_reading(*known, *other), 4)
            read["steps"].append(run.step)
            read["accuracy"].append(accuracy)
            share = float(other[1].mean())
            print(f"{name}: step {run.step}, pairs {accuracy:.3f}", file=sys.stderr, flush=True)
        curves[name] = {**as_columns(run.curve.rows), "pairs": read}
    return {"chance": round(max(share, 1.0 - share), 4), "curves": curves}


def as_columns(rows: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """A training curve as one list for each thing measured."""
    measured = {name for row in rows for name in row}

    def columns(names: Mapping[str, str]) -> dict[str, list[float | None]]:
        return {
            shown: [row.get(name) for row in rows]
            for name, shown in names.items()
            if name in measured
        }

    detects = "rtd_loss" in measured
    return {
        "steps": [int(row["step"]) for row in rows],
        "losses": columns(LOSSES if detects else {"loss": MASKED}),
        "accuracy": columns(ACCURACY if detects else {"mlm_accuracy": MASKED}),
        **columns({"replaced": "replaced"}),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison and write it."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.pretraining.learning_curves",
        description="Compare ways to pretrain in short runs.",
    )
    default = Paths.standard().bundled_models.parent / "curves" / "electra.json"
    parser.add_argument("--out", type=Path, default=default, help="file to write")
    parser.add_argument("--steps", type=int, default=STEPS, help="training steps of each run")
    options = parser.parse_args(arguments)

    import torch

    torch.set_num_threads(1)
    texts = training_documents(ComparedElectra.schedule.documents)
    recipes: dict[str, Recipe] = {way: ComparedElectra(way) for way in WAYS}
    recipes[MASKED] = MaskedElectra()
    found = compare(recipes, texts, held_out_documents(600), options.steps, PAIRS)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    page = {
        "seed": SEED,
        "steps": options.steps,
        "examples": ComparedElectra.schedule.examples,
        **found,
    }
    options.out.write_text(json.dumps(page, separators=(",", ":")) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
