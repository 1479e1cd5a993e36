"""Where the engine's process begins: as a module of its own, told by its pipes what to be."""

import contextlib
import os
import sys
import traceback

from explorer.engine.process.engine_handle import AHEAD
from explorer.processes.piped import PipedMessages, own_messages


def run(messages: PipedMessages, *, ahead: bool = False) -> None:
    """Be the engine's process; does not return.

    Args:
        messages: The engine's end of the pipes; the first message is its EngineConfiguration.
        ahead: That message comes later, when the window has been made: use the time.
    """
    from explorer.engine.process import surroundings

    surroundings.ignore_interrupts()
    surroundings.lead_group()
    surroundings.let_forks_go(messages)
    surroundings.prepare_environment()
    surroundings.keep_freed_memory()
    if ahead:
        # What fails here fails again below, where it is told.
        with contextlib.suppress(Exception):
            import_own()
    try:
        from explorer.engine.process.boundary import decode

        configuration = decode(messages.read())
    except (EOFError, OSError):
        # The window could not be made, and the program has ended.
        os._exit(0)
    surroundings.redirect_output(configuration.logs)
    try:
        from explorer.engine.process.server import Server

        Server(messages, configuration).serve()
    except BaseException:  # noqa: BLE001  a message that cannot be read: told through the exit code
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


def import_own() -> None:
    """Import what every engine needs of the program, and numpy with it."""
    from explorer.processes.collector import collector_at_rest

    with collector_at_rest():
        from explorer.engine import runner  # noqa: F401
        from explorer.engine.process import server  # noqa: F401
        from explorer.hf.family import base  # noqa: F401
        from explorer.questions import own_questions

        own_questions()


if __name__ == "__main__":
    run(own_messages(), ahead=AHEAD in sys.argv[1:])
