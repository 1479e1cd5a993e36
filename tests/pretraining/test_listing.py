import json

import pytest

from explorer.pretraining.listing import MiniatureFigures, figures, listing
from explorer.pretraining.recipes import load_recipe


def build(folder, steps, rows, size=100):
    folder.mkdir()
    text = json.dumps({"steps": steps, "rows": rows})
    (folder / "curve.json").write_text(text, "utf-8")
    (folder / "model.safetensors").write_bytes(b"0" * (size - len(text)))


def test_figures_are_means_over_the_end_of_the_curve(tmp_path):
    rows = [{"step": float(n), "loss_mlm": n / 10, "mlm_accuracy": n / 100} for n in range(1, 11)]
    build(tmp_path / "bert-miniature", 10, rows, size=2000)
    found = figures(load_recipe("bert"), tmp_path)
    assert found == MiniatureFigures(10, 0.002, pytest.approx(0.8), pytest.approx(0.08))


def test_both_halves_of_a_pair_are_weighed(tmp_path):
    rows = [{"step": 1.0, "loss": 12.0, "mlm_loss": 2.0, "mlm_accuracy": 0.5, "rtd_loss": 0.2}]
    for half in ("generator", "discriminator"):
        build(tmp_path / f"electra-miniature-{half}", 1, rows, size=1000)
    assert figures(load_recipe("electra"), tmp_path) == MiniatureFigures(1, 0.002, 2.0, 0.5)


def test_what_is_not_built_has_no_figures(tmp_path):
    assert figures(load_recipe("bert"), tmp_path) is None
    assert figures(load_recipe("distilbert-alone"), tmp_path) is None


def test_a_rival_that_is_not_kept_has_figures_in_the_students_folder(tmp_path):
    folder = tmp_path / "distilbert-miniature"
    folder.mkdir()
    alone = {"15 %": {"loss": 0.7, "accuracy": 0.6}}
    text = json.dumps({"documents": 3, "models": {"alone": alone}, "weights": {}})
    (folder / "comparison.json").write_text(text, "utf-8")
    recipe = load_recipe("distilbert-alone")
    assert figures(recipe, tmp_path) == MiniatureFigures(recipe.schedule.steps, None, 0.7, 0.6)


def test_columns_are_aligned(tmp_path):
    rows = [{"step": 1.0, "loss_mlm": 12.3456, "mlm_accuracy": 0.5}]
    build(tmp_path / "bert-miniature", 1, rows)
    recipes = {name: load_recipe(name) for name in ("bert", "distilbert")}
    heading, bert, other = listing(recipes, tmp_path).splitlines()
    assert bert.split() == ["bert", "BERT", "1", "0.0", "12.346", "50.0%", "bert-miniature"]
    assert other.endswith("not built  distilbert-miniature")
    for name in ("family", "folder"):
        place = heading.index(name)
        assert bert[place - 2 : place] == other[place - 2 : place] == "  "
    assert heading.index("steps") + len("steps") == bert.index(" 1 ") + 2
