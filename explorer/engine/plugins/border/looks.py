"""Looks that plugins take: what should be over at once, and whose it is while it is not.

To import a plugin, or to ask its family what a checkpoint is, reads a few files' headers. Whoever
listens in this process is told when such a look begins and when it ends, and so knows which plugin
never returns from one, whichever thread it keeps.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

from explorer.engine.messages import PluginCallBegan, PluginCallEnded

Listener = Callable[[PluginCallBegan | PluginCallEnded], None]


class Interrupted(KeyboardInterrupt):
    """The user's own Ctrl-C, and not one that a plugin raises.

    Attributes:
        waited_for: What a user calls the plugin whose look it ended; "" where it was none.
    """

    waited_for = ""


_listeners: list[Listener] = []
_numbers = count(1)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Be told of every look meanwhile, on the thread that takes it."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def look_of(plugin: str, title: str) -> Iterator[None]:
    """A look that is a plugin's.

    Args:
        plugin: Its id.
        title: What a user reads.
    """
    told = tuple(_listeners)
    if not told:
        yield
        return
    number = next(_numbers)
    for listener in told:
        listener(PluginCallBegan(number, plugin, title))
    try:
        yield
    except Interrupted as stop:
        stop.waited_for = stop.waited_for or title
        raise
    finally:
        for listener in told:
            listener(PluginCallEnded(number))
