"""The Hugging Face cache on disk, read by hand: its library takes longer to import than this.

Layout (huggingface_hub, "Understand caching"): models--OWNER--NAME/refs/main holds a commit, and
models--OWNER--NAME/snapshots/COMMIT the files. Another branch or tag has a file of its own in
refs, and so has a commit that was pinned here: what is downloaded of one is kept apart.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from explorer.api.family import CheckpointFault
from explorer.engine.library.file_limits import read_small
from explorer.files.typed_paths import typed_path

PREFIX = "models--"
MAIN = "main"
LONGEST_REF = 1000
"""Bytes of a file that names a commit."""
FEWEST_DIGITS = 7
"""Of a commit, as git shortens one."""
MOST_REVISIONS = 10_000
"""Of a repository: more than any has."""

_COMMIT = re.compile(r"[0-9a-f]{40}")
_REVISION = re.compile(r"[A-Za-z0-9_][\w./+-]{0,199}", re.ASCII)


def default_hub_cache() -> Path:
    """Where huggingface_hub keeps its cache, by the same environment variables."""
    if value := os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE"):
        return typed_path(value)
    if value := os.environ.get("HF_HOME"):
        return typed_path(value) / "hub"
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return typed_path(cache) / "huggingface" / "hub"


def revision_of(text: str) -> tuple[str, str]:
    """A repository and its revision, as in NAME@step1000; "" where none is named."""
    name, _, revision = text.partition("@")
    return name, revision


def with_revision(name: str, revision: str) -> str:
    """What `revision_of` reads."""
    return f"{name}@{revision}" if revision else name


def commit_of(folder: Path | str | None) -> str:
    """The commit whose files a folder of the cache holds; "" of any other folder."""
    path = Path(folder or "")
    return path.name if _COMMIT.fullmatch(path.name) and path.parent.name == "snapshots" else ""


def commit_digits(value: object) -> str:
    """A commit as somebody else wrote it.

    Raises:
        ValueError: It is none.
    """
    if not isinstance(value, str) or not _COMMIT.fullmatch(value):
        raise ValueError(value)
    return value


def repositories(cache: Path) -> Iterator[tuple[str, Path]]:
    """Model repositories in the cache: hub id and snapshot folder, in order of their names."""
    for name, folder in _folders(cache):
        snapshot = _snapshot(folder)
        if snapshot is not None:
            yield name, snapshot


def revisions(cache: Path) -> Iterator[tuple[str, Path]]:
    """Downloaded revisions beside the main branches: NAME@REVISION and snapshot folder."""
    for name, folder in _folders(cache):
        for revision in sorted(_named(folder)):
            snapshot = _pointed_to(folder, revision)
            if snapshot is not None:
                yield with_revision(name, revision), snapshot


def snapshot_of(cache: Path, name: str) -> Path | None:
    """The snapshot folder of one repository, None when it is not in the cache.

    Args:
        cache: The Hugging Face cache.
        name: A hub id; with a branch, a tag, a commit or its first digits behind an @.
    """
    name, revision = revision_of(name)
    parts = name.split("/")
    if not 1 <= len(parts) <= 2 or any(not part or part.startswith(".") for part in parts):
        return None
    folder = cache / (PREFIX + "--".join(parts))
    if not revision:
        return _snapshot(folder)
    if not is_revision(revision):
        return None
    return _pointed_to(folder, revision) or _begun(folder, revision)


def is_revision(text: str) -> bool:
    """Whether a branch, a tag or a commit can be called so."""
    return (
        _REVISION.fullmatch(text) is not None
        and ".." not in text
        and "//" not in text
        and not text.endswith(("/", ".", ".lock"))
    )


def _folders(cache: Path) -> Iterator[tuple[str, Path]]:
    try:
        folders = sorted(path for path in cache.iterdir() if path.name.startswith(PREFIX))
    except OSError:
        return
    for folder in folders:
        yield folder.name.removeprefix(PREFIX).replace("--", "/"), folder


def _named(folder: Path) -> tuple[str, ...]:
    """Revisions that something was downloaded of, without the main branch."""
    refs = folder / "refs"
    found = []
    for place, _, files in os.walk(refs):
        for name in files:
            revision = (Path(place) / name).relative_to(refs).as_posix()
            if revision != MAIN and is_revision(revision):
                found.append(revision)
        if len(found) > MOST_REVISIONS:
            break
    return tuple(found)


def _pointed_to(folder: Path, revision: str) -> Path | None:
    """The snapshot of a branch or a tag, or of a whole commit."""
    try:
        commit = read_small(folder / "refs" / revision, LONGEST_REF).decode("ascii").strip()
    except (OSError, ValueError, CheckpointFault):
        commit = revision
    snapshot = folder / "snapshots" / commit
    if commit and Path(commit).name == commit and (snapshot / "config.json").is_file():
        return snapshot
    return None


def _begun(folder: Path, digits: str) -> Path | None:
    """The one snapshot whose commit begins with some digits."""
    if len(digits) < FEWEST_DIGITS or not all(one in "0123456789abcdef" for one in digits):
        return None
    try:
        found = [p for p in (folder / "snapshots").iterdir() if p.name.startswith(digits)]
    except OSError:
        return None
    return found[0] if len(found) == 1 and (found[0] / "config.json").is_file() else None


def _snapshot(folder: Path) -> Path | None:
    """The snapshot that main points to, or else the newest one with a config of no other name."""
    main = _pointed_to(folder, MAIN)
    if main is not None:
        return main
    others = {_pointed_to(folder, revision) for revision in _named(folder)}
    try:
        found = [p for p in (folder / "snapshots").iterdir() if (p / "config.json").is_file()]
        free = [path for path in found if path not in others]
        return max(free, key=lambda path: path.stat().st_mtime, default=None)
    except OSError:
        return None
