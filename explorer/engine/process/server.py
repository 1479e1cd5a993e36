"""The engine's process: reads requests at all times, answers them on threads of their own.

The main thread reads the pipe, so that a cancel or the end of the window is noticed while
something runs. One thread does what needs torch, one call at a time; another answers what does
not (the library, plugins) while torch is still being imported; every download has its own. A long
run may give way: it rests on its thread while another one goes on in its place, so that there is
never more than one at work.
"""

import contextlib
import dataclasses
import gc
import importlib
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from explorer.api.errors import is_out_of_memory
from explorer.api.family import Cancelled, Context, LoadOptions, MachineFault, PluginFault
from explorer.api.question import Failure
from explorer.engine.configuration import EngineConfiguration, Parts
from explorer.engine.environment.waiting import use_when_ready
from explorer.engine.messages import (
    Answer,
    Ask,
    Call,
    Cancel,
    Download,
    Failed,
    Find,
    Inspect,
    ListCheckpoints,
    ListPlugins,
    ListRevisions,
    LoadModel,
    MeasureDownloads,
    MeasureTime,
    NameEntities,
    PartialResult,
    Ping,
    Pong,
    Progress,
    ReadSeries,
    Ready,
    SearchHub,
    Sign,
    Stop,
    Stopped,
    Unload,
)
from explorer.engine.plugins.border.looks import listening
from explorer.engine.process import surroundings
from explorer.engine.process.boundary import decode, encode, owned
from explorer.engine.process.crash_policy import GPU_FAULT_EXIT
from explorer.engine.process.lanes import LaneJob, Lanes
from explorer.engine.process.throttle import PARTS_RATE, Throttle
from explorer.hf.device_memory import give_back
from explorer.hf.loading.checkpoint import quiet_transformers
from explorer.processes.collector import collector_at_rest
from explorer.processes.piped import PipedMessages
from explorer.questions import all_questions
from explorer.text import N_

_MODELS = "models"
_LIBRARY = "library"
_DOWNLOADS = "downloads"

_OF_THE_HUB = Download | ListRevisions | MeasureDownloads | SearchHub

OF_MODELS = LoadModel | Unload | Ask | MeasureTime
OF_A_CALL = Progress | PartialResult | Stopped

_LIBRARY_FIRST = 3.0
"""Seconds the import of torch waits at most for the library's first answer: both want the
interpreter, and the library is what the user sees first."""


class Server:
    """Takes calls from a pipe and answers them."""

    def __init__(self, connection: PipedMessages, configuration: EngineConfiguration) -> None:
        self._connection = connection
        self._configuration = configuration
        self._lanes = Lanes()
        self._sending = threading.Lock()
        self._building = threading.Lock()
        self._parts: Parts | None = None
        self._no_torch: MachineFault | None = None
        self._library_open = threading.Event()

    def serve(self) -> None:
        """Work until the window says stop or is gone; then end the process at once."""
        self._send(Ready(os.getpid(), versions=surroundings.versions()))
        with listening(self._send):
            self._serve()
        # Threads inside torch cannot be asked to end, and nothing here needs tidying up.
        sys.stderr.flush()
        os._exit(0)

    def _serve(self) -> None:
        for work in (self._work_library, self._work_models):
            self._start(work)
        try:
            while True:
                message = self._read()
                if message is None:
                    continue
                if isinstance(message, Stop):
                    break
                if isinstance(message, Ping):
                    self._send(Pong())
                    continue
                self._take(message)
        except (EOFError, OSError):
            # The window is gone.
            pass

    def _read(self) -> Any:
        """The next message; None for a call that can't be read here, which is told as failed."""
        key: tuple[str, int] | None = decode(self._connection.read())
        payload = self._connection.read()
        try:
            return decode(payload)
        except Exception as error:
            if key is None:
                raise
            with contextlib.suppress(Exception):
                # A question of a plugin's, asked before the plugins were looked for.
                self._built_parts()
                all_questions()
                return decode(payload)
            fault = PluginFault(
                N_("The engine doesn't know this question ({name}: {error})."),
                N_("Is its plugin switched off? Start the program again."),
                name=type(error).__name__,
                error=error,
            )
            self._send_payload(key, encode(Failed(*key, Failure.of(fault))))
            return None

    # ---- requests --------------------------------------------------------------------------

    def _take(self, message: Call | Cancel) -> None:
        replaced: tuple[Call, ...]
        if isinstance(message, Cancel):
            replaced = self._lanes.cancel(message.lane)
        elif isinstance(message.request, _OF_THE_HUB):
            job, replaced = self._lanes.begin(_DOWNLOADS, message)
            threading.Thread(target=self._run, args=(job,), name="download", daemon=True).start()
        else:
            room = _MODELS if isinstance(message.request, OF_MODELS) else _LIBRARY
            replaced = self._lanes.put(room, message)
        for call in replaced:
            self._send(Stopped(call.lane, call.number))

    def _work_library(self) -> None:
        # Whatever goes wrong here goes wrong again at the first request, and is told then.
        with contextlib.suppress(Exception):
            self._built_parts()
        self._library_open.set()
        while True:
            job = self._lanes.take(_LIBRARY)
            if job is not None:
                self._run(job)

    def _work_models(self) -> None:
        self._library_open.wait(_LIBRARY_FIRST)
        self._lanes.wait_until_idle(_LIBRARY, _LIBRARY_FIRST)
        if self._configuration.packages is not None:
            # What is asked meanwhile waits in its lane, and can be cancelled there.
            use_when_ready(self._configuration.packages)
        with collector_at_rest():
            self._import_torch()
        self._answer_models()

    def _answer_models(self) -> None:
        while True:
            job = self._lanes.take(_MODELS)
            if job is not None and job.rests is not None:
                # Its own thread takes over.
                self._lanes.resume(job)
                return
            if job is not None:
                self._run(job)
                if job.is_aside:
                    # Another thread has gone on meanwhile.
                    return

    def _give_way(self, job: LaneJob, before: Callable[[], None]) -> None:
        rests = self._lanes.give_way(_MODELS, job, before)
        if rests is not None:
            self._start(self._answer_models)
            rests.wait()
            if job.cancelled.is_set():
                raise Cancelled

    @staticmethod
    def _start(work: Callable[[], None]) -> None:
        threading.Thread(target=_or_die(work), name=work.__name__, daemon=True).start()

    def _run(self, job: LaneJob) -> None:
        call = job.call
        is_gpu_lost = False
        started = time.perf_counter()
        try:
            result = owned(self._answer(job))
            if isinstance(call.request, Ask) and job.cancelled.is_set():
                raise Cancelled
            duration = time.perf_counter() - started
            memory = surroundings.resident_bytes()
            payload = encode(Answer(call.lane, call.number, result, duration, memory))
        except Cancelled:
            payload = encode(Stopped(call.lane, call.number))
        except BaseException as error:  # noqa: BLE001  whatever a plugin raises is told, not died of
            is_gpu_lost = _loses_gpu(error)
            payload = encode(Failed(call.lane, call.number, _failure_of(error)))
            if is_out_of_memory(error) or is_out_of_memory(error.__cause__):
                _let_go(error)
                _free_memory()
        self._lanes.finish(job)
        self._send_payload((call.lane, call.number), payload)
        if is_gpu_lost:
            sys.stderr.flush()
            os._exit(GPU_FAULT_EXIT)

    def _answer(self, job: LaneJob) -> Any:
        request = job.call.request
        if isinstance(request, Download):
            return self._download(request, job)
        if isinstance(request, ListRevisions | MeasureDownloads | SearchHub):
            return self._asked_of_hub(request, job)
        parts = self._built_parts()
        if isinstance(request, ListCheckpoints):
            return parts.catalogue.list(request.folders)
        if isinstance(request, Find):
            return parts.catalogue.find(request.checkpoint_id)
        if isinstance(request, Inspect):
            return parts.catalogue.inspect(Path(request.path))
        if isinstance(request, ReadSeries):
            return parts.series(request.checkpoint_id)
        if isinstance(request, ListPlugins):
            return parts.host.described(parts.catalogue.list())
        if isinstance(request, NameEntities):
            return parts.runner.entities_named(request.slot, request.beginning, request.most)
        if isinstance(request, Unload):
            parts.runner.unload(request.slot)
            _free_memory()
            return None
        return self._answer_by_models(request, parts, job)

    def _answer_by_models(
        self, request: LoadModel | MeasureTime | Ask, parts: Parts, job: LaneJob
    ) -> Any:
        """What takes torch."""
        if self._no_torch is not None:
            raise self._no_torch
        context = self._context(job)
        context.check()
        if isinstance(request, LoadModel | MeasureTime):
            options = self._with_device(request.options)
            if isinstance(request, MeasureTime):
                return parts.runner.sentence_time(request.checkpoint_id, options, context)
            return parts.runner.load(request.slot, request.checkpoint_id, options, context)
        return parts.runner.ask(request.request, request.models, context)

    def _download(self, request: Download, job: LaneJob) -> Any:
        from explorer.engine.downloads.download import download

        download(
            request.checkpoint_id,
            self._configuration.hub_cache,
            self._teller(job.call),
            job.cancelled.is_set,
            offline=self._configuration.offline,
            tokenizer_only=request.tokenizer_only,
        )
        return self._built_parts().catalogue.find(request.checkpoint_id)

    def _asked_of_hub(
        self, request: ListRevisions | MeasureDownloads | SearchHub, job: LaneJob
    ) -> Any:
        offline, is_cancelled = self._configuration.offline, job.cancelled.is_set
        cache = self._configuration.hub_cache
        if isinstance(request, SearchHub):
            from explorer.engine.downloads.search import search_hub

            return search_hub(
                request.words,
                cache,
                self._teller(job.call),
                is_cancelled,
                knows=self._built_parts().host.knows_type,
                offline=offline,
            )
        if isinstance(request, ListRevisions):
            from explorer.engine.downloads.revisions import list_revisions

            return list_revisions(request.checkpoint_id, is_cancelled, offline=offline)
        from explorer.engine.downloads.download import download_size

        return tuple(
            download_size(one, cache, is_cancelled, offline=offline)
            for one in request.checkpoint_ids
        )

    def _built_parts(self) -> Parts:
        with self._building:
            if self._parts is None:
                self._parts = self._configuration.build(self._configuration)
            return self._parts

    def _with_device(self, options: LoadOptions) -> LoadOptions:
        if options.device == "auto":
            return dataclasses.replace(options, device=self._configuration.device)
        return options

    # ---- torch -----------------------------------------------------------------------------

    def _import_torch(self) -> None:
        if not self._configuration.with_torch:
            self._send(Ready(os.getpid(), ("cpu",), surroundings.versions()))
            return
        library = "torch"
        try:
            torch = importlib.import_module(library)
            surroundings.use_threads(torch, self._configuration.threads)
            library = "transformers"
            transformers = importlib.import_module(library)
            self._send(
                Ready(
                    os.getpid(),
                    surroundings.devices(torch),
                    surroundings.versions(torch, transformers),
                )
            )
            # Broken parts are told by what follows.
            with contextlib.suppress(Exception):
                quiet_transformers()
            # transformers imports lazily; every model needs this part, and now is a good time.
            importlib.import_module("transformers.modeling_utils")
        except BaseException as error:  # noqa: BLE001  a broken installation fails in many ways
            self._no_torch = _unusable(library, error)
            self._send(
                Ready(
                    os.getpid(),
                    versions=surroundings.versions(),
                    problem=Failure.of(self._no_torch),
                )
            )

    # ---- what is told ----------------------------------------------------------------------

    def _context(self, job: LaneJob) -> Context:
        tell = self._teller(job.call)

        def progress(stage: str, done: float, total: float) -> None:
            tell(stage, done, total, "")

        def give_way(before: Callable[[], None] = lambda: None) -> None:
            self._give_way(job, before)

        return Context(
            is_cancelled=job.cancelled.is_set,
            progress=progress,
            show=self._shower(job.call),
            results=self._configuration.results,
            cache=self._configuration.cache,
            training=self._configuration.training,
            give_way=give_way,
        )

    def _teller(self, call: Call) -> Callable[[str, float, float, str], None]:
        throttle = Throttle()

        def tell(stage: str, done: float, total: float, detail: str) -> None:
            if throttle.allows(stage):
                self._send(Progress(call.lane, call.number, stage, done, total, detail))

        return tell

    def _shower(self, call: Call) -> Callable[[Callable[[], Any]], None]:
        throttle = Throttle(rate=PARTS_RATE)

        def show(make: Callable[[], Any]) -> None:
            if throttle.allows(""):
                self._send(PartialResult(call.lane, call.number, owned(make())))

        return show

    def _send(self, message: Ready | Sign | Progress | PartialResult | Stopped) -> None:
        key = (message.lane, message.number) if isinstance(message, OF_A_CALL) else None
        self._send_payload(key, encode(message))

    def _send_payload(self, key: tuple[str, int] | None, payload: bytes) -> None:
        # The key goes ahead, so that a result the window cannot read still ends its call.
        header = encode(key)
        try:
            with self._sending:
                self._connection.write(header)
                self._connection.write(payload)
        except OSError:
            # The window is gone.
            os._exit(0)


def _or_die(work: Callable[[], None]) -> Callable[[], None]:
    """End the process with a thread that fails: without it nothing would be answered any more."""

    def run() -> None:
        try:
            work()
        except BaseException:  # noqa: BLE001  memory may be out even for the telling of that
            with contextlib.suppress(BaseException):
                traceback.print_exc()
            os._exit(1)

    return run


def _unusable(library: str, error: BaseException) -> MachineFault:
    """The fault of an installation in which a library cannot be imported.

    It is often another library that the first one needs: the one that raised is named as well.
    """
    if is_out_of_memory(error):
        return MachineFault(
            N_("There is not enough memory to start PyTorch."),
            N_("Close other programs, then restart the engine."),
        )
    frames = traceback.extract_tb(error.__traceback__)
    parts = Path(frames[-1].filename).parts if frames else ()
    culprit = parts[parts.index("site-packages") + 1] if "site-packages" in parts[:-1] else library
    named = library if culprit == library else f"{library}, or {culprit} which it needs,"
    fault = MachineFault(
        N_("The library {named} cannot be used here ({name}: {error})."),
        N_("Install it again: delete the folder .venv and start the program again."),
        named=named,
        name=type(error).__name__,
        error=error,
    )
    fault.__cause__ = error
    return fault


def _failure_of(error: BaseException) -> Failure:
    try:
        return Failure.of(error)
    except Exception:  # noqa: BLE001  an exception of a plugin's that cannot even be printed
        return Failure.of(RuntimeError(f"a {type(error).__name__} that cannot be described"))


def _let_go(error: BaseException | None) -> None:
    """Of what the frames hold that an error went through: half a model, or a batch."""
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__


def _loses_gpu(error: BaseException) -> bool:
    """Errors after which every further call to the GPU fails in this process."""
    if is_out_of_memory(error):
        return False
    text = " ".join(str(part) for part in error.args)
    return "device-side assert" in text or "CUDA error:" in text or "HIP error:" in text


def _free_memory() -> None:
    gc.collect()
    give_back()
