"""Definitions of experiments: what comes with the program, and what is wrong with others."""

import tomllib
from pathlib import Path

import pytest

from explorer.api.errors import UserMistake
from explorer.learning.experiments.definition import (
    bundled_experiments,
    experiment_names,
)
from explorer.learning.experiments.definition_file import read_experiment
from explorer.published.literature import score_tables
from explorer.text.sources import UNCHECKED

WHOLE = """
title = "T"
claim = "C."
source = "Nobody 2026, section 1"
about = "A."
cannot = "N."
measure = "excess"
also = ["accuracy"]
varies = ["layers"]
seeds = 5
[plan]
steps = 1000
[short]
seeds = 3
steps = 300
[[ways]]
name = "old"
title = "old"
plan = {layers = 1}
[[ways]]
name = "new"
title = "new"
plan = {layers = 2}
[[predicts]]
better = "new"
than = "old"
[[published]]
measure = "GLUE"
source = "Nobody 2026, table 1"
date = "2026-11"
values = {old = 80.0, new = 81.5}
"""


def written(folder: Path, *changes: tuple[str, str]) -> Path:
    text = WHOLE
    for before, after in changes:
        assert text.count(before) >= 1, before
        text = text.replace(before, after, 1)
    path = folder / "made.toml"
    path.write_text(text, "utf-8")
    return path


def test_a_definition_is_what_its_file_says(tmp_path: Path) -> None:
    found = read_experiment(written(tmp_path))
    assert found.name == "made"
    assert found.measures == ("excess", "accuracy")
    assert [way.name for way in found.ways] == ["old", "new"]
    assert found.way("new").plan == {"layers": 2}
    assert found.form(short=False).plan == {"steps": 1000}
    assert found.form(short=True).plan == {"steps": 300}
    assert found.short.seeds == 3
    (told,) = found.foretold
    assert (told.way, told.than, told.measure, told.within) == ("new", "old", "excess", None)
    assert found.published[0].values == {"old": 80.0, "new": 81.5}
    assert found.published[0].titles == {}


def test_two_ways_may_be_foretold_to_be_alike(tmp_path: Path) -> None:
    path = written(
        tmp_path, ('better = "new"', 'alike = "new"\nwithin = 0.02\nmeasure = "accuracy"')
    )
    (told,) = read_experiment(path).foretold
    assert (told.way, told.within, told.measure) == ("new", 0.02, "accuracy")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('claim = "C."', "", "made.toml lacks “claim”."),
        ('claim = "C."', 'claim = " "', "made.toml: “claim” is no text."),
        (
            'claim = "C."',
            'claim = "C."\ncolour = 1',
            "made.toml has “colour”, which means nothing.",
        ),
        ('"excess"', '"charm"', "made.toml: “measure” is none of "),
        ('["accuracy"]', '"accuracy"', "made.toml: “also” is no list."),
        (
            "seeds = 5",
            "seeds = 2",
            "made.toml needs 3 seeds or more: of fewer nothing can be said.",
        ),
        ("seeds = 3", 'seeds = "3"', "made.toml needs 3 seeds or more"),
        ("seeds = 5", 'seeds = 5\nequal = "hours"', "made.toml: “equal” is none of steps, tokens"),
        ("plan = {layers = 2}", "plan = 2", "made.toml: “plan” is no table."),
        ('name = "new"', 'name = "old"', "made.toml needs two ways or more"),
        ('better = "new"', 'better = "newer"', "made.toml knows no way “newer”."),
        ("new = 81.5", "newer = 81.5", "made.toml knows no way “newer”."),
        ("new = 81.5", 'new = "81.5"', "made.toml: “values” is no number."),
        ('than = "old"', "", "made.toml lacks “predicts.than”."),
        ('than = "old"', 'than = "old"\nmeasure = "accuracy"', ""),
        ('better = "new"', 'alike = "new"', "made.toml lacks “predicts.within”."),
        ("plan = {layers = 2}", "plan = {layers = 1}", "“new” and “old” are trained alike"),
        (
            "plan = {layers = 2}",
            "plan = {layers = 2, width = 96}",
            "made.toml: “new” and “old” differ in “width”, which “varies” leaves out.",
        ),
        ("[plan]", "[plan", "made.toml can't be read: "),
    ],
)
def test_each_mistake_is_said_in_one_sentence(
    tmp_path: Path, before: str, after: str, said: str
) -> None:
    path = written(tmp_path, (before, after))
    if not said:
        read_experiment(path)
        return
    with pytest.raises(UserMistake) as refused:
        read_experiment(path)
    assert said in refused.value.message


def test_what_is_predicted_is_measured(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        ('also = ["accuracy"]\n', ""),
        ('than = "old"', 'than = "old"\nmeasure = "accuracy"'),
    )
    with pytest.raises(UserMistake, match="which is not measured"):
        read_experiment(path)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match=r"none\.toml can't be read: No such file"):
        read_experiment(tmp_path / "none.toml")


@pytest.mark.parametrize("name", experiment_names())
def test_a_bundled_definition_is_whole(name: str) -> None:
    found = read_experiment(bundled_experiments() / f"{name}.toml")
    assert found.short.seeds <= found.full.seeds
    assert found.source[0].isupper()
    assert any(char.isdigit() for char in found.source)
    for sentence in (found.claim, found.about, found.cannot):
        assert sentence.endswith(".")


@pytest.mark.parametrize("name", experiment_names())
def test_a_bundled_claim_that_can_be_tried_here_has_a_control(name: str) -> None:
    found = read_experiment(bundled_experiments() / f"{name}.toml")
    assert (found.control is not None) == found.is_planned
    if found.control is not None:
        assert found.control.why.endswith(".")
        assert not found.control.title.endswith(".")


def test_a_control_is_read_with_what_is_one_ways_own(tmp_path: Path) -> None:
    own = (
        'than = "old"\n[control]\ntitle = "T"\nwhy = "W."\nplan = {steps = 1}\n'
        "ways = {new = {layers = 1}}\n"
    )
    control = read_experiment(written(tmp_path, ('than = "old"', own))).control
    assert control is not None
    assert (control.of("old"), control.of("new")) == ({"steps": 1}, {"steps": 1, "layers": 1})
    for before, after, said in (
        ('why = "W."\n', "", "made.toml lacks “control.why”"),
        ("{new = {layers = 1}}", "{newer = {layers = 1}}", "knows no way “newer”"),
        ("{new = {layers = 1}}", "{new = 1}", "“control.ways.new” is no table"),
    ):
        with pytest.raises(UserMistake, match=said):
            read_experiment(written(tmp_path, ('than = "old"', own.replace(before, after))))


@pytest.mark.parametrize("name", experiment_names())
def test_published_figures_are_those_that_stand_elsewhere(name: str) -> None:
    """What the program has as a table of the literature is not typed in a second time otherwise."""
    tables = {table.source: table for table in score_tables()}
    for one in read_experiment(bundled_experiments() / f"{name}.toml").published:
        table = tables.get(one.source)
        if table is None:
            continue
        assert UNCHECKED not in one.source
        at = table.columns.index(one.measure)
        assert {*one.values.values()} <= {row.scores[at] for row in table.rows}


def test_every_file_of_the_folder_is_a_definition_or_results() -> None:
    files = {path.name for path in bundled_experiments().iterdir()}
    allowed = {f"{name}{end}" for name in experiment_names() for end in (".toml", ".json")}
    assert files <= allowed
    for path in bundled_experiments().glob("*.toml"):
        assert tomllib.loads(path.read_text("utf-8"))


def test_a_paper_may_have_done_another_thing_than_the_way_is_called(tmp_path: Path) -> None:
    own = 'new = 81.5}\n[[published.ways]]\nname = "new"\ntitle = "24 layers"'
    (one,) = read_experiment(written(tmp_path, ("new = 81.5}", own))).published
    assert one.titles == {"new": "24 layers"}
    with pytest.raises(UserMistake, match=r"published\.ways\.title"):
        read_experiment(written(tmp_path, ("new = 81.5}", own.replace("title", "name2"))))
