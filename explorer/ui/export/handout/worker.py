"""The process that makes a handout for the window, which never imports what models run in.

What is wanted comes as JSON on standard input; how far it is and what came of it goes, a line of
JSON each, to standard output.
"""

import json
import os
import sys
from typing import IO, Any

from explorer.api.question import ExplorerError, Failure
from explorer.program import Program
from explorer.text import language as languages


def main(asked: IO[str], told: IO[str]) -> None:
    """Make what is asked for."""
    wanted = json.loads(asked.read())
    program = Program.from_json(wanted["program"])
    found = languages.find(wanted["language"], program.paths.texts)
    if found is not None:
        languages.use(found)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"

    def say(**message: Any) -> None:
        told.write(json.dumps(message) + "\n")
        told.flush()

    from explorer.ui.export.handout.making import Handout, make

    def tell(words: str, done: int, count: int) -> None:
        say(words=words, done=done, count=count)

    try:
        made = make(program, Handout(**wanted["handout"]), tell)
    except ExplorerError as error:
        failure = Failure.of(error)
        say(failed=failure.said, advice=failure.advice)
    else:
        say(made=made.scenes, failing=made.failed)


if __name__ == "__main__":
    # What a library prints must not stand between the lines.
    real, sys.stdout = sys.stdout, sys.stderr
    main(sys.stdin, real)
