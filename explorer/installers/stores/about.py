"""What the program is, where it is published: said once for all recipes."""

import hashlib
import tomllib
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import urlsplit

from explorer.installers.failures import BuildFailure


@dataclass(frozen=True)
class StoreFacts:
    """A version, and where people find it.

    Attributes:
        version: Of the program.
        summary: One line on what it is.
        licence: As SPDX has it.
        requires: Lines of what it needs, as pyproject.toml has them.
        python: Which Pythons it runs on.
        repository: Where its sources are, https://HOST/OWNER/NAME.
        day: Of the release.
    """

    version: str
    summary: str
    licence: str
    requires: tuple[str, ...]
    python: str
    repository: str
    day: date

    @staticmethod
    def of(root: Path, version: str, repository: str) -> "StoreFacts":
        """Read what pyproject.toml says.

        Args:
            root: Of the checkout.
            version: Of the program.
            repository: Where its sources are.

        Raises:
            BuildFailure: That is no address of a repository.
        """
        address = urlsplit(repository)
        parts = [one for one in address.path.split("/") if one]
        if address.scheme != "https" or "." not in address.netloc or len(parts) != 2:
            raise BuildFailure(f"{repository} is no repository. Write https://HOST/OWNER/NAME.")
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
        return StoreFacts(
            version,
            project["description"],
            project["license"],
            tuple(project["dependencies"]),
            project["requires-python"],
            repository.rstrip("/"),
            datetime.now(UTC).date(),
        )

    @property
    def app_id(self) -> str:
        """Its name among all programs, the repository's address turned round: io.github.a.b."""
        address = urlsplit(self.repository)
        host = address.netloc.lower()
        # Of pages and not of the service: the ones are the owner's.
        host = {"github.com": "github.io", "gitlab.com": "gitlab.io"}.get(host, host)
        words = [*reversed(host.split(".")), *address.path.strip("/").lower().split("/")]
        return ".".join(one.replace("-", "_") for one in words)

    def download(self, name: str) -> str:
        """Where a file of this release is."""
        return f"{self.repository}/releases/download/v{self.version}/{name}"


def digest(file: Path) -> str:
    """A file's SHA-256.

    Raises:
        BuildFailure: It is not there.
    """
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise BuildFailure(f"{file} can't be read ({error.strerror}). Build it first.") from error
