"""The process that asks the runs of a bundle for the window, which never imports what runs models.

It says the bundle's runs, and of each what is to be said of it as soon as that is known.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.processes.own_work import Say, serve
from explorer.program import Program
from explorer.sessions.bundle.contents import BundledRun
from explorer.sessions.bundle.reading import read_bundle
from explorer.text import said

SHOWN = 200
"""Characters of a text that are told."""


def check(program: Program, wanted: Mapping[str, Any], say: Say) -> None:
    """Ask the runs of one bundle."""
    from explorer.command_line.asking.asked_again import check_runs

    program.bring_questions()
    bundle = Path(wanted["file"])
    runs = read_bundle(bundle)
    say(runs=[_about(one) for one in runs])
    # What is only looked at is no run of one's own.
    for place, one in enumerate(check_runs(bundle, runs, program, log=False)):
        say(
            place=place,
            verdict=str(one.verdict),
            sentence=said(one.sentence),
            to_download=one.to_download,
        )
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
    serve(check)
