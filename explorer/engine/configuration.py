"""What the engine needs to know at its start, and the parts it is built of."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from explorer.api.family import Context, Entity, LoadOptions
from explorer.api.family.checkpoint import Checkpoint
from explorer.api.question import SLOTS, ModelCard
from explorer.api.question.roles import RoleBinding
from explorer.api.worker_context import Parallelism
from explorer.choosing.times import SentenceTime
from explorer.engine.messages import PluginRecord
from explorer.paths import Paths
from explorer.series.series import CheckpointSeries


class HostPart(Protocol):
    """What the engine asks of the plugin host."""

    def described(self, known: Iterable[Checkpoint] = ()) -> tuple[PluginRecord, ...]:
        """Every plugin, the broken ones too, and what each can be asked."""

    def knows_type(self, model_type: str) -> bool:
        """Whether a family may know models of a type, whose files are elsewhere."""


class CataloguePart(Protocol):
    """What the engine asks of the catalogue."""

    def list(self, folders: tuple[str, ...] = ()) -> tuple[Checkpoint, ...]:
        """The library."""

    def find(self, checkpoint_id: str) -> Checkpoint:
        """One of them."""

    def inspect(self, path: Path) -> Checkpoint:
        """A folder or a file."""


class RunnerPart(Protocol):
    """What the engine asks of the runner."""

    @property
    def models(self) -> Mapping[str, Any]:
        """Loaded models by slot."""

    def load(
        self, slot: str, checkpoint_id: str, options: LoadOptions, context: Context
    ) -> ModelCard:
        """Load a checkpoint into a slot."""

    def unload(self, slot: str) -> None:
        """Free a slot."""

    def entities_named(self, slot: str, beginning: str, most: int) -> tuple[Entity, ...]:
        """Entities of a loaded model's graph whose names begin so."""

    def sentence_time(
        self, checkpoint_id: str, options: LoadOptions, context: Context
    ) -> SentenceTime:
        """How long a model of the library takes for a sentence."""

    def ask(self, request: Any, models: RoleBinding, context: Context) -> Any:
        """Run a question."""


class ModelRunner(Protocol):
    """What loads and asks models, in this process or in the engine's."""

    @property
    def is_apart(self) -> bool:
        """Whether they lie in another process, where calls wait for their own turns."""

    @property
    def models(self) -> Mapping[str, Any]:
        """Loaded models by slot; none where they lie in another process."""

    @property
    def cards(self) -> Mapping[str, ModelCard]:
        """What is known of the loaded models, by slot."""

    def versions(self) -> dict[str, str]:
        """Of what answers: Python, the libraries, the program."""

    def load(
        self, slot: str, checkpoint_id: str, options: LoadOptions, context: Context
    ) -> ModelCard:
        """Load a checkpoint into a slot."""

    def unload(self, slot: str) -> None:
        """Free a slot."""

    def ask(self, request: Any, models: RoleBinding, context: Context) -> Any:
        """Answer a request with the models that play its roles."""


@dataclass(frozen=True)
class Parts:
    """What answers requests, in the engine's process or in the command line's own.

    Attributes:
        host: The plugins.
        catalogue: The checkpoints.
        runner: Loads models and asks them.
        series: The series that a checkpoint is a frame of; None where it is none.
    """

    host: HostPart
    catalogue: CataloguePart
    runner: RunnerPart
    series: Callable[[str], CheckpointSeries | None] = lambda _checkpoint_id: None


@dataclass(frozen=True)
class EngineConfiguration:
    """Everything the engine's process is told at its start. Picklable.

    Attributes:
        bundled_plugins: The plugins that come with the program.
        user_plugins: The user's own, or None.
        bundled_models: The miniatures.
        hub_cache: Where downloaded checkpoints go; None means the Hugging Face cache as it is.
        logs: Where the engine's log goes; None for nowhere.
        results: Where results over many sentences are kept; None for nowhere.
        cache: Where what can be made again is kept; None for nowhere.
        training: Where runs of training are kept; None for nowhere.
        safe_mode: No plugin but the bundled ones.
        offline: Downloads are refused.
        device: What "auto" means in LoadOptions.
        disabled_plugins: Ids of the plugins the user switched off.
        threads: For torch; 0 for one a core.
        sharing: How many processes answer where many sentences are asked about.
        packages: Where the packages that run models are, or will be, where the program came
            without them; None where it came whole.
        with_torch: Import torch at the start, while nobody waits for it. Without it, devices are
            told as the CPU alone.
        slots: Where models may lie.
        build: Makes the parts, inside the process; a function of a module, so that it can be
            pickled by its name.
    """

    bundled_plugins: Path
    bundled_models: Path
    user_plugins: Path | None = None
    hub_cache: Path | None = None
    logs: Path | None = None
    results: Path | None = None
    cache: Path | None = None
    training: Path | None = None
    safe_mode: bool = False
    offline: bool = False
    device: str = "auto"
    disabled_plugins: frozenset[str] = frozenset()
    threads: int = 0
    sharing: Parallelism = field(default_factory=Parallelism)
    packages: Path | None = None
    with_torch: bool = True
    slots: tuple[str, ...] = SLOTS
    build: "Callable[[EngineConfiguration], Parts]" = field(
        default_factory=lambda: build_parts, repr=False
    )

    @staticmethod
    def of(
        paths: Paths,
        *,
        device: str = "auto",
        offline: bool = False,
        safe_mode: bool = False,
        disabled_plugins: frozenset[str] = frozenset(),
        threads: int = 0,
        sharing: Parallelism | None = None,
        slots: tuple[str, ...] = SLOTS,
    ) -> "EngineConfiguration":
        """The configuration that follows from the folders and what the user chose."""
        from explorer.engine.environment import bundle

        return EngineConfiguration(
            bundled_plugins=paths.bundled_plugins,
            bundled_models=paths.bundled_models,
            user_plugins=paths.user_plugins,
            hub_cache=paths.hub_cache,
            logs=paths.logs,
            results=paths.results,
            cache=paths.cache,
            training=paths.training,
            safe_mode=safe_mode,
            offline=offline,
            device=device,
            disabled_plugins=disabled_plugins,
            threads=threads,
            sharing=sharing or Parallelism(),
            slots=slots,
            packages=None if bundle() is None else paths.engine,
        )


def build_parts(configuration: EngineConfiguration) -> Parts:
    """The plugin host, the catalogue and the runner. Does not import torch."""
    from explorer.attribution import bringing
    from explorer.engine.library.catalogue import Catalogue
    from explorer.engine.library.series import series_of
    from explorer.engine.plugins.host import PluginHost
    from explorer.engine.runner import Runner
    from explorer.questions import bring

    host = PluginHost(
        configuration.bundled_plugins,
        configuration.user_plugins,
        safe_mode=configuration.safe_mode,
        disabled=configuration.disabled_plugins,
    )
    bring(lambda: host.questions)
    bringing.bring(lambda: host.methods)
    catalogue = Catalogue(
        host,
        configuration.bundled_models,
        configuration.hub_cache,
        offline=configuration.offline,
        training=configuration.training,
    )
    runner = Runner(host, catalogue, configuration)
    return Parts(host, catalogue, runner, partial(series_of, catalogue))


def build_runner(configuration: EngineConfiguration) -> RunnerPart:
    """The runner alone, for who works in this process and has no window."""
    return build_parts(configuration).runner
