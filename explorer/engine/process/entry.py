"""Where the engine's process begins. The window names it, and is spared what stands behind it."""

import os
import sys
import traceback
from multiprocessing.connection import Connection

from explorer.engine.configuration import EngineConfiguration


def run(connection: Connection, configuration: EngineConfiguration, parent: int) -> None:
    """Be the engine's process; does not return.

    Args:
        connection: The engine's end of the pipe.
        configuration: Where everything is.
        parent: Process id of the window.
    """
    from explorer.engine.process import surroundings

    surroundings.ignore_interrupts()
    surroundings.die_with(parent)
    surroundings.lead_group()
    surroundings.let_forks_go(connection)
    surroundings.prepare_environment()
    surroundings.keep_freed_memory()
    surroundings.redirect_output(configuration.logs)
    try:
        from explorer.engine.process.server import Server

        Server(connection, configuration).serve()
    except BaseException:  # noqa: BLE001  a message that cannot be read: told through the exit code
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
