"""Lends further models of the library to a run that asks several one after the other."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from explorer.api.family import Context, LoadOptions
from explorer.api.model import ModelCard, ModelStamp
from explorer.api.question import SLOTS
from explorer.api.question.roles import RoleBinding

T = TypeVar("T")


class LoadsModels(Protocol):
    """What lending asks of a `Runner`, which lends."""

    @property
    def cards(self) -> Mapping[str, ModelCard]:
        """What is known of the loaded models, by slot."""

    def load(
        self, slot: str, checkpoint_id: str, options: LoadOptions, context: Context
    ) -> ModelCard:
        """Load a checkpoint into a slot."""

    def unload(self, slot: str) -> None:
        """Free a slot."""

    def with_models(self, models: RoleBinding, context: Context) -> Context:
        """What a handler may know, with the models that play the roles."""

    def watched(self, slot: str, work: Callable[[], T]) -> T:
        """Do something with the model of a slot."""

    def ask(self, request: Any, models: RoleBinding, context: Context) -> Any:
        """Answer a request with the models that play its roles."""


@dataclass(frozen=True)
class Lending:
    """One further model in memory at a time: it is let go before the next one is loaded.

    Attributes:
        runner: Its own models are lent as they are.
        again: Makes a runner whose slots are empty.
        options: How a model is loaded: where the first one is, in its number type.
        seen: What was lent since the engine's start, by its name and how it was loaded.
    """

    runner: LoadsModels
    again: Callable[[], LoadsModels]
    options: LoadOptions
    seen: dict[tuple[str, LoadOptions], ModelStamp]

    def stamp(self, checkpoint: str) -> ModelStamp | None:
        """Who a checkpoint was when it was lent before, or is now that it is loaded."""
        slot = self._slot(checkpoint)
        return self.runner.cards[slot].stamp if slot else self.seen.get((checkpoint, self.options))

    def ask(
        self, checkpoint: str, role: str, context: Context, work: Callable[[Any, Context], T]
    ) -> T:
        """Let a further model play a role for as long as some work takes.

        Raises:
            ExplorerError: As `Runner.load`, and what the work raises.
        """
        slot = self._slot(checkpoint)
        runner = self.runner if slot else self.again()
        if not slot:
            slot = SLOTS[0]
            stamp = runner.load(slot, checkpoint, self.options, context).stamp
            self.seen[checkpoint, self.options] = stamp
        try:
            # In a frame of its own: nothing here holds the model when it is let go.
            return _asked(runner, slot, role, context, work)
        finally:
            if runner is not self.runner:
                runner.unload(slot)

    @contextmanager
    def in_turn(self) -> Iterator[Callable[[Any, Mapping[str, str], Context], Any]]:
        """Ask checkpoints one after the other, in a runner of their own that keeps its slots.

        A frame that follows another one of its series gets its weights into the same model.

        Yields:
            What asks a request of checkpoints, by the roles that they play.
        """
        runner = self.again()
        there: dict[str, str] = {}

        def ask(request: Any, models: Mapping[str, str], context: Context) -> Any:
            cast = dict(zip(models, SLOTS, strict=False))
            for role, slot in cast.items():
                if there.get(slot) != models[role]:
                    there.pop(slot, None)
                    runner.load(slot, models[role], self.options, context)
                    there[slot] = models[role]
            return runner.ask(request, cast, context)

        try:
            yield ask
        finally:
            for slot in tuple(runner.cards):
                runner.unload(slot)

    def _slot(self, checkpoint: str) -> str:
        """Where it is loaded anyway; "" for nowhere."""
        cards = self.runner.cards
        return next((slot for slot, one in cards.items() if one.stamp.id == checkpoint), "")


def _asked(
    runner: LoadsModels, slot: str, role: str, context: Context, work: Callable[[Any, Context], T]
) -> T:
    alone = runner.with_models({role: slot}, context)
    return runner.watched(slot, lambda: work(alone.models[role], alone))
