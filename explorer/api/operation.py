"""What a user can ask of a model: a request, a result, and a function between them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from explorer.api.errors import Cancelled, UserMistake
from explorer.api.shelf import Shelf

Request = TypeVar("Request")
Result = TypeVar("Result")


Cell = str | int | float | bool | None
"""What a table holds."""


class Handler(Protocol):
    """Answers one kind of request with one loaded model."""

    def __call__(self, model: Any, request: Any, context: "Context", /) -> Any:
        """Run the request; raise ExplorerError for anything that can be expected to fail."""


@dataclass(frozen=True)
class Table:
    """Rows for CSV, SQLite and the clipboard.

    Attributes:
        columns: Names, in order.
        rows: One tuple a row, as long as columns; str, int, float, bool or None.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Operation(Generic[Request, Result]):
    """One question a user can ask of a model.

    Each file in `explorer/operations` ends with one of these, named OPERATION; being there is
    the registration.

    Attributes:
        name: The file's name, and the command's.
        title: What the window calls it.
        question: One sentence: what it answers.
        request: The frozen, JSON-able dataclass that asks.
        result: The frozen dataclass that answers.
        run: The default handler, on the transformers toolkit.
        table: The result's rows.
        needs_model: It is asked of a loaded model. One that is not can be asked with no model at
            all: its run is then given None, and finds checkpoints in Context.shelf.
        summary: The result as one row of named cells, for a table over many sentences; None for
            an operation that makes no sense there.
        worst: The summary's column that is greatest where the answer most needs a look; a table
            over many sentences begins there. "" leaves it as the file is.
        run_many: Answers many requests in less time than one after the other, each with its
            result or the error that it met; None where there is nothing to gain. It is asked only
            in the place of `run`, never in that of a family's own handler.
    """

    name: str
    title: str
    question: str
    request: type[Request]
    result: type[Result]
    run: Callable[[Any, Request, "Context"], Result]
    table: Callable[[Result], Table]
    summary: Callable[[Result], Mapping[str, Cell]] | None = None
    run_many: Callable[[Any, Sequence[Request], "Context"], Sequence[Result | Exception]] | None = (
        None
    )
    needs_model: bool = True
    worst: str = ""


def nobody(_stage: str, _done: float, _total: float) -> None:
    """A progress report nobody listens to."""


def nobody_waits(_before: Callable[[], None] = lambda: None) -> None:
    """Giving way where nothing else is under way."""


class GivingWay(Protocol):
    """Lets the calls that wait go first."""

    def __call__(self, before: Callable[[], None] = ..., /) -> None:
        """Return once they are answered, or at once where none waits.

        Args:
            before: Called first where one does, so that nothing is lost while this run rests.
        """


@dataclass(frozen=True)
class Context:
    """What a handler may know of the run it is part of.

    Attributes:
        models: Every loaded model by slot ("A", "B"), for operations that compare.
        seed: For whatever draws random numbers; same seed, same answer.
        is_cancelled: Asked before every layer.
        progress: Takes stage, done and total (total 0: unknown).
        results: The folder where results over many sentences are kept; None for none.
        shelf: Where checkpoints are looked up without being loaded; None outside the engine.
        give_way: Called by a long run where nothing is half done, as between two sentences of a
            file. Models may come and go meanwhile; `models` stays what it was.
    """

    models: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    is_cancelled: Callable[[], bool] = lambda: False
    progress: Callable[[str, float, float], None] = nobody
    results: Path | None = None
    shelf: Shelf | None = None
    give_way: GivingWay = nobody_waits

    def check(self) -> None:
        """Raise Cancelled if the run was cancelled."""
        if self.is_cancelled():
            raise Cancelled

    def model(self, slot: str) -> Any:
        """The model in a slot, or the user's mistake."""
        try:
            return self.models[slot]
        except KeyError:
            raise UserMistake(
                f"No model is loaded as {slot}.", "Load one from the model library."
            ) from None
