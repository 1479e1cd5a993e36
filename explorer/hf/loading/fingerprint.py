"""What identifies a checkpoint's content: a hash of its config, tokenizer and weight files."""

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from explorer.api.family import Cancelled, Files
from explorer.hf.kept import kept

MOST_KEPT = 4096
"""Files whose hash is kept: big ones are read once a process."""

_BLOCK = 1 << 20
"""Bytes that are read between two looks at whether the hash is still wanted."""


def fingerprint(files: Files, check: Callable[[], None] = lambda: None) -> str:
    """Hash the files that decide a model's answers.

    Args:
        files: The checkpoint.
        check: Asked after every megabyte; raises what is to end the hashing.

    Returns:
        blake2b with a digest of 16 bytes, as 32 hexadecimal digits. It depends on the names and
        contents of config.json, the tokenizer's and the weight files, not on where they lie.
    """
    total = hashlib.blake2b(digest_size=16)
    names = {"config.json", *files.tokenizer_files, *files.weight_files}
    for name in sorted(names):
        path = (files.tokenizer_folder if name in files.tokenizer_files else files.folder) / name
        if path.is_file():
            total.update(name.encode("utf-8") + b"\0" + _of_file(path, check))
    return total.hexdigest()


@contextmanager
def hashing(files: Files, check: Callable[[], None]) -> Iterator[Future[str]]:
    """Hash on a thread of its own while the block runs; a block that fails ends the hashing.

    Args:
        files: The checkpoint.
        check: Raises when nobody wants the checkpoint any more.
    """
    given_up = Event()

    def check_both() -> None:
        check()
        if given_up.is_set():
            raise Cancelled

    with ThreadPoolExecutor(1) as pool:
        try:
            yield pool.submit(fingerprint, files, check_both)
        except BaseException:
            given_up.set()
            raise


def _of_file(path: Path, check: Callable[[], None]) -> bytes:
    def make() -> bytes:
        digest = hashlib.blake2b(digest_size=16)
        block = memoryview(bytearray(_BLOCK))
        with path.open("rb", buffering=0) as file:
            while count := file.readinto(block):
                digest.update(block[:count])
                check()
        return digest.digest()

    return kept("hash of a file", make, of=path, most=MOST_KEPT)
