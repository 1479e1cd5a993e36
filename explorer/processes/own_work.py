"""How a process that the window starts for some work begins, and how it answers.

What is wanted comes as JSON on standard input, how far it is and what came of it goes to standard
output, a line of JSON each.
"""

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from explorer.api.question import ExplorerError, Failure
from explorer.processes.collector import collect_seldom
from explorer.program import Program
from explorer.text import language as languages


class Say(Protocol):
    """Writes one line."""

    def __call__(self, **message: Any) -> None:
        """Names and values, as JSON has them."""


Work = Callable[[Program, Mapping[str, Any], Say], None]
"""Does what is wanted; an error that people are told of ends it, and is said."""


def serve(work: Work) -> None:
    """Do the work of this process."""
    collect_seldom()
    # What a library prints must not stand between the lines.
    answers, sys.stdout = sys.stdout, sys.stderr
    wanted = json.loads(sys.stdin.read())
    program = Program.from_json(wanted["program"])
    found = languages.find(wanted["language"], program.paths.texts)
    if found is not None:
        languages.use(found)

    def say(**message: Any) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    try:
        work(program, wanted, say)
    except ExplorerError as error:
        failure = Failure.of(error)
        say(failed=failure.said, advice=failure.advice)
