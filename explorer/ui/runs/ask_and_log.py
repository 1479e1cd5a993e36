"""A question to the engine whose answer is a run: asked, kept in a log, and only then told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.model import commits_of
from explorer.api.question import Failure, ModelStamp, Question
from explorer.api.question.roles import RoleBinding
from explorer.document import Document
from explorer.engine.messages import Answer, Ask, Progress
from explorer.questions import versions_of
from explorer.sessions.records import LoggedRun
from explorer.ui.blocks.page.shown import Origin
from explorer.ui.runs.engine_bridge import EngineBridge, Reply, nothing

FILE_LANE = "file session"
"""The lane in which the sentences of a file are asked, one after the other."""

Record = Callable[[LoggedRun, Callable[[str], None]], None]
"""Keeps a run, then calls with its id, "" where it was not kept."""


@dataclass(frozen=True)
class RunRequest:
    """Everything that is known of a run before it is answered.

    Attributes:
        question: What is asked.
        document: The one that asks.
        request: The question's.
        cast: The slot of each role.
        models: Who plays which role.
    """

    question: Question[Any, Any]
    document: Document
    request: Any
    cast: RoleBinding
    models: Mapping[str, ModelStamp]

    @property
    def seed(self) -> int:
        """What random numbers are drawn with."""
        return int(getattr(self.request, "seed", 0))


@dataclass(frozen=True, kw_only=True)
class Callbacks:
    """What is to happen with an inquiry; exactly one of the first four ends it.

    Attributes:
        answered: With the Run and its Origin, once it is kept.
        failed: With the Failure, once the failed run is kept.
        stopped: It was cancelled.
        lost: With the reason: the engine died before it answered.
        progressed: With a Progress.
        parted: With what there is of the result so far; it is not kept.
    """

    answered: Callable[[LoggedRun, Origin], None]
    failed: Callable[[Failure], None]
    stopped: Callable[[], None]
    lost: Callable[[str], None]
    progressed: Callable[[Progress], None] = nothing
    parted: Callable[[Any], None] = nothing


def ask_and_log(
    bridge: EngineBridge, lane: str, inquiry: RunRequest, record: Record, heard: Callbacks
) -> None:
    """Ask in a lane, keep what comes of it, then tell."""

    def answered(answer: Answer) -> None:
        keep(run_of(bridge, inquiry, answer), record, heard)

    def failed(failure: Failure) -> None:
        record(run_of(bridge, inquiry, failure), lambda _id: heard.failed(failure))

    bridge.submit(
        lane,
        Ask(inquiry.request, inquiry.cast),
        Reply(
            answered=answered,
            failed=failed,
            stopped=heard.stopped,
            lost=heard.lost,
            progressed=heard.progressed,
            parted=heard.parted,
        ),
    )


def run_of(bridge: EngineBridge, inquiry: RunRequest, came: Answer | Failure) -> LoggedRun:
    """What there is to keep of what came."""
    ready = bridge.latest_ready
    engine = ready.versions if ready is not None else {}
    answer = came if isinstance(came, Answer) else None
    return LoggedRun(
        question=inquiry.question,
        document=inquiry.document,
        request=inquiry.request,
        result=answer.result if answer is not None else None,
        models=inquiry.models,
        seed=inquiry.seed,
        duration=answer.duration if answer is not None else 0.0,
        versions={
            **engine,
            **versions_of(inquiry.question),
            **commits_of(inquiry.models.values()),
        },
        failure=came if isinstance(came, Failure) else None,
    )


def keep(done: LoggedRun, record: Record, heard: Callbacks) -> None:
    """Keep an answer, then tell of it."""
    # When it was answered, not when a slow disk has taken it.
    origin = Origin.of_run(done)

    def kept(_id: str) -> None:
        if done.fault is not None:
            # An answer that makes no table is none, and is kept as failed.
            heard.failed(done.fault)
        else:
            heard.answered(done, origin)

    record(done, kept)
