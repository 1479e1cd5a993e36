"""Results of experiments as files."""

from pathlib import Path

import pytest

from explorer.api.errors import UserMistake
from explorer.learning.experiments.results import read_results, write_results
from tests.made_experiments import results


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    made = results({"old": [0.5, 0.25], "new": [0.125]})
    write_results(made, tmp_path / "deep" / "made.json")
    assert read_results(tmp_path / "deep" / "made.json") == made
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["made.json"]


def test_a_way_has_its_values_by_seed() -> None:
    made = results({"old": [0.5, 0.25], "new": [0.125]})
    assert made.values("old", "excess") == {0: 0.5, 1: 0.25}
    assert made.values("old", "accuracy") == {}
    assert made.values("newer", "excess") == {}


@pytest.mark.parametrize("text", ['{"runs": 3}', "[]", '{"runs": [{"way": "old"}]}', "{}"])
def test_what_is_no_results_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "made.json"
    path.write_text(text, "utf-8")
    with pytest.raises(UserMistake, match=r"made\.json is no file of results"):
        read_results(path)


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match=r"none\.json can't be read: No such file"):
        read_results(tmp_path / "none.json")
    (tmp_path / "made.json").write_text("{", "utf-8")
    with pytest.raises(UserMistake, match=r"made\.json can't be read"):
        read_results(tmp_path / "made.json")
