"""The engine as the window sees it: a process that is started, watched, and replaced."""

import atexit
import contextlib
import logging
import os
import queue
import signal
import threading
from collections.abc import Callable
from functools import partial

from explorer.api.family import MachineFault, PluginFault
from explorer.api.question import Failure
from explorer.engine.configuration import EngineConfiguration
from explorer.engine.messages import (
    Answer,
    Call,
    Cancel,
    Died,
    Download,
    EngineRequest,
    Event,
    Failed,
    Ping,
    Sign,
    Stop,
    Stopped,
)
from explorer.engine.process.boundary import decode, encode
from explorer.engine.process.call_tracker import CallTracker
from explorer.engine.process.crash_policy import (
    NO_MEMORY_TO_READ,
    CrashPolicy,
    out_of_memory,
    reason_of,
)
from explorer.engine.process.engine_handle import EngineHandle, begin
from explorer.engine.process.memory_guard import MemoryGuard
from explorer.engine.process.watchdog import Patience, Watchdog
from explorer.processes.piped import PipedMessages
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

_GRACE = 2.0
"""Seconds the process gets to end by itself."""

_LAST_GRACE = 0.5
"""Seconds it gets once it was told by a signal."""

_log = logging.getLogger(__name__)


class EngineProcess:
    """Runs the engine in a process of its own. Implements explorer.engine.interface.Engine.

    Four threads: the keeper starts processes, reads what they say and replaces them when they
    die; the sender writes, so that `submit` never waits for a full pipe; the watcher tells when
    a process hangs, which only the user can decide to end; the guard ends one that is about to
    take the last of the machine's memory.
    """

    def __init__(
        self,
        configuration: EngineConfiguration,
        patience: Patience | None = None,
        begun: EngineHandle | None = None,
        memory: MemoryGuard | None = None,
    ) -> None:
        """Prepare; `start` begins.

        Args:
            configuration: What a process is told first.
            patience: When one counts as hanging.
            begun: One that waits for its configuration already.
            memory: Who tells when a process takes too much of it.
        """
        self._begun = begun
        self._patience = patience or Patience()
        self.configuration = configuration
        """Taken up by the next process: change it and call `restart`."""
        self._listener: Callable[[Event], None] = _nobody
        self._ledger = CallTracker()
        self._deaths = CrashPolicy()
        self._pulse = Watchdog(self._patience)
        self._memory = memory or MemoryGuard()
        self._ended_for: Phrase | None = None
        self._outbox: queue.SimpleQueue[Call | Cancel | Ping | Stop] = queue.SimpleQueue()
        self._telling = threading.Lock()
        self._writing = threading.Lock()
        self._changed = threading.Condition()
        self._connection: PipedMessages | None = None
        self._process: EngineHandle | None = None
        self._exit_code: int | None = None
        self._is_closing = False
        self._is_down = False
        self._restart_wanted = False
        self._keeper = threading.Thread(target=self._keep, name="engine keeper", daemon=True)
        self._sender = threading.Thread(target=self._send, name="engine sender", daemon=True)
        self._watcher = threading.Thread(target=self._watch, name="engine watcher", daemon=True)
        self._guard = threading.Thread(target=self._protect, name="engine guard", daemon=True)

    @property
    def pid(self) -> int | None:
        """Of the process that runs now."""
        with self._changed:
            return None if self._process is None else self._process.pid

    # ---- the interface ---------------------------------------------------------------------

    def start(self, listener: Callable[[Event], None]) -> None:
        """Begin; returns at once. Requests may be submitted before."""
        self._listener = listener
        atexit.register(self.close)
        self._keeper.start()
        self._sender.start()
        self._watcher.start()
        self._guard.start()

    def submit(self, lane: str, request: EngineRequest) -> int:
        """Send a request; a newer one in a lane cancels the older. Returns its number."""
        call = self._ledger.open(lane, request)
        self._outbox.put(call)
        return call.number

    def cancel(self, lane: str) -> None:
        """Stop what runs or waits in a lane."""
        call = self._ledger.under_way(lane)
        if call is not None and not isinstance(call.request, Download):
            # A download has a thread of its own, and keeps nothing else from being answered.
            self._pulse.cancelled((lane, call.number))
        self._outbox.put(Cancel(lane))

    def restart(self) -> None:
        """End the process if there is one, start a new one, load the models again."""
        with self._changed:
            self._restart_wanted = True
            self._changed.notify_all()
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """End the engine; returns when its process is gone."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        atexit.unregister(self.close)
        self._outbox.put(Stop())
        if self._keeper.ident is None and self._begun is not None:
            self._begun.kill()
            self._begun.wait()
            self._begun.messages.close()
        if self._keeper.ident is None or threading.current_thread() is self._keeper:
            return
        self._keeper.join(_GRACE)
        for signal_name, patience in (("terminate", _LAST_GRACE), ("kill", _GRACE)):
            if self._keeper.is_alive():
                with self._changed:
                    if self._process is not None:
                        getattr(self._process, signal_name)()
                self._keeper.join(patience)

    # ---- the keeper ------------------------------------------------------------------------

    def _keep(self) -> None:
        is_restart = False
        while not self._is_closing:
            reason = NOTHING
            try:
                exit_code = self._run_process(is_restart=is_restart)
                reason = self._ended_for or reason_of(exit_code)
            except MemoryError:
                reason = NO_MEMORY_TO_READ
            except OSError as error:
                # No memory or no process numbers left: as good as one that died at once.
                _log.info("The engine's process could not be started: %s", error)
                reason = reason_of(None)
            if not self._is_closing:
                self._mourn(reason)
            is_restart = True

    def _run_process(self, *, is_restart: bool) -> int | None:
        """Start a process and read what it says until it ends; returns its exit code."""
        with self._changed:
            self._restart_wanted = False
            self._ended_for = None
        self._deaths.process_started(is_restart=is_restart)
        running, self._begun = self._begun or begin(), None
        ours = running.messages
        self._pulse.started()
        with contextlib.suppress(OSError):
            # One that has ended already is told by what is read.
            ours.write(encode(self.configuration))
        for call in self._ledger.reloads() if is_restart else ():
            self._write(ours, call)
        with self._changed:
            self._process = running
            self._connection = ours
            self._changed.notify_all()
            if self._is_closing:
                running.kill()
        try:
            self._read(ours)
        except MemoryError:
            # Half of an answer is read, so that nothing behind it can be.
            running.kill()
            raise
        finally:
            self._bury(running, ours)
        return self._exit_code

    def _bury(self, running: EngineHandle, connection: PipedMessages) -> None:
        with self._changed:
            self._connection = None
            self._changed.notify_all()
        # It closed its end of the pipe, so it is ending; but it must not keep us.
        if not running.wait(_GRACE):
            running.kill()
            running.wait()
        _end_group(running.pid)
        with self._changed:
            self._process = None
        self._exit_code = running.exit_code
        # The sender may be writing: its file number must not be given to another file meanwhile.
        with self._writing:
            connection.close()

    def _read(self, connection: PipedMessages) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                key = decode(connection.read())
                event = _decode_event(key, connection.read())
                self._pulse.heard(event)
                if isinstance(event, Sign):
                    continue
                if isinstance(event, Answer | Failed | Stopped):
                    self._pulse.ended((event.lane, event.number))
                if isinstance(event, Answer):
                    self._deaths.answered()
                if self._ledger.take(event):
                    self._tell(event)

    def _mourn(self, reason: Phrase) -> None:
        """Tell that the process died; wait for a wish to restart if another would die too."""
        with self._changed:
            was_wanted = self._restart_wanted
            if was_wanted:
                self._deaths.forget()
            gives_up = not was_wanted and self._deaths.is_hopeless()
            self._is_down = gives_up
        lost = self._ledger.lose(unsent_too=gives_up)
        if was_wanted:
            reason = Phrase(N_("The engine was restarted."))
        self._tell(Died(reason, restarting=not gives_up, lost=lost))
        if gives_up:
            with self._changed:
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._restart_wanted or self._is_closing)
                self._is_down = False
                self._deaths.forget()

    # ---- the watcher -----------------------------------------------------------------------

    def _watch(self) -> None:
        while True:
            with self._changed:
                if self._changed.wait_for(lambda: self._is_closing, self._patience.tick):
                    return
                is_running = self._connection is not None
            if is_running:
                told = self._pulse.look()
                if told is not None:
                    self._tell(told)
                if self._outbox.empty():
                    # One that is not sent yet is enough: a process that hangs reads none.
                    self._outbox.put(Ping())

    # ---- the guard -------------------------------------------------------------------------

    def _protect(self) -> None:
        while True:
            with self._changed:
                if self._changed.wait_for(lambda: self._is_closing, self._memory.pause):
                    return
                process = self._process
            held = None if process is None else self._memory.look(process.pid)
            if held is None:
                continue
            doing = self._ledger.at_work()
            with self._changed:
                # Another one may be there by now.
                if self._process is process is not None and self._ended_for is None:
                    self._ended_for = out_of_memory(held, doing)
                    process.kill()

    # ---- the sender ------------------------------------------------------------------------

    def _send(self) -> None:
        while not isinstance(message := self._outbox.get(), Stop):
            is_done = False
            dead: PipedMessages | None = None
            while not is_done and not self._is_closing:
                with self._changed:
                    self._changed.wait_for(partial(self._can_send, dead))
                    dead = connection = self._connection
                if connection is not None:
                    is_done = self._write(connection, message)
                elif self._is_down:
                    is_done = True
                    if isinstance(message, Call):
                        self._refuse(
                            message, MachineFault(N_("The engine is down."), N_("Restart it."))
                        )
        with self._changed:
            connection = self._connection
        if connection is not None:
            self._write(connection, Stop())

    def _can_send(self, dead: PipedMessages | None) -> bool:
        has_connection = self._connection is not None and self._connection is not dead
        return has_connection or self._is_down or self._is_closing

    def _write(self, connection: PipedMessages, message: Call | Cancel | Ping | Stop) -> bool:
        """Write a message; False when it is to be written to the next process."""
        if isinstance(message, Call) and not self._ledger.send(message):
            return True
        try:
            payload = encode(message)
        except TypeError as error:
            if isinstance(message, Call):
                self._refuse(message, error)
            return True
        # The key goes ahead, so that a call the engine cannot read is still answered.
        key = (message.lane, message.number) if isinstance(message, Call) else None
        try:
            with self._writing:
                connection.write(encode(key))
                connection.write(payload)
        except OSError:
            if not isinstance(message, Call):
                return True
            self._ledger.unsend(message)
            return False
        return True

    def _refuse(self, call: Call, error: Exception) -> None:
        event = Failed(call.lane, call.number, Failure.of(error))
        if self._ledger.take(event):
            self._tell(event)

    def _tell(self, event: Event) -> None:
        with self._telling:
            if self._is_closing:
                return
            try:
                self._listener(event)
            except Exception:  # noqa: BLE001  the reader must go on
                _log.exception("Who listens to the engine failed at %s", type(event).__name__)


def _decode_event(key: tuple[str, int] | None, payload: bytearray) -> Event | Sign:
    try:
        event: Event | Sign = decode(payload)
    except Exception as error:
        if key is None:
            raise
        # Most often a class of a plugin's own, which only the engine's process can import.
        fault = PluginFault(
            N_("The answer cannot be read here ({name}: {error})."),
            N_("A handler must answer with the operation's own result."),
            name=type(error).__name__,
            error=error,
        )
        return Failed(*key, Failure.of(fault))
    return event


def _end_group(leader: int | None) -> None:
    """End what plugins have started and left behind; the engine's process leads their group."""
    if leader is not None and hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(leader, signal.SIGKILL)


def _nobody(_event: Event) -> None:
    """A listener before there is one."""
