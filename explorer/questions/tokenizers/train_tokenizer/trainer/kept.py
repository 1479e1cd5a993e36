"""What was trained once is kept, and found by the text, the algorithm and the settings."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from explorer.files.private import make_folder
from explorer.hf.kept import kept
from explorer.paths import own_resources
from explorer.questions.tokenizers.train_tokenizer.options import Algorithm
from explorer.questions.tokenizers.train_tokenizer.trainer.trained import (
    TrainedVocabulary,
    TrainingText,
)
from explorer.serialise import from_json, to_json

FOLDER = "trained_tokenizers"
FORMAT = 1
"""Another number forgets what an older program trained."""


@dataclass(frozen=True)
class TrainingOutcome:
    """What came of training one tokenizer.

    Attributes:
        source: The text.
        trained: The tokenizer; None where the vocabulary has no room for the text's letters.
        letters: How many there are then.
        least: The smallest vocabulary that has room.
    """

    source: TrainingText
    trained: TrainedVocabulary | None
    letters: int = 0
    least: int = 0


@dataclass(frozen=True)
class WantedTokenizer:
    """One tokenizer, trained or not.

    Attributes:
        digest: Of the text.
        algorithm: Which.
        vocabulary: Pieces it may have.
        lowercase: Capital letters are made small first.
    """

    digest: str
    algorithm: Algorithm
    vocabulary: int
    lowercase: bool

    def place(self, folder: Path) -> Path:
        """Where it is kept in a folder."""
        case = "lower" if self.lowercase else "kept"
        name = f"{self.digest}-{self.algorithm.value}-{self.vocabulary}-{case}-{FORMAT}.json"
        return folder / name


def shipped_in() -> Path:
    """Where those are that came with the program: of the small world, in the usual size."""
    return own_resources() / "tokenizers"


def find(wanted: WantedTokenizer, cache: Path | None) -> TrainingOutcome | None:
    """What came with the program or was kept; None for nothing, and for what can't be read."""
    folders = [shipped_in()] if cache is None else [shipped_in(), cache / FOLDER]
    for path in map(wanted.place, folders):
        try:
            return _read(path)
        except (OSError, ValueError):
            continue
    return None


def _read(path: Path) -> TrainingOutcome:
    return kept(
        "trained tokenizer", lambda: from_json(TrainingOutcome, path.read_bytes()), of=path, most=16
    )


def keep(wanted: WantedTokenizer, outcome: TrainingOutcome, cache: Path | None) -> bool:
    """Keep what came of it, whole or not at all.

    Returns:
        Whether there is a folder for it that can be written.
    """
    return cache is not None and write(wanted, outcome, cache / FOLDER)


def write(wanted: WantedTokenizer, outcome: TrainingOutcome, folder: Path) -> bool:
    """The same in any folder."""
    path = wanted.place(folder)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        make_folder(path.parent)
        part.write_text(to_json(outcome), "utf-8")
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        return False
    return True
