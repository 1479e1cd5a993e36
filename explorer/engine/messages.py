"""What crosses between the window and the engine: frozen, picklable, and nothing else."""

from dataclasses import dataclass, field
from typing import Any

from explorer.api.family import LoadOptions
from explorer.api.family.checkpoint import Checkpoint
from explorer.api.question import MODEL, SLOTS, Failure, ModelCard
from explorer.api.question.roles import RoleBinding
from explorer.text.phrase import NOTHING, Phrase

# ---- what the window asks -------------------------------------------------------------------


@dataclass(frozen=True)
class Ask:
    """Run a question.

    Attributes:
        request: The question's request; its type says which question.
        models: The slot of the model that plays each of the question's roles; empty where the
            question needs no model and is asked of none.
    """

    request: Any
    models: RoleBinding = field(default_factory=lambda: {MODEL: SLOTS[0]})


@dataclass(frozen=True)
class LoadModel:
    """Load a checkpoint into a slot; the answer is a ModelCard."""

    slot: str
    checkpoint_id: str
    options: LoadOptions = field(default_factory=LoadOptions)


@dataclass(frozen=True)
class Unload:
    """Free a slot; the answer is None."""

    slot: str


@dataclass(frozen=True)
class ListCheckpoints:
    """Read the library; the answer is a tuple of Checkpoint.

    Attributes:
        folders: Folders the user has opened before.
    """

    folders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Find:
    """Look up one checkpoint of the library by its id; the answer is a Checkpoint."""

    checkpoint_id: str


@dataclass(frozen=True)
class Inspect:
    """Read a folder, a config.json or a weight file without loading; the answer is a Checkpoint."""

    path: str


@dataclass(frozen=True)
class ReadSeries:
    """Read which frames a checkpoint's series has; the answer is a CheckpointSeries, or None.

    Attributes:
        checkpoint_id: A frame's, or the series' own.
    """

    checkpoint_id: str


@dataclass(frozen=True)
class Download:
    """Fetch a published checkpoint into the cache; the answer is its Checkpoint.

    Attributes:
        checkpoint_id: Its name on the hub.
        tokenizer_only: Without its weights.
    """

    checkpoint_id: str
    tokenizer_only: bool = False


@dataclass(frozen=True)
class ListRevisions:
    """Ask the hub for a repository's branches, tags and commits; the answer is Revisions.

    Attributes:
        checkpoint_id: Its name on the hub.
    """

    checkpoint_id: str


@dataclass(frozen=True)
class MeasureDownloads:
    """Ask the hub what downloads would fetch; the answer is a tuple with a DownloadSize of each.

    Attributes:
        checkpoint_ids: Names on the hub, each with its revision behind an @.
    """

    checkpoint_ids: tuple[str, ...]


@dataclass(frozen=True)
class SearchHub:
    """Ask the hub for models by words of their names; the answer is a tuple of FoundModel.

    Attributes:
        words: As they were typed.
    """

    words: str


@dataclass(frozen=True)
class ListPlugins:
    """The answer is a tuple of PluginRecord."""


@dataclass(frozen=True)
class NameEntities:
    """Look up names in a loaded model's graph; the answer is a tuple of Entity.

    Attributes:
        slot: The model's; one that reads no entities knows none.
        beginning: Of a name, or a whole id.
        most: How many are wanted.
    """

    slot: str
    beginning: str
    most: int


@dataclass(frozen=True)
class MeasureTime:
    """Time a model of the library on one sentence; the answer is a SentenceTime.

    Attributes:
        checkpoint_id: Loaded or not; what is loaded for it is let go again.
        options: How it is loaded where it is not.
    """

    checkpoint_id: str
    options: LoadOptions = field(default_factory=LoadOptions)


EngineRequest = (
    Ask
    | LoadModel
    | Unload
    | ListCheckpoints
    | Find
    | Inspect
    | ReadSeries
    | Download
    | ListRevisions
    | MeasureDownloads
    | SearchHub
    | MeasureTime
    | ListPlugins
    | NameEntities
)


@dataclass(frozen=True)
class Call:
    """A request on its way.

    Attributes:
        lane: A newer call in the same lane cancels the older.
        number: Grows by one with every call in a lane; late answers are dropped by it.
        request: One of the above.
    """

    lane: str
    number: int
    request: EngineRequest


@dataclass(frozen=True)
class Cancel:
    """Stop what runs or waits in a lane."""

    lane: str


@dataclass(frozen=True)
class Ping:
    """Give a sign; the answer is Pong."""


@dataclass(frozen=True)
class Stop:
    """End the engine's process."""


# ---- what the engine says -------------------------------------------------------------------


@dataclass(frozen=True)
class Ready:
    """The engine runs. Sent twice: at once with torch None, and when torch is imported.

    Attributes:
        pid: Of its process.
        devices: ("cpu", "cuda:0", ...), known with torch.
        versions: {"python": ..., "torch": ..., "transformers": ..., "plm-explorer": ...}.
        problem: Why torch cannot be used; with it, devices stays empty and every Load fails.
    """

    pid: int
    devices: tuple[str, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)
    problem: Failure | None = None


@dataclass(frozen=True)
class Progress:
    """How far a call is. total 0: unknown."""

    lane: str
    number: int
    stage: str
    done: float = 0.0
    total: float = 0.0
    detail: str = ""


@dataclass(frozen=True)
class PartialResult:
    """What there is of a call's result so far, of the result's own type; more follows."""

    lane: str
    number: int
    result: Any


@dataclass(frozen=True)
class Answer:
    """A call's result.

    Attributes:
        lane: The call's.
        number: The call's.
        result: The question's result, or what the request's docstring says.
        duration: Seconds in the engine.
        memory_bytes: Resident memory of the engine's process afterwards.
    """

    lane: str
    number: int
    result: Any
    duration: float = 0.0
    memory_bytes: int = 0


@dataclass(frozen=True)
class Failed:
    """A call failed."""

    lane: str
    number: int
    failure: Failure


@dataclass(frozen=True)
class Stopped:
    """A call was cancelled; nothing else will come of it."""

    lane: str
    number: int


@dataclass(frozen=True)
class Pong:
    """The engine's process still reads what it is told; whoever listens is spared it."""


@dataclass(frozen=True)
class PluginCallBegan:
    """A plugin's code looks at something, which should be over at once; the listener is spared it.

    Attributes:
        number: Of the look.
        plugin: The plugin's id.
        title: What a user calls it.
    """

    number: int
    plugin: str
    title: str


@dataclass(frozen=True)
class PluginCallEnded:
    """That look is over; the listener is spared it."""

    number: int


Sign = Pong | PluginCallBegan | PluginCallEnded
"""What says how the process is, and nothing to whoever listens."""


@dataclass(frozen=True)
class Unresponsive:
    """The engine's process hangs: no sign of it, a cancel not obeyed, a plugin never returns.

    Attributes:
        reason: One sentence for the user.
        plugin: The id of the plugin that never returns; "" where that is not why.
        title: What a user calls that plugin.
    """

    reason: Phrase
    plugin: str = ""
    title: str = ""


@dataclass(frozen=True)
class Responsive:
    """It hangs no more."""


@dataclass(frozen=True)
class Died:
    """The engine's process ended without being asked to.

    Attributes:
        reason: One sentence for the user.
        restarting: A new process is being started and the models reloaded.
        lost: The calls that will not be answered.
    """

    reason: Phrase
    restarting: bool
    lost: tuple[Call, ...] = ()


@dataclass(frozen=True)
class PluginRecord:
    """A row of the Plugins dialog.

    Attributes:
        id: The plugin's id, or the folder's name where the manifest can't be read.
        title: What a user reads.
        source: "bundled", "folder" or "package".
        location: Path or distribution.
        version: The plugin's own.
        model_types: What it says it takes.
        enabled: Not switched off by the user or by safe mode.
        problem: One sentence; nothing when it works.
        traceback: For a plugin that raised.
        part_of: The id of the plugin, where this row is about one question of it; "" for a plugin.
        questions: Titles of the questions it brings.
        about: What it is for, in one sentence; "" where it does not say.
        models: Titles of the checkpoints that it names.
        asked: Titles of the questions that some model of its family can be asked.
    """

    id: str
    title: str
    source: str
    location: str
    version: str = ""
    model_types: tuple[str, ...] = ()
    enabled: bool = True
    problem: Phrase = NOTHING
    traceback: str = ""
    part_of: str = ""
    questions: tuple[str, ...] = ()
    about: Phrase = NOTHING
    models: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


Event = (
    Ready | Progress | PartialResult | Answer | Failed | Stopped | Unresponsive | Responsive | Died
)

__all__ = [
    "Answer",
    "Ask",
    "Call",
    "Cancel",
    "Checkpoint",
    "Died",
    "Download",
    "EngineRequest",
    "Event",
    "Failed",
    "Inspect",
    "ListCheckpoints",
    "ListPlugins",
    "ListRevisions",
    "LoadModel",
    "MeasureDownloads",
    "MeasureTime",
    "ModelCard",
    "PartialResult",
    "Ping",
    "PluginCallBegan",
    "PluginCallEnded",
    "PluginRecord",
    "Pong",
    "Progress",
    "ReadSeries",
    "Ready",
    "Responsive",
    "SearchHub",
    "Sign",
    "Stop",
    "Stopped",
    "Unload",
    "Unresponsive",
]
