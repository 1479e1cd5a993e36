"""What was asked for on the command line that concerns every command, and what follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from explorer.paths import Paths

if TYPE_CHECKING:
    from explorer.api.worker_context import Parallelism
    from explorer.attribution.foreign import ForeignMethod
    from explorer.engine.configuration import EngineConfiguration
    from explorer.engine.library.catalogue import Catalogue
    from explorer.engine.messages import PluginRecord
    from explorer.engine.plugins.host import PluginHost
    from explorer.engine.runner import Runner
    from explorer.questions.brought import Brought


@dataclass(frozen=True)
class Program:
    """The global options, read.

    Attributes:
        paths: Where everything is.
        device: "auto", "cpu", "cuda", "cuda:1", "mps", "offload".
        dtype: "auto", "float32", "float16", "bfloat16", "8bit", "4bit".
        offline: Nothing may reach the network.
        safe_mode: No plugin but the bundled ones.
        language: The code that was asked for; "" leaves it to the settings and the environment.
    """

    paths: Paths
    device: str = "auto"
    dtype: str = "auto"
    offline: bool = False
    safe_mode: bool = False
    language: str = ""

    def to_json(self) -> str:
        """For another process of the same program."""
        import msgspec

        return msgspec.json.encode(self, enc_hook=str).decode()

    @staticmethod
    def from_json(text: str) -> "Program":
        """What `to_json` gave."""
        import msgspec

        return msgspec.json.decode(text, type=Program, dec_hook=lambda kind, held: kind(held))

    def plugin_host(self) -> "PluginHost":
        """Read the plugins' manifests."""
        from explorer.engine.plugins.host import PluginHost
        from explorer.settings import SettingsFile

        settings = SettingsFile(self.paths.settings).load()
        return PluginHost(
            self.paths.bundled_plugins,
            self.paths.user_plugins,
            safe_mode=self.safe_mode,
            disabled=frozenset(settings.disabled_plugins),
        )

    def described_plugins(self) -> "tuple[PluginRecord, ...]":
        """Every plugin, and what its models can be asked."""
        host = self.plugin_host()
        return host.described(self.catalogue(host).list())

    def bring_questions(self) -> None:
        """Let this process know the plugins' questions and words; looked for when first named."""
        from explorer.attribution import bringing
        from explorer.questions import bring
        from explorer.text import language

        bring(self._brought)
        bringing.bring(self._methods_brought)
        if not self.safe_mode:
            language.bring(self.paths.user_plugins)

    def _brought(self) -> "Sequence[Brought]":
        from explorer.engine.plugins.questions import some_bring_questions

        paths = self.paths
        if not some_bring_questions(paths.bundled_plugins, paths.user_plugins):
            return ()
        return self.plugin_host().questions

    def _methods_brought(self) -> "Mapping[str, ForeignMethod]":
        from explorer.engine.plugins.methods import some_bring_methods

        paths = self.paths
        if not some_bring_methods(paths.bundled_plugins, paths.user_plugins):
            return {}
        return self._host_of_methods.methods

    @cached_property
    def _host_of_methods(self) -> "PluginHost":
        return self.plugin_host()

    def catalogue(self, host: "PluginHost") -> "Catalogue":
        """The model library."""
        from explorer.engine.library.catalogue import Catalogue

        return Catalogue(
            host,
            self.paths.bundled_models,
            self.paths.hub_cache,
            offline=self.offline,
            training=self.paths.training,
        )

    def runner(
        self, sharing: "Parallelism | None" = None, slots: "Sequence[str] | None" = None
    ) -> "Runner":
        """What loads and asks models in this process; torch comes with the first load.

        Args:
            sharing: How many processes answer where many sentences are asked about; None decides
                by how long that takes.
            slots: Where models may lie; None for the two of the window.
        """
        from explorer.engine.runner import Runner

        host = self.plugin_host()
        return Runner(host, self.catalogue(host), self.configuration(sharing, slots))

    def configuration(
        self, sharing: "Parallelism | None" = None, slots: "Sequence[str] | None" = None
    ) -> "EngineConfiguration":
        """What the engine is told, in this process or in one of its own; as `runner` takes it."""
        from explorer.api.question import SLOTS
        from explorer.engine.configuration import EngineConfiguration
        from explorer.settings import SettingsFile

        return EngineConfiguration.of(
            self.paths,
            device=self.device,
            offline=self.offline,
            safe_mode=self.safe_mode,
            disabled_plugins=frozenset(SettingsFile(self.paths.settings).load().disabled_plugins),
            sharing=sharing,
            slots=tuple(slots or SLOTS),
        )
