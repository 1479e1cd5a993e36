"""How the models of a run are loaded once more, in other processes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.api.family.load_options import LoadOptions


@dataclass(frozen=True)
class Parallelism:
    """Who shares in work over many sentences.

    Attributes:
        processes: How many processes answer; 0 decides by how long it takes, 1 is this one alone.
        runner: "ray" for actors of Ray; "" for processes of this machine.
        address: Of a cluster of Ray; "" starts one here for the run.
    """

    processes: int = 0
    runner: str = ""
    address: str = ""


@dataclass(frozen=True)
class ModelReplica:
    """A loaded model, as another process loads it.

    Attributes:
        checkpoint: Its id.
        options: How it is loaded, its device named.
        fingerprint: Of its files; a copy that has another one is none.
        weights_bytes: What another copy takes.
    """

    checkpoint: str
    options: LoadOptions
    fingerprint: str
    weights_bytes: int


@dataclass(frozen=True)
class WorkerContext:
    """All that another process needs to answer as this one. Picklable.

    Attributes:
        configuration: What an engine is told at its start, which the toolkit does not know.
        models: Who plays which role.
        sharing: How many processes are wanted.
    """

    configuration: object
    models: Mapping[str, ModelReplica]
    sharing: Parallelism = field(default_factory=Parallelism)
