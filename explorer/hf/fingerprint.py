"""What identifies a checkpoint's content: a hash of its config, tokenizer and weight files."""

import hashlib
from pathlib import Path

from explorer.api import Files

_known: dict[tuple[str, int, int], bytes] = {}
"""Hashes of files by path, size and time of change; big files are read once a process."""


def fingerprint(files: Files) -> str:
    """Hash the files that decide a model's answers.

    Returns:
        blake2b with a digest of 16 bytes, as 32 hexadecimal digits. It depends on the names and
        contents of config.json, the tokenizer's and the weight files, not on where they lie.
    """
    total = hashlib.blake2b(digest_size=16)
    names = {"config.json", *files.tokenizer_files, *files.weight_files}
    for name in sorted(names):
        path = files.folder / name
        if path.is_file():
            total.update(name.encode("utf-8") + b"\0" + _of_file(path))
    return total.hexdigest()


def _of_file(path: Path) -> bytes:
    status = path.stat()
    key = (str(path.resolve()), status.st_size, status.st_mtime_ns)
    if key not in _known:
        with path.open("rb") as file:
            _known[key] = hashlib.file_digest(
                file, lambda: hashlib.blake2b(digest_size=16)
            ).digest()
    return _known[key]
