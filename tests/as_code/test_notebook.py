"""Runs of the log become a notebook, a script and a document that ask them again."""

import json

import pytest

import explorer
from explorer import cli
from explorer.as_code.notebook import WRITERS
from explorer.command_line.options.shared_options import PROGRAM_FORMS
from tests.scripting.conftest import door

__all__ = ["door"]

CHEF = "the chef cooked the [MASK] ."


@pytest.fixture
def logged(door):
    bert = door.open("bert-miniature")
    bert.masked_tokens(CHEF, top_k=3)
    bert.surprisal("a | bar ≤ “é” .")
    return door.log()


def test_the_command_knows_the_same_endings():
    assert set(PROGRAM_FORMS) == set(WRITERS)


@pytest.mark.gui
def test_a_notebook_has_a_cell_a_run_with_what_was_answered(logged, tmp_path):
    logged.save(tmp_path / "session.ipynb")
    told = json.loads((tmp_path / "session.ipynb").read_text("utf-8"))
    assert (told["nbformat"], told["nbformat_minor"]) == (4, 5)
    kinds = [cell["cell_type"] for cell in told["cells"]]
    assert kinds == ["code", "markdown", "code", "markdown", "code"]
    assert len({cell["id"] for cell in told["cells"]}) == len(kinds)
    asked = told["cells"][2]
    (shown,) = asked["outputs"]
    assert shown["output_type"] == "display_data"
    assert "<picture>" in shown["data"]["text/html"]
    assert "fingerprint" in told["cells"][1]["source"]
    names = {}
    for cell in told["cells"]:
        if cell["cell_type"] == "code":
            exec(cell["source"], names)
    assert names["answer"].table == logged[0].table


def test_a_script_runs_and_has_the_numbers(logged, tmp_path, capsys):
    logged.save(tmp_path / "session.py")
    script = (tmp_path / "session.py").read_text("utf-8")
    exec(script, names := {})
    assert names["answer"].table == logged[0].table
    assert logged[1].headline in capsys.readouterr().out
    probability = logged[1].table.column("probability")[0]
    assert f"| {probability} |" in script
    assert script.count("# %%") == 5


def test_a_document_has_tables(logged, tmp_path, capsys):
    profile = ["--profile", str(tmp_path / "profile")]
    assert cli.main([*profile, "sessions", "export", "all", str(tmp_path / "session.md")]) == 0
    assert "2 runs are in" in capsys.readouterr().out
    document = (tmp_path / "session.md").read_text("utf-8")
    assert document.count("```python") == 3
    assert "a \\| bar" not in document.split("```")[1]
    assert "| position | " in document
    one = str(tmp_path / "one.py")
    assert cli.main([*profile, "sessions", "export", logged[1].id, one]) == 0
    assert "masked_tokens" in (tmp_path / "one.py").read_text("utf-8")


def test_a_scene_is_a_notebook(logged, tmp_path, capsys):
    file = tmp_path / "scene.ipynb"
    profile = ["--profile", str(tmp_path / "profile")]
    assert cli.main([*profile, "scenes", "export", str(file), "why_a_temperature"]) == 0
    assert "1 scene in" in capsys.readouterr().out
    told = json.loads(file.read_text("utf-8"))["cells"]
    assert told[1]["source"].startswith("# ")
    asked = [cell for cell in told if cell["cell_type"] == "code" and cell["outputs"]]
    assert asked
    names = {}
    exec(told[0]["source"] + asked[0]["source"], names)
    shown = asked[0]["outputs"][0]["data"]["text/plain"]
    assert names["answer"].headline == shown


def test_the_form_is_chosen_by_name(logged, tmp_path, capsys):
    command = ["--profile", str(tmp_path / "profile"), "sessions", "export", "all"]
    notes = tmp_path / "notes.txt"
    assert cli.main([*command, str(notes), "--as", "md"]) == 0
    capsys.readouterr()
    assert cli.main([*command, "-", "--as", "md"]) == 0
    assert capsys.readouterr().out == notes.read_text("utf-8")
    assert cli.main([*command, "-"]) != 0
    scene = ["scenes", "export", "-", "why_a_temperature", "--as", "py"]
    assert cli.main([*command[:2], *scene]) == 0
    script = capsys.readouterr().out
    assert script.startswith("# %%\nimport explorer\n")
    compile(script, "scene", "exec")


def test_other_endings_are_refused(logged, tmp_path):
    with pytest.raises(explorer.Mistake, match="can't be written as txt"):
        logged.save(tmp_path / "session.txt")
