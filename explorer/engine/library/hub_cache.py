"""The Hugging Face cache on disk, read by hand: its library takes longer to import than this.

Layout (huggingface_hub, "Understand caching"): models--OWNER--NAME/refs/main holds a commit, and
models--OWNER--NAME/snapshots/COMMIT the files.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from explorer.api.family import CheckpointFault
from explorer.engine.library.file_limits import read_small
from explorer.files.typed_paths import typed_path

PREFIX = "models--"
LONGEST_REF = 1000
"""Bytes of a file that names a commit."""


def default_hub_cache() -> Path:
    """Where huggingface_hub keeps its cache, by the same environment variables."""
    if value := os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE"):
        return typed_path(value)
    if value := os.environ.get("HF_HOME"):
        return typed_path(value) / "hub"
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return typed_path(cache) / "huggingface" / "hub"


def repositories(cache: Path) -> Iterator[tuple[str, Path]]:
    """Model repositories in the cache: hub id and snapshot folder, in order of their names."""
    try:
        folders = sorted(path for path in cache.iterdir() if path.name.startswith(PREFIX))
    except OSError:
        return
    for folder in folders:
        name = folder.name.removeprefix(PREFIX).replace("--", "/")
        snapshot = _snapshot(folder)
        if snapshot is not None:
            yield name, snapshot


def snapshot_of(cache: Path, name: str) -> Path | None:
    """The snapshot folder of one repository, None when it is not in the cache."""
    parts = name.split("/")
    if not 1 <= len(parts) <= 2 or any(not part or part.startswith(".") for part in parts):
        return None
    return _snapshot(cache / (PREFIX + "--".join(parts)))


def _snapshot(folder: Path) -> Path | None:
    """The snapshot that main points to, or else the newest that has a config."""
    try:
        commit = read_small(folder / "refs" / "main", LONGEST_REF).decode("ascii").strip()
        main = folder / "snapshots" / commit
        if Path(commit).name == commit != "" and (main / "config.json").is_file():
            return main
    except (OSError, ValueError, CheckpointFault):
        pass
    try:
        found = [p for p in (folder / "snapshots").iterdir() if (p / "config.json").is_file()]
        return max(found, key=lambda path: path.stat().st_mtime, default=None)
    except OSError:
        return None
