"""What holds of all objectives: they train, come again, and transformers reads what they wrote."""

import contextlib
import dataclasses
import io
import json

import pytest
import torch

from explorer.learning.objectives.recipes import recipe_of
from explorer.learning.objectives.replaced import GENERATOR
from explorer.learning.plan.choices import (
    ModelFamily,
    Norms,
    Objective,
    PairObjective,
    SelectionUnit,
    Tables,
)
from explorer.learning.plan.presets import PRESETS
from explorer.objectives import IGNORED
from tests.learning.tiny_plans import TINY, begun

EVERY = {
    "masked": {},
    "pairs": {"pairs": PairObjective.NEXT},
    "norms before": {"norms": Norms.PRE, "pairs": PairObjective.ORDER},
    "albert": {"family": ModelFamily.ALBERT, "embedding_width": 8, "pairs": PairObjective.ORDER},
    "electra": {"family": ModelFamily.ELECTRA, "embedding_width": 8},
    "replaced": {"objective": Objective.REPLACED},
    "disentangled": {"objective": Objective.REPLACED, "tables": Tables.DISENTANGLED},
    "separate": {"objective": Objective.REPLACED, "tables": Tables.SEPARATE},
    "boundary": {"objective": Objective.BOUNDARY},
    "causal": {"objective": Objective.CAUSAL},
    "norms after": {"objective": Objective.CAUSAL, "norms": Norms.POST},
    "dropped": {"objective": Objective.DROPPED},
}


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_trains(name):
    small = {"documents": 200, "batch": 4}
    run = recipe_of(dataclasses.replace(PRESETS[name], **small)).begin()
    for _ in range(2):
        assert sum(value for name, value in run.advance().items() if name.startswith("loss")) > 0
    assert run.step == 2


@pytest.mark.parametrize("changed", EVERY.values(), ids=EVERY)
def test_the_same_plan_gives_the_same_losses(changed):
    one, other = begun(**changed), begun(**changed)
    first = one.advance()
    assert first == other.advance()
    assert one.advance() == other.advance()
    assert begun(seed=2, **changed).advance() != first


@pytest.mark.parametrize("changed", EVERY.values(), ids=EVERY)
def test_a_run_that_is_taken_up_reads_what_it_would_have_read(changed):
    changed = {**changed, "documents": 0}
    whole, later = begun(**changed), begun(**changed)
    whole.batches.batch(0)
    whole.batches.batch(64)
    for name, tensor in whole.batches.batch(65).items():
        assert torch.equal(tensor, later.batches.batch(65)[name])


@pytest.mark.parametrize("changed", EVERY.values(), ids=EVERY)
def test_transformers_reads_what_was_trained(changed, tmp_path, quiet_loading):
    import transformers

    run = begun(**changed)
    run.advance()
    tokenizer = run.recipe.make_tokenizer()
    for part, model in run.recipe.parts(run.model).items():
        folder = tmp_path / f"model{part}"
        with contextlib.redirect_stderr(io.StringIO()):
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
            written = json.loads((folder / "config.json").read_text("utf-8"))
            kind = getattr(transformers, written["architectures"][0])
            read = kind.from_pretrained(folder).eval()
            own = transformers.AutoTokenizer.from_pretrained(folder)
        text = "the chef cooked the soup ."
        assert own(text)["input_ids"] == tokenizer(text)["input_ids"]
        given = torch.tensor([own(text)["input_ids"]])
        more = {"decoder_input_ids": given} if run.recipe.plan.objective == "dropped" else {}
        trained = _half(run.model, part).eval()
        with torch.no_grad():
            assert torch.allclose(
                _logits(read(given, **more)), _logits(trained(given, **more)), atol=1e-6
            )


def _half(model, part):
    if not part:
        return model
    return model["generator" if part == GENERATOR else "discriminator"]


def _logits(output):
    return output.prediction_logits if hasattr(output, "prediction_logits") else output.logits


@pytest.mark.parametrize("selected", [0.15, 0.4, 0.6])
@pytest.mark.parametrize(
    "changed",
    [{"unit": SelectionUnit.SPANS}, {"objective": Objective.BOUNDARY}],
    ids=["masked", "boundary"],
)
def test_spans_cover_what_is_selected(changed, selected):
    run = begun(selected=selected, length=64, **changed)
    told = every = 0
    for step in range(32):
        batch = run.batches.batch(step)
        told += int((batch["labels"] != IGNORED).sum())
        every += int(batch["attention_mask"].sum()) - 2 * len(batch["labels"])
    assert told / every == pytest.approx(selected, abs=0.05)
    assert run.advance()["loss_mlm"] > 0


def test_the_tiny_plan_is_one():
    TINY.check()
