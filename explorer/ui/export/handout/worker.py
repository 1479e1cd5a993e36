"""The process that makes a handout for the window, which never imports what models run in."""

from collections.abc import Mapping
from typing import Any

from explorer.processes.own_work import Say, serve
from explorer.program import Program
from explorer.system_libraries import draw_without_screen


def write(program: Program, wanted: Mapping[str, Any], say: Say) -> None:
    """Make what is asked for."""
    draw_without_screen(always=True)
    from explorer.ui.export.handout.making import Handout, make

    def tell(words: str, done: int, count: int) -> None:
        say(words=words, done=done, count=count)

    made = make(program, Handout(**wanted["handout"]), tell)
    say(made=made.scenes, failing=made.failed)


if __name__ == "__main__":
    serve(write)
