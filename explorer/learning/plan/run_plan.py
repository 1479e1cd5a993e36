"""What every plan of a run is, whatever is done in it: a request that a run follows from."""

import dataclasses
import hashlib
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

from explorer.api.question import Asks
from explorer.api.question.options.asks import asked_fields
from explorer.api.question.options.values import as_kept
from explorer.files.typed_paths import typed_path
from explorer.learning.plan.choices import TrainedOn


class RunPlan(Asks):
    """What is to be done in a run: a frozen dataclass whose fields are options.

    The same plan gives the same losses to the digit on the same machine.

    Attributes:
        kind: What a run's folder calls such plans.
        paths: Names of the fields that are files or folders.
        later: Names of fields that such plans had none of at first. A plan that asks nothing of
            them is written, and known by its fingerprint, as it was then.
        steps: How many there are.
        seed: Of all that is drawn.
        trained_on: Where.
    """

    kind: ClassVar[str]
    paths: ClassVar[tuple[str, ...]] = ("path",)
    later: ClassVar[tuple[str, ...]] = ()
    steps: int
    seed: int
    trained_on: TrainedOn

    @property
    @abstractmethod
    def stem(self) -> str:
        """What a run is called where nobody gave it a name."""

    @property
    def needs(self) -> Sequence["RunPlan"]:
        """Plans whose runs have to be done before."""
        return ()

    @property
    def settings(self) -> "PlanSettings":
        """Itself, as conditions of options look at it."""
        return PlanSettings(self)

    def matters(self, name: str) -> bool:
        """Whether a field changes anything with what else is planned."""
        return asked_fields(self)[name].option.applies(self.settings)

    def anchored(self) -> Self:
        """The same with whole paths, for processes that work in another folder."""
        whole: dict[str, Any] = {
            name: str(typed_path(typed).absolute())
            for name in self.paths
            if (typed := getattr(self, name))
        }
        return self._with(whole)

    def settled(self) -> Self:
        """The same run: what changes nothing is at its default, a file has its whole path."""
        own = dataclasses.fields(self)  # type: ignore[arg-type]
        idle = {one.name: one.default for one in own if not self.matters(one.name)}
        return self._with(idle).anchored()

    def _with(self, changed: dict[str, Any]) -> Self:
        return dataclasses.replace(self, **changed)  # type: ignore[type-var]

    @property
    def fingerprint(self) -> str:
        """The same for plans of the same run, 16 hexadecimal digits; of a file it has the path."""
        written = self.settled().to_json()
        return hashlib.blake2b(written.encode(), digest_size=8).hexdigest()

    def to_json(self) -> str:
        """As a line of JSON, without `later` fields that are at their default."""
        from explorer.serialise import to_builtins, to_json

        own = dataclasses.fields(self)  # type: ignore[arg-type]
        idle = {one.name for one in own if getattr(self, one.name) == one.default}
        idle &= {*self.later}
        return to_json({name: one for name, one in to_builtins(self).items() if name not in idle})

    @classmethod
    def from_json(cls, written: str | bytes) -> Self:
        """What `to_json` wrote.

        Raises:
            ValueError: It is no plan.
        """
        from explorer.serialise import from_json

        return from_json(cls, written)


@dataclasses.dataclass(frozen=True)
class PlanSettings:
    """A plan as what holds options."""

    plan: RunPlan

    def option(self, key: str, default: Any = None) -> Any:
        """What is planned under an option's key."""
        name = key.rpartition(".")[2]
        found = asked_fields(self.plan).get(name)
        return default if found is None else as_kept(found.kept(getattr(self.plan, name)))
