"""What a user can ask of a model: a request, a result, and a function between them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from explorer.api.errors import Cancelled, UserMistake

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
        summary: The result as one row of named cells, for a table over many sentences; None for
            an operation that makes no sense there.
    """

    name: str
    title: str
    question: str
    request: type[Request]
    result: type[Result]
    run: Callable[[Any, Request, "Context"], Result]
    table: Callable[[Result], Table]
    summary: Callable[[Result], Mapping[str, Cell]] | None = None


def nobody(_stage: str, _done: float, _total: float) -> None:
    """A progress report nobody listens to."""


@dataclass(frozen=True)
class Context:
    """What a handler may know of the run it is part of.

    Attributes:
        models: Every loaded model by slot ("A", "B"), for operations that compare.
        seed: For whatever draws random numbers; same seed, same answer.
        is_cancelled: Asked before every layer.
        progress: Takes stage, done and total (total 0: unknown).
    """

    models: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    is_cancelled: Callable[[], bool] = lambda: False
    progress: Callable[[str, float, float], None] = nobody

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
