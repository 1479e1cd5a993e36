"""The process that asks the runs of a bundle for the window, which never imports what runs models.

Which bundle comes as JSON on standard input; its runs, and what is to be said of each as soon as
it is known, go to standard output, a line of JSON each.
"""

import json
import sys
from pathlib import Path
from typing import IO, Any

from explorer.api.question import ExplorerError, Failure
from explorer.program import Program
from explorer.sessions.bundle.contents import BundledRun
from explorer.sessions.bundle.reading import read_bundle
from explorer.text import language as languages
from explorer.text import said

SHOWN = 200
"""Characters of a text that are told."""


def main(asked: IO[str], answers: IO[str]) -> None:
    """Ask the runs of one bundle."""
    wanted = json.loads(asked.read())
    program = Program.from_json(wanted["program"])
    found = languages.find(wanted["language"], program.paths.texts)
    if found is not None:
        languages.use(found)

    def say(**message: Any) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    from explorer.command_line.asked_again import check_runs

    program.bring_questions()
    try:
        runs = read_bundle(Path(wanted["file"]))
    except ExplorerError as error:
        failure = Failure.of(error)
        say(failed=failure.said, advice=failure.advice)
        return
    say(runs=[_about(one) for one in runs])
    # What is only looked at is no run of one's own.
    for place, one in enumerate(check_runs(runs, program, log=False)):
        say(place=place, verdict=str(one.verdict), sentence=said(one.sentence))
    say(done=len(runs))


def _about(run: BundledRun) -> dict[str, Any]:
    """What a person knows a run by."""
    return {
        "operation": run.operation,
        "created_at": run.created_at,
        "models": [*dict.fromkeys(stamp.id for stamp in run.models.values())],
        "text": str(run.document.get("text", ""))[:SHOWN],
    }


if __name__ == "__main__":
    # What a library prints must not stand between the lines.
    real, sys.stdout = sys.stdout, sys.stderr
    main(sys.stdin, real)
