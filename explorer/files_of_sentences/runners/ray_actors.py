"""Sentences answered by actors of Ray: on this machine, or on those of a cluster.

Each actor loads the same checkpoints through the same plugins, from the same paths, and looks at
the files' hash before it answers. Without an address a cluster of this machine alone is started for
the run: nothing of it listens beyond loopback, and it ends with the run.
"""

import contextlib
import importlib.util
import os
import re
import socket
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.api.question import Context, MachineFault, UserMistake
from explorer.api.worker_context import WorkerContext
from explorer.files_of_sentences.answering import Answering
from explorer.files_of_sentences.results import SentenceOutcome
from explorer.files_of_sentences.runners.blocks import LOOK_EVERY, Pending, SentenceBlock
from explorer.files_of_sentences.runners.copied import Copy, portable
from explorer.files_of_sentences.runners.here import Row, rows_of
from explorer.files_of_sentences.runners.messages import BlockRows, Fault, RunnerReady
from explorer.files_of_sentences.sentences import FileSentence
from explorer.processes.own_processes import search_path
from explorer.serialise import to_json
from explorer.text import N_, _

STORE = 100_000_000
"""Bytes of Ray's memory for objects, which are a few rows here; its own is a third of all."""

REACHED = 5.0
"""Seconds that the machine at an address may take to answer."""

QUIET = {
    # What Ray's makers are told of every run, unless they are told not to.
    "RAY_USAGE_STATS_ENABLED": "0",
    # Named for where it is the default: nothing listens or connects beyond loopback.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
}

ALONE = {
    # To know in which cloud it is, Ray asks three of them, also where it reports to nobody: it
    # finds a proxy at which nobody listens. Its own processes speak to each other past that.
    "http_proxy": "http://127.0.0.1:9",
    "https_proxy": "http://127.0.0.1:9",
    "no_proxy": "localhost,127.0.0.1,::1",
}


class RayActors:
    """Answers blocks in actors.

    Args:
        answering: What this process would do; it does where no actor is left.
        elsewhere: How the actors come to the models.
        count: How many; 0 for one a GPU where the model is on one, else one a core.
    """

    def __init__(self, answering: Answering, elsewhere: WorkerContext, count: int) -> None:
        self._answering = answering
        self._elsewhere = elsewhere
        self._count = count

    def rows(self, pending: Pending, context: Context) -> Generator[Sequence[Row], None, None]:
        """Every pending sentence's row."""
        context.progress(_("starting Ray"), 0.0, 0.0)
        with _cluster(self._elsewhere.sharing.address, self._count) as ray:
            actors = self._actors(ray)
            try:
                yield from _shared_out(ray, actors, pending, context)
            finally:
                for actor in actors:
                    ray.kill(actor)
        while (block := pending.take()) is not None:
            yield from rows_of(self._answering, block, context)
            pending.done()

    def _actors(self, ray: Any) -> list[Any]:
        """Actors that load the models, as many as there is room for."""
        on_gpu = any(one.options.device != "cpu" for one in self._elsewhere.models.values())
        there = ray.cluster_resources()
        cores, gpus = int(there.get("CPU", 0)), int(there.get("GPU", 0))
        if (on_gpu and not gpus) or not cores:
            raise MachineFault(
                N_("There is no GPU in the cluster of Ray.")
                if on_gpu
                else N_("There is no free core in the cluster of Ray."),
                N_("Choose --device cpu, or another --address."),
            )
        count = min(self._count or cores, gpus if on_gpu else cores)
        share = max(1, cores // count)
        question = self._answering.question.name
        template = to_json(self._answering.template)
        made = ray.remote(num_cpus=1, num_gpus=1 if on_gpu else 0)(Actor)
        here = _as_an_actor_has_it(self._elsewhere) if on_gpu else self._elsewhere
        return [made.remote(here, question, template, share) for _number in range(count)]


class Actor:
    """What an actor does; errors are values, so that they arrive as what they were."""

    def __init__(
        self, elsewhere: WorkerContext, question: str, template: str, threads: int
    ) -> None:
        self._copy = Copy(elsewhere, question, template)
        self._threads = threads

    def load(self) -> RunnerReady | Fault:
        """Load the models, and look whether they are the same."""
        from explorer.engine.process import surroundings

        surroundings.prepare_environment()
        try:
            self._copy.load(self._threads)
        except Exception as error:  # noqa: BLE001 - told to who asked
            return Fault(portable(error))
        return RunnerReady()

    def answer(self, sentences: Sequence[FileSentence]) -> BlockRows | Fault:
        """What came of a block."""
        found: list[SentenceOutcome] = []
        try:
            for some in self._copy.steps(sentences):
                found += some
        except Exception as error:  # noqa: BLE001 - told to who asked
            return Fault(portable(error))
        return BlockRows(found)


def _shared_out(
    ray: Any, actors: list[Any], pending: Pending, context: Context
) -> Iterator[Sequence[Row]]:
    """Give blocks to actors until all is done, or none is left: lost ones are taken out."""
    at: dict[Any, tuple[Any, SentenceBlock | None]] = {
        one.load.remote(): (one, None) for one in actors
    }
    idle: list[Any] = []
    while at or idle:
        while idle and (block := pending.take()) is not None:
            actor = idle.pop()
            at[actor.answer.remote(block.sentences)] = (actor, block)
        if pending.all_done:
            return
        found: list[Row] = []
        for done in ray.wait(list(at), timeout=LOOK_EVERY)[0] if at else ():
            actor, given = at.pop(done)
            try:
                answer = ray.get(done)
            except ray.exceptions.RayActorError:
                actors.remove(actor)
                if given is not None:
                    pending.give_back(given)
                continue
            if isinstance(answer, Fault):
                raise answer.error
            idle.append(actor)
            if given is not None:
                found += enumerate(answer.outcomes, start=given.first)
                pending.done()
        context.check()
        yield found


@contextlib.contextmanager
def _cluster(address: str, count: int) -> Iterator[Any]:
    """Ray, connected.

    Raises:
        UserMistake: It is not installed, or nothing answers at the address.
    """
    check_installed()
    _prepare(address)
    import ray

    options: dict[str, Any] = {
        "runtime_env": {"env_vars": {"PYTHONPATH": search_path()}},
        "log_to_driver": False,
        "logging_level": "ERROR",
    }
    if address:
        options["address"] = address
    elif ray.util.get_node_ip_address() != "127.0.0.1":
        raise MachineFault(
            N_("Ray would listen beyond this machine."),
            N_("Leave --runner out, or start Ray yourself and name it by --address."),
        )
    else:
        from explorer.files_of_sentences.runners.cores import threads

        options |= {
            "num_cpus": count or threads(),
            "include_dashboard": False,
            "object_store_memory": STORE,
        }
    try:
        _look_whether_there(address)
        with contextlib.nullcontext() if address else _started_with(ALONE):
            ray.init(**options)
    except (OSError, OverflowError, ValueError, RuntimeError) as error:
        raise UserMistake(
            N_("Ray can't be reached at {address} ({error})."),
            N_("Start it there (ray start --head), or leave --address out."),
            address=address or "127.0.0.1",
            error=str(error).strip().partition("\n")[0],
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _prepare(address: str) -> None:
    """Set what Ray reads when it is imported."""
    if not address:
        os.environ.update(QUIET)
        return
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    if os.environ.get("RAY_AUTH_TOKEN_PATH") or (Path.home() / ".ray" / "auth_token").is_file():
        # A cluster that was started by the same user wants it, and Ray does not look for it.
        os.environ.setdefault("RAY_AUTH_MODE", "token")


@contextlib.contextmanager
def _started_with(variables: Mapping[str, str]) -> Iterator[None]:
    """Have what is started inside the block find variables that this process has not."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _look_whether_there(address: str) -> None:
    """Try to connect: Ray itself gives up after two minutes.

    Raises:
        OSError: Nobody listens there.
    """
    found = re.fullmatch(r"(?:ray://)?(.+):(\d{1,5})", address)
    if found is not None:
        socket.create_connection((found[1].strip("[]"), int(found[2])), REACHED).close()


def check_installed() -> None:
    """Refuse to go on without Ray.

    Raises:
        UserMistake: It is not installed.
    """
    if importlib.util.find_spec("ray") is None:
        raise UserMistake(
            N_("Ray is not installed."), N_("Install it: pip install plm-explorer[cluster].")
        )


def _as_an_actor_has_it(elsewhere: WorkerContext) -> WorkerContext:
    """With the one GPU that an actor sees, whichever this process has."""
    models = {
        role: replace(one, options=replace(one.options, device="cuda:0"))
        for role, one in elsewhere.models.items()
    }
    return replace(elsewhere, models=models)
