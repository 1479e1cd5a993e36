"""Puts the program among a desktop's programs, for one user, and takes it away again."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.desktop.files import desktop_entry, mime_package
from explorer.files.typed_paths import unwritable
from explorer.paths import APP_NAME, Paths

PATIENCE_S = 30
"""Seconds that a desktop's own tools get."""


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where a user's own entries, icons and kinds of files are: XDG_DATA_HOME, or its default."""
    named = environment.get("XDG_DATA_HOME", "")
    # The specification has relative ones ignored.
    return Path(named) if Path(named).is_absolute() else Path.home() / ".local/share"


@dataclass(frozen=True)
class Desktop:
    """A desktop's files of this program.

    Attributes:
        folder: Such as `data_folder` names.
    """

    folder: Path

    @property
    def entry(self) -> Path:
        """What makes it a program of the desktop's."""
        return self.folder / f"applications/{APP_NAME}.desktop"

    @property
    def kinds(self) -> Path:
        """What tells the kinds of files."""
        return self.folder / f"mime/packages/{APP_NAME}.xml"

    @property
    def icon(self) -> Path:
        """Its icon, in the theme that all others fall back on."""
        return self.folder / f"icons/hicolor/scalable/apps/{APP_NAME}.svg"

    def install(self, command: Sequence[str], paths: Paths) -> Sequence[Path]:
        """Write all of it; returns what was written.

        Args:
            command: What the entry runs.
            paths: Of the program.

        Raises:
            MachineFault: A file can't be written.
        """
        contents = {
            self.entry: desktop_entry(command, paths.texts).encode(),
            self.kinds: mime_package(paths.texts).encode(),
            self.icon: (paths.resources / f"icons/{APP_NAME}.svg").read_bytes(),
        }
        for path, content in contents.items():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            except OSError as error:
                raise unwritable(path, error) from error
        self.refresh()
        return tuple(contents)

    def remove(self) -> Sequence[Path]:
        """Take away what is there of it; returns that.

        Raises:
            MachineFault: A file can't be removed.
        """
        there = [path for path in (self.entry, self.kinds, self.icon) if path.is_file()]
        for path in there:
            try:
                path.unlink()
            except OSError as error:
                raise unwritable(path, error) from error
        if there:
            self.refresh()
        return there

    def refresh(self) -> None:
        """Have the desktop read its files anew; without its tools it does so at the next login."""
        for tool, *arguments in self._tools():
            found = shutil.which(tool)
            if found is not None and Path(arguments[-1]).is_dir():
                subprocess.run(
                    [found, *arguments], capture_output=True, timeout=PATIENCE_S, check=False
                )

    def _tools(self) -> Iterator[tuple[str, ...]]:
        yield "update-mime-database", str(self.folder / "mime")
        yield "update-desktop-database", str(self.folder / "applications")
        yield "gtk-update-icon-cache", "-f", "-t", str(self.folder / "icons/hicolor")
