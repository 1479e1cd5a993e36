"""A tokenizer's files: in a checkpoint's folder, or once for all frames in that of their series."""

from pathlib import Path

from explorer.api.family.checkpoint import TOKENIZER_SETTINGS
from explorer.series.frame_folders import series_folder_of

TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "special_tokens_map.json",
    "added_tokens.json",
    "spiece.model",
    "spm.model",
    "sentencepiece.bpe.model",
    "tokenizer.model",
)
"""Files that tokenizers are made of, whatever the family."""


def tokenizer_files(folder: Path) -> tuple[str, ...]:
    """The names of those that are in a folder."""
    return tuple(name for name in TOKENIZER_FILES if (folder / name).is_file())


def shared_tokenizer(folder: Path) -> Path | None:
    """The folder of the series whose frame this is, where that has the tokenizer of all frames.

    None of a frame with a tokenizer of its own, and of what is no frame.
    """
    series = series_folder_of(folder)
    if series is None or _has_pieces(folder):
        return None
    return series if _has_pieces(series) else None


def _has_pieces(folder: Path) -> bool:
    return not TOKENIZER_SETTINGS.issuperset(tokenizer_files(folder))
