"""pytest-qt's robot, which looks again sooner."""

from collections.abc import Callable

from pytestqt.qtbot import QtBot

SOON = (1,) * 8
"""Milliseconds between the first looks. What a test waits for mostly comes at once: it is posted
to the window already, or a thread is about to post it."""


class QuickBot(QtBot):
    """Looks after a millisecond, several times, before it looks every ten milliseconds."""

    def waitUntil(  # noqa: N802 - as pytest-qt names it
        self, callback: Callable[[], bool | None], *, timeout: int = 5000
    ) -> None:
        """As pytest-qt's own."""
        __tracebackhide__ = True
        for pause in SOON:
            if pause > timeout:
                break
            try:
                result = callback()
            except AssertionError:
                result = False
            if result is None or result is True:
                return
            if result is not False:
                break
            self.wait(pause)
        super().waitUntil(callback, timeout=timeout)

    wait_until = waitUntil
