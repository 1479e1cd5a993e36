"""Where things are: the program's own files and the user's. No other file knows.

In a checkout `plugins/` and `resources/` lie at the root beside main.py; in an installed
program they lie in the package, under `explorer/bundled/`.

The user's folders are the system's usual ones (XDG on Linux, Library on macOS, AppData on
Windows), or all in one folder the user names with `--profile DIR`: `DIR/config`, `DIR/data`,
`DIR/cache`, `DIR/logs`. Downloaded checkpoints are shared with every other program through the
Hugging Face cache, where HF_HUB_CACHE or HF_HOME say; only with a profile, and neither of the
two set, do they go to `DIR/hub`.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

APP_NAME = "plm-explorer"


@dataclass(frozen=True)
class Paths:
    """Every folder the program reads or writes. Nothing is created by looking.

    Attributes:
        bundled_plugins: The plugins that come with the program; read only.
        resources: Icons, samples, styles, models; read only.
        config: Settings.
        data: What the user would miss: the session database, their plugins.
        cache: What can be made again.
        logs: The program's own log files.
        hub_cache: Where downloaded checkpoints go; None means the Hugging Face cache as it is.
    """

    bundled_plugins: Path
    resources: Path
    config: Path
    data: Path
    cache: Path
    logs: Path
    hub_cache: Path | None = None

    @property
    def bundled_models(self) -> Path:
        """The miniatures."""
        return self.resources / "models"

    @property
    def texts(self) -> Path:
        """The catalogues of other languages."""
        return self.resources / "locale"

    @property
    def user_plugins(self) -> Path:
        """Where a user puts plugins of their own, one folder each."""
        return self.data / "plugins"

    @property
    def sessions(self) -> Path:
        """The session database."""
        return self.data / "sessions.db"

    @property
    def engine(self) -> Path:
        """The packages that run models, where the program came without them."""
        return self.data / "engine"

    @property
    def results(self) -> Path:
        """What came of files of sentences, one file a run."""
        return self.data / "results"

    @property
    def training(self) -> Path:
        """Runs of training, a folder each."""
        return self.data / "training"

    @property
    def sheet(self) -> Path:
        """What is on the comparison sheet; there is no such file while it is empty."""
        return self.data / "sheet.jsonl"

    @property
    def settings(self) -> Path:
        """The settings file."""
        return self.config / "settings.json"

    @staticmethod
    def standard() -> "Paths":
        """The system's usual folders."""
        # Imported here, so that `--help` answers before anything is installed.
        from platformdirs import PlatformDirs

        folders = PlatformDirs(APP_NAME, appauthor=False, roaming=False)
        return Paths(
            *_own_folders(),
            config=folders.user_config_path,
            data=folders.user_data_path,
            cache=folders.user_cache_path,
            logs=folders.user_log_path,
        )

    @staticmethod
    def profile(folder: Path, environment: Mapping[str, str] = os.environ) -> "Paths":
        """Everything the program writes in one folder.

        Args:
            folder: Made when something is written; a leading ~ is the home folder.
            environment: Looked at for HF_HOME and HF_HUB_CACHE, which stay in force.
        """
        folder = Path(os.path.expanduser(folder)).absolute()  # noqa: PTH111  as typed_path does
        named = environment.get("HF_HUB_CACHE") or environment.get("HF_HOME")
        return Paths(
            *_own_folders(),
            config=folder / "config",
            data=folder / "data",
            cache=folder / "cache",
            logs=folder / "logs",
            hub_cache=None if named else folder / "hub",
        )


def own_resources() -> Path:
    """The resources that come with the program."""
    return _own_folders()[1]


def own_docs() -> Path:
    """The documents that the program itself reads."""
    return own_resources().parent / "docs"


def _own_folders(package: Path | None = None) -> tuple[Path, Path]:
    """Plugins and resources, of an installed program or of a checkout."""
    package = package or Path(__file__).resolve().parent
    bundled = package / "bundled"
    home = bundled if bundled.is_dir() else package.parent
    return home / "plugins", home / "resources"
