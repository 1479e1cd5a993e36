"""Where the packages lie that a thin bundle lacks, and how a process comes to them."""

import importlib
import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from explorer.engine.environment.bundle import Bundle, Variant
from explorer.processes import own_processes

READY = "ready.json"


@dataclass(frozen=True)
class PackagesFolder:
    """The folder of an engine's packages.

    Attributes:
        folder: Among the user's data: it is large, and needs the network to be made again.
    """

    folder: Path

    @property
    def packages(self) -> Path:
        """What Python looks into."""
        return self.folder / "packages"

    @property
    def unfinished(self) -> Path:
        """The same while it is filled."""
        return self.folder / "packages.part"

    @property
    def cache(self) -> Path:
        """What was downloaded, until all of it is installed."""
        return self.folder / "downloads"

    def ready(self, bundle: Bundle) -> str:
        """The variant that is installed; "" where none is, or one of another release's lock."""
        try:
            stamp = json.loads((self.folder / READY).read_text("utf-8"))
            variant = bundle.variants[stamp["variant"]]
        except (OSError, ValueError, KeyError, TypeError):
            return ""
        is_current = stamp.get("digest") == variant.digest and stamp.get("python") == _python()
        return variant.name if is_current and self.packages.is_dir() else ""

    def finish(self, variant: Variant) -> None:
        """What was filled takes the place of what was there; its stamp comes last."""
        (self.folder / READY).unlink(missing_ok=True)
        shutil.rmtree(self.packages, ignore_errors=True)
        self.unfinished.rename(self.packages)
        stamp = {"variant": variant.name, "digest": variant.digest, "python": _python()}
        (self.folder / READY).write_text(json.dumps(stamp) + "\n", "utf-8")
        shutil.rmtree(self.cache, ignore_errors=True)

    def use(self) -> None:
        """Let this process, and those that it starts, import them.

        Behind what the bundle has: of what both had, the bundle's would be used.
        """
        path = str(self.packages)
        if path not in sys.path:
            sys.path.append(path)
            importlib.invalidate_caches()
        self.lend()

    def lend(self) -> None:
        """Let processes that this one starts import them; this one, as the window's, does not."""
        own_processes.also_found_in(str(self.packages))


def _python() -> str:
    return "{}.{}".format(*sys.version_info[:2])
