"""Answers of the window, of the log and on the sheet are copied as code."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication

from explorer.api.question import UserMistake
from explorer.sessions.read.reader import SessionReader
from explorer.ui.export import code
from explorer.ui.views.frame.view_frame import EXPORTS

LOG = Path(__file__).resolve().parents[2] / "stored_runs" / "every-question-schema-5.db"


@pytest.fixture
def stored():
    reader = SessionReader(LOG)
    found = {run.operation: run.id for run in reader.runs()}
    return lambda name: reader.run(found[name])


def copied(run, kind):
    code.copy_code(run, kind)
    return QGuiApplication.clipboard().text()


def test_every_kind_is_in_the_menu_of_a_page():
    assert set(code.WRITTEN) <= {kind for kind, _words, _icon in EXPORTS}


def test_a_run_of_the_log_is_copied(qapp, stored):
    run = stored("surprisal")
    assert "model.surprisal(" in copied(run, "copy_python")
    assert copied(run, "copy_command").startswith("plm-explorer ask surprisal ")
    assert "AutoModelForMaskedLM" in copied(run, "copy_transformers")


def test_what_can_not_be_written_is_told(qapp, stored):
    with pytest.raises(UserMistake, match="no program with transformers alone"):
        copied(stored("masking_policy"), "copy_transformers")
    with pytest.raises(UserMistake, match="can't be read"):
        copied(replace(stored("masking_policy"), request=None), "copy_python")
    with pytest.raises(UserMistake, match="can't be read"):
        copied(None, "copy_command")


def test_a_sheet_is_one_program(qapp, stored):
    runs = [code.AskedRun.of(stored(name)) for name in ("surprisal", "soft_targets")]
    code.copy_programs(runs)
    program = QGuiApplication.clipboard().text()
    compile(program, "sheet", "exec")
    assert program.count("import explorer") == 1
    assert "model.surprisal(" in program
    assert '"soft_targets"' in program
