"""The process that writes runs as a notebook for the window: their pages are drawn meanwhile."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.processes.own_work import Say, serve
from explorer.program import Program
from explorer.serialise import from_json
from explorer.sessions.read.listing import RunFilter
from explorer.system_libraries import draw_without_screen


def write(program: Program, wanted: Mapping[str, Any], say: Say) -> None:
    """Write the runs of one filter.

    Raises:
        ExplorerError: They can't be read, or the file can't be written.
    """
    draw_without_screen(always=True)
    from explorer.as_code.notebook import write_runs
    from explorer.sessions.export.bulk import ids_of

    program.bring_questions()
    database = program.paths.sessions
    ids = ids_of(database, from_json(RunFilter, wanted["runs"]))

    def tell(done: int) -> None:
        say(done=done, count=len(ids))

    written = write_runs(database, ids, Path(wanted["file"]), tell=tell)
    say(runs=written["runs"], skipped=written["skipped"])


if __name__ == "__main__":
    serve(write)
