"""What a handler is called with, and what it may know of the run it is part of."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from explorer.api.checkpoint_registry import CheckpointRegistry
from explorer.api.errors import Cancelled, UserMistake
from explorer.api.model import ModelStamp
from explorer.api.worker_context import WorkerContext
from explorer.text import N_

T = TypeVar("T")


def nobody(_stage: str, _done: float, _total: float) -> None:
    """A progress report nobody listens to."""


def nobody_looks(_make: Callable[[], Any]) -> None:
    """An unfinished answer nobody looks at."""


def nobody_waits(_before: Callable[[], None] = lambda: None) -> None:
    """Giving way where nothing else is under way."""


class GivingWay(Protocol):
    """Lets the calls that wait go first."""

    def __call__(self, before: Callable[[], None] = ..., /) -> None:
        """Return once they are answered, or at once where none waits.

        Args:
            before: Called first where one does, so that nothing is lost while this run rests.
        """


class LendsModels(Protocol):
    """Lends further models of the library, one at a time."""

    def stamp(self, checkpoint: str) -> ModelStamp | None:
        """Who a checkpoint was when it was lent before, or is now that it is loaded."""

    def ask(
        self, checkpoint: str, role: str, context: "Context", work: "Callable[[Any, Context], T]"
    ) -> T:
        """Let a further model play a role for as long as some work takes, which is told of it.

        Raises:
            ExplorerError: It can't be loaded, or what the work raises.
        """

    def in_turn(
        self,
    ) -> "AbstractContextManager[Callable[[Any, Mapping[str, str], Context], Any]]":
        """Ask checkpoints one after the other: a request, who plays its roles, and the context."""


@dataclass(frozen=True)
class Context:
    """What a handler may know of the run it is part of.

    Attributes:
        models: The models that take part, by role ("teacher", "student").
        is_cancelled: Asked before every layer.
        progress: Takes stage, done and total (total 0: unknown).
        show: Takes what makes the answer so far, of the result's own type, for those who look on;
            it is made only where somebody does, and a few times a second at most.
        results: The folder where results over many sentences are kept; None for none.
        cache: The folder of what can be made again, though not quickly; None for none.
        training: The folder of runs of training; None for none.
        shelf: Where checkpoints are looked up without being loaded; None outside the engine.
        give_way: Called by a long run where nothing is half done, as between two sentences of a
            file. Models may come and go meanwhile; `models` stays what it was.
        elsewhere: How the same models are loaded in other processes; None where they can't be.
        lending: Lends models that are not loaded; None outside the engine.
    """

    models: Mapping[str, Any] = field(default_factory=dict)
    is_cancelled: Callable[[], bool] = lambda: False
    progress: Callable[[str, float, float], None] = nobody
    show: Callable[[Callable[[], Any]], None] = nobody_looks
    results: Path | None = None
    cache: Path | None = None
    training: Path | None = None
    shelf: CheckpointRegistry | None = None
    give_way: GivingWay = nobody_waits
    elsewhere: WorkerContext | None = None
    lending: LendsModels | None = None

    def check(self) -> None:
        """Raise Cancelled if the run was cancelled."""
        if self.is_cancelled():
            raise Cancelled

    def model(self, role: str) -> Any:
        """The model that plays a role, or the user's mistake."""
        try:
            return self.models[role]
        except KeyError:
            raise UserMistake(
                N_("No model plays the {role}."), N_("Load one from the model library."), role=role
            ) from None
