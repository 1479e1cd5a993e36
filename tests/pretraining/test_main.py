import subprocess
import sys
from pathlib import Path

import pytest

from explorer.paths import Paths
from explorer.pretraining import recipes
from explorer.pretraining.__main__ import main
from explorer.pretraining.recipes import load_recipe, recipe_names


def test_list_names_every_recipe(capsys):
    assert main(["--list"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split() == ["recipe", "family", "steps", "MB", "loss", "right", "folder"]
    assert [line.split()[0] for line in lines] == sorted(recipe_names())
    assert "\t" not in "".join(lines)
    (bert,) = (line for line in lines if line.startswith("bert "))
    assert bert.index("bert-miniature") == heading.index("folder")
    assert bert.split()[1:3] == ["BERT", "8500"]


@pytest.mark.parametrize(
    "arguments", [[], ["nobody"], ["bert", "--steps", "0"], ["bert", "--threads", "0"]]
)
def test_mistakes_of_the_user_exit_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "error:" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["nobody", "bert-alone", "nobody-alone"])
def test_an_unknown_recipe_is_an_error(name):
    with pytest.raises(KeyError):
        load_recipe(name)


def test_recipes_are_found_by_being_there():
    folder = Path(recipes.__file__).parent
    files = {path.stem.replace("_", "-") for path in folder.glob("*/*.py")} - {"--init--"}
    students = {"distilbert", "tinybert", "mobilebert"}
    assert sorted(recipe_names()) == sorted(files | {f"{name}-alone" for name in students})
    bundled = {path.parent.name for path in Paths.standard().bundled_models.glob("*/curve.json")}
    made = {load_recipe(name).name for name in files}
    assert {name for name in bundled if not name.startswith(tuple(made))} == set()


def test_nothing_to_resume_is_said_in_one_line(tmp_path, capsys):
    missing = tmp_path / "none.pt"
    assert main(["bert", "--resume", "--checkpoint", str(missing)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"No checkpoint at {missing}. Start without --resume first."


def test_all_trains_teachers_before_their_students(monkeypatch, tmp_path):
    from explorer.pretraining import publish

    trained = []
    monkeypatch.setattr(
        publish, "train_and_publish", lambda recipe, **options: trained.append((recipe, options))
    )
    assert main(["all", "--steps", "3"]) == 0
    names = [recipe.name for recipe, _ in trained]
    assert names == [load_recipe(name).name for name in recipe_names()]
    assert len({options["checkpoint"] for _, options in trained}) == len(recipe_names())
    for place, (recipe, options) in enumerate(trained):
        assert options["out"].name == recipe.folder
        assert options["steps"] == 3
        assert set(recipe.needs) <= set(names[:place])
    needed = {name: load_recipe(name).needs for name in recipe_names()}
    assert needed["mobilebert"] == ("ib-bert-miniature",)
    assert needed["distilbert-alone"] == ("distilbert-miniature",)
    assert needed["ernie"] == needed["ib-bert"] == ("bert-miniature",)


def test_all_has_no_single_folder(capsys, tmp_path):
    with pytest.raises(SystemExit) as stop:
        main(["all", "--out", str(tmp_path)])
    assert stop.value.code == 2
    assert "for one recipe" in capsys.readouterr().err


def test_the_recipes_are_named_without_torch_or_transformers():
    code = (
        "import sys, explorer.pretraining.recipes.encoders.bert, explorer.pretraining.__main__;"
        " sys.exit(bool({'torch', 'transformers', 'PySide6'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
