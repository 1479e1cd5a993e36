"""Run in a process of its own: programs as they are copied, and what they asked besides.

Reads a list of programs, each with what was stored of it; writes the rows of their answers.
"""

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import explorer
from explorer.as_code.asked import AskedRun
from explorer.as_code.in_python import in_python
from explorer.processes.collector import collect_seldom
from explorer.scripting import asking
from explorer.scripting.answer import ModelAnswer
from explorer.sessions.read.comparing import difference
from explorer.sessions.read.reader import SessionReader
from tests import warm_training


def main(profile: str, runs: list[tuple[str, str]]) -> None:
    # As in a command; what is trained begins with torch imported.
    collect_seldom()
    warm_training.use(pytest.MonkeyPatch())
    # Neither library is needed here.
    ModelAnswer.frame = lambda _self: None
    explorer.use(profile=profile, device="cpu", language="en")
    told: dict[str, Any] = {}
    for database, run_id in runs:
        stored = SessionReader(Path(database)).run(run_id)
        run = AskedRun.of(stored)
        assert run is not None
        program = in_python(run)
        said, names = io.StringIO(), dict[str, Any]()
        with contextlib.redirect_stdout(said):
            exec(program, names)
        answer = names["answer"]
        again = stored.table
        found = difference(stored.table, answer.table)
        if found.changed or found.largest > 1e-6:
            # Another machine adds in another order: what was stored is asked again here.
            given = {role: stamp.as_asked for role, stamp in stored.models.items()}
            asked = asking.answered(run.question, stored.request, stored.document, given)
            again = asked.table
        told[run.question.name] = {
            "program": program,
            "same request": answer.request == stored.request,
            "columns": answer.table.columns,
            "rows": answer.table.rows,
            "again": again.rows,
            "printed": said.getvalue(),
        }
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
