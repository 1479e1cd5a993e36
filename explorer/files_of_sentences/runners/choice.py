"""Whether several processes are quicker than one, and how many there is room for."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from explorer.api.question import Context, MachineFault, UserMistake
from explorer.api.worker_context import WorkerContext
from explorer.files_of_sentences.answering import Answering
from explorer.files_of_sentences.runners import cores
from explorer.files_of_sentences.runners.blocks import on_cpu
from explorer.files_of_sentences.runners.forked import can_be_copied
from explorer.files_of_sentences.runners.here import Here, SentenceRunner
from explorer.files_of_sentences.runners.processes import Processes
from explorer.files_of_sentences.runners.ray_actors import RayActors
from explorer.files_of_sentences.runners.start_cost import cost_told
from explorer.files_of_sentences.runners.worth import AROUND, COPY_START, LEAST, START, WORTH
from explorer.text import N_, Phrase
from explorer.text.formatting.quantities import bytes_precisely
from explorer.text.phrase import NOTHING

RAY = "ray"

MOST = 8
"""Processes that are started without being asked for."""


def runner_of(answering: Answering, context: Context, left: int) -> SentenceRunner:
    """Who answers the sentences of a file.

    Args:
        answering: What this process itself would do.
        context: Tells how other processes are made, and how many are wanted.
        left: Sentences that have no row yet.

    Raises:
        UserMistake: Several processes are wanted, but the model is on a GPU.
        MachineFault: There is no room for as many as are wanted.
    """
    elsewhere = context.elsewhere
    if elsewhere is None or left < 1:
        return Here(answering)
    wanted = elsewhere.sharing.processes
    if elsewhere.sharing.runner == RAY:
        if not elsewhere.sharing.address:
            wanted = min(wanted or cores.threads(), room_for(elsewhere))
        return RayActors(answering, elsewhere, wanted)
    if left < 2:
        return Here(answering)
    if wanted > 1:
        check(wanted, elsewhere, context.models)
        return Processes(answering, elsewhere, min(wanted, left))
    count = _shared_by(context, left)
    if count < 2:
        return Here(answering)
    return Processes(answering, elsewhere, count, left=left)


def with_processes(context: Context, count: int) -> Context:
    """A context in which so many processes are wanted; as it is for 0."""
    elsewhere = context.elsewhere
    if elsewhere is None or count < 1:
        return context
    sharing = replace(elsewhere.sharing, processes=count)
    return replace(context, elsewhere=replace(elsewhere, sharing=sharing))


def sharing_told(context: Context, left: int) -> Phrase:
    """How many processes will share in work that nobody has begun, and what each costs.

    Args:
        context: Tells how other processes are made, and how many are wanted.
        left: Sentences that have no row yet.

    Returns:
        Nothing where this process alone will answer.

    Raises:
        UserMistake: Several processes are wanted, but the model is on a GPU.
        MachineFault: There is no room for as many as are wanted.
    """
    elsewhere = context.elsewhere
    if elsewhere is not None and left > 1 and (cost := cost_of_more(context)):
        wanted = elsewhere.sharing.processes
        check(wanted, elsewhere, context.models)
        share = Phrase(N_("{count} processes share in it."), count=min(wanted, left))
        return Phrase.joined([share, cost])
    count = _shared_by(context, left)
    if elsewhere is None or count < 2:
        return NOTHING
    cost = _cost(elsewhere, context.cache, count)
    share = Phrase(
        N_("Where it takes longer than {seconds} s, up to {count} processes share in it."),
        seconds=round(WORTH * (COPY_START if _are_copies(count) else START)),
        count=count,
    )
    return Phrase.joined([share, cost])


def cost_of_more(context: Context) -> Phrase:
    """What each process costs that is wanted besides this one; nothing where none is."""
    elsewhere = context.elsewhere
    if elsewhere is None or elsewhere.sharing.runner == RAY or elsewhere.sharing.processes < 2:
        return NOTHING
    return _cost(elsewhere, context.cache, elsewhere.sharing.processes)


def _are_copies(count: int) -> bool:
    """Whether so many processes are copies of this one."""
    return can_be_copied(max(1, cores.threads() // count))


def _cost(elsewhere: WorkerContext, cache: Path | None, count: int) -> Phrase:
    return cost_told(_needed(elsewhere), cache, copies=_are_copies(count))


def _shared_by(context: Context, left: int) -> int:
    """How many processes may share where nobody said how many: 1 for this one alone."""
    elsewhere = context.elsewhere
    if elsewhere is None or elsewhere.sharing.runner == RAY or elsewhere.sharing.processes:
        return 1
    if left < LEAST or not all(map(on_cpu, context.models.values())):
        return 1
    return min(cores.threads(), MOST, room_for(elsewhere))


def check(wanted: int, elsewhere: WorkerContext, models: Mapping[str, Any]) -> None:
    """Refuse a number of processes that can't be.

    Raises:
        UserMistake: A model is on a GPU.
        MachineFault: There is no room.
    """
    if not all(map(on_cpu, models.values())):
        raise UserMistake(
            N_("Several processes can't share a GPU here."),
            N_("Let one process answer (--processes 1), or choose --device cpu."),
        )
    room = room_for(elsewhere)
    if wanted > room:
        raise MachineFault(
            N_(
                "There is no memory for {count} processes: each takes {needed}, and {free} are "
                "free."
            ),
            N_("Choose at most {room}."),
            count=wanted,
            needed=bytes_precisely(_needed(elsewhere)),
            free=bytes_precisely(_free()),
            room=room,
        )


def room_for(elsewhere: WorkerContext) -> int:
    """How many processes there is memory for, this one among them."""
    return int(1 + _free() // _needed(elsewhere))


def _needed(elsewhere: WorkerContext) -> int:
    return AROUND + sum(one.weights_bytes for one in elsewhere.models.values())


def _free() -> int:
    import psutil

    return int(psutil.virtual_memory().available)
