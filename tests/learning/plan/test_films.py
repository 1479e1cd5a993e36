"""By which plan the film of a model is made."""

import json
import shutil
from pathlib import Path

import pytest

from explorer.learning.plan.choices import Objective
from explorer.learning.plan.cost import cost_of
from explorer.learning.plan.films import MINIATURES, film_plan
from explorer.learning.plan.presets import PRESETS
from explorer.paths import Paths

MODELS = Paths.standard().bundled_models
FILM = MODELS.with_name("films") / "bert-film"


@pytest.mark.parametrize("name", MINIATURES)
def test_a_miniature_has_a_plan_of_its_sizes(name):
    plan = MINIATURES[name]
    plan.check()
    config = json.loads((MODELS / name / "config.json").read_text("utf-8"))
    width = config.get("hidden_size") or config.get("n_embd") or config["d_model"]
    layers = config.get("num_hidden_layers") or config.get("n_layer") or config["num_layers"]
    heads = config.get("num_attention_heads") or config.get("n_head") or config["num_heads"]
    assert (plan.width, plan.layers, plan.heads) == (width, layers, heads)
    assert film_plan(name, MODELS / name) is plan


def test_a_frame_has_the_plan_of_its_run(tmp_path):
    assert film_plan("bert-film@step64", FILM / "checkpoint-64") == PRESETS["film"]
    assert 350_000 < cost_of(PRESETS["film"]).parameters < 450_000
    run = tmp_path / "run"
    shutil.copytree(FILM / "checkpoint-64", run / "checkpoint-64")
    assert film_plan("anything", run / "checkpoint-64") is None
    shutil.copyfile(FILM / "plan.json", run / "plan.json")
    found = film_plan("anything", str(run / "checkpoint-64"))
    assert found is not None
    assert (found.objective, found.steps) == (Objective.MASKED, 8000)
    (run / "plan.json").write_text("{", "utf-8")
    assert film_plan("anything", run / "checkpoint-64") is None


@pytest.mark.parametrize(
    ("name", "folder"),
    [("distilbert-miniature", MODELS / "distilbert-miniature"), ("owner/name", None)],
)
def test_of_what_nobody_knows_how_it_was_trained_there_is_none(name: str, folder: Path | None):
    assert film_plan(name, folder) is None
