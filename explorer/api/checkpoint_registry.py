"""The library as a question may see it: checkpoints that need not be loaded."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from explorer.api.family.checkpoint import Checkpoint, Files, PublishedFigure

if TYPE_CHECKING:
    from explorer.series.series import CheckpointSeries


class KnowsConfigs(Protocol):
    """A `Family`, of which a checkpoint's row is told without loading it."""

    id: str
    title: str


@dataclass(frozen=True)
class RegisteredCheckpoint:
    """What is known of a checkpoint without loading it.

    Attributes:
        checkpoint: Its row in the library.
        files: Its config, and the names of its tensors where the files are here.
        family: Who knows its config.
        heads: Names of the heads its files hold; None where nothing says so.
        figures: What was published about its size.
    """

    checkpoint: Checkpoint
    files: Files
    family: KnowsConfigs
    heads: tuple[str, ...] | None = None
    figures: tuple[PublishedFigure, ...] = ()


class CheckpointRegistry(Protocol):
    """Looks checkpoints up."""

    def known(self, checkpoint_id: str) -> RegisteredCheckpoint:
        """A checkpoint by its name, hub id or path.

        Raises:
            ExplorerError: There is none, it is damaged, or no plugin knows it.
        """

    def bundled(self) -> tuple[str, ...]:
        """Names of the checkpoints that come with the program, those of mere configs too."""

    def cached(self) -> tuple[str, ...]:
        """Names of the checkpoints in the Hugging Face cache, those of mere tokenizers too."""

    def series(self, name: str) -> "CheckpointSeries | None":
        """The series that a checkpoint is a frame of, or that is called so; None for none."""
