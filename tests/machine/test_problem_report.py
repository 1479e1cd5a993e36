from dataclasses import replace
from pathlib import Path

import pytest

from explorer.api.question import Failure
from explorer.document import Document
from explorer.machine.problem_report import LOGS, MOST_BYTES, Surroundings, problem_report
from explorer.settings import Settings

RUNNING = Surroundings({"plm-explorer": "1.0", "torch": "2.13.0"}, ("A: some-model (bert, cpu)",))


def test_a_report_holds_versions_models_settings_and_what_went_wrong(tmp_path):
    try:
        raise ZeroDivisionError("division by zero")
    except ZeroDivisionError as error:
        failure = Failure.of(error)
    report = problem_report(RUNNING, replace(Settings(), dtype="float16"), tmp_path, failure)
    for said in (
        "torch: 2.13.0",
        "A: some-model (bert, cpu)",
        '"dtype": "float16"',
        "ZeroDivisionError",
        "Traceback",
    ):
        assert said in report


def test_the_sentence_and_the_names_of_folders_stay_out(tmp_path):
    settings = replace(
        Settings(), document=Document(text="my secret"), recent_folders=("/my/folder",)
    )
    report = problem_report(RUNNING, settings, tmp_path)
    assert "my secret" not in report
    assert "/my/folder" not in report


def test_the_home_folder_has_no_name(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    (tmp_path / "window.log").write_text(f"opened {tmp_path}/models\n")
    report = problem_report(RUNNING, Settings(), tmp_path)
    assert "opened ~/models" in report
    assert str(tmp_path) not in report


@pytest.mark.parametrize("name", LOGS)
def test_of_each_log_the_last_whole_lines_are_there(tmp_path, name):
    lines = [f"line {number} 한국어" for number in range(5000)]
    (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    report = problem_report(RUNNING, Settings(), tmp_path)
    block = report.partition(f"## {name}\n\n```\n")[2].partition("\n```")[0]
    quoted = block.splitlines()
    assert quoted == lines[-len(quoted) :]
    assert MOST_BYTES * 0.9 < len(block.encode()) <= MOST_BYTES


def test_a_log_that_cannot_be_read_says_so(tmp_path):
    (tmp_path / "window.log").mkdir()
    assert "can't be read" in problem_report(RUNNING, Settings(), tmp_path)
