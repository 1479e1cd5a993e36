"""What may be read of files that nobody has vouched for, before anyone agreed to open them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.api.family import CheckpointFault
from explorer.files.foreign import is_special, json_of
from explorer.text import N_

AGAIN = N_("Copy or download the checkpoint again.")

LARGEST_CONFIG = 4_000_000
"""Bytes of a config.json; the longest published ones name some thousand classes."""

LARGEST_INDEX = 16_000_000
"""Bytes of a list of tensors: an index of shards, a header, a pickle beside its data.

A list takes up to 25 times its bytes in memory when it is read.
"""

LARGEST_TOKENIZER_FILE = 64_000_000
"""Bytes of a tokenizer's file; the vocabularies of 250,000 pieces take a quarter of it."""

LONGEST_SHOWN = 120
"""Characters of a file's own words that a sentence repeats."""

LARGEST_NUMBER = 2**63 - 1
"""Of one number of a shape, and of the numbers in a tensor."""

MOST_DIMENSIONS = 64


@dataclass
class Allowance:
    """What listing the tensors of one checkpoint may take, all its files together.

    Attributes:
        index_bytes: Of headers and pickles.
        opcodes: Of pickles.
    """

    index_bytes: int = 2 * LARGEST_INDEX
    opcodes: int = 1_000_000

    def take_bytes(self, count: int, path: Path) -> None:
        """Count bytes that are about to be read.

        Raises:
            CheckpointFault: They are more than one file, or all files together, may have.
        """
        self.index_bytes -= count
        if count > LARGEST_INDEX or self.index_bytes < 0:
            raise CheckpointFault(
                N_("{name} was not listed: its list of tensors takes {size} MB."),
                N_("A model's takes a few. Copy or download the checkpoint again."),
                name=path.name,
                size=round(count / 1e6),
            )


def refuse_special(path: Path) -> None:
    """Refuse pipes, devices, sockets, and what the system makes up; missing files pass.

    Raises:
        CheckpointFault: It is one of these.
    """
    if is_special(path):
        raise CheckpointFault(
            N_("{name} is a pipe, a device or a file of the system's own, and is not read."),
            N_("Put the checkpoint's own file in its place."),
            name=path.name,
        )


def refuse_large(path: Path, limit: int) -> None:
    """Refuse a file that is longer than its kind ever is; missing files pass.

    Raises:
        CheckpointFault: It is, or it is no file.
    """
    refuse_special(path)
    try:
        size = path.stat().st_size
    except (OSError, ValueError):
        return
    if size > limit:
        raise CheckpointFault(
            N_("{name} takes {size} MB, and no more than {limit} MB are read of such a file."),
            AGAIN,
            name=path.name,
            size=round(size / 1e6),
            limit=round(limit / 1e6),
        )


def read_small(path: Path, limit: int) -> bytes:
    """A file's bytes, if it is a file and not longer than its kind ever is.

    Raises:
        CheckpointFault: It is no file, or too long.
        OSError: It can't be read.
    """
    refuse_large(path, limit)
    with path.open("rb") as file:
        return file.read(limit)


def read_json(path: Path, limit: int) -> Any:
    """What a file of JSON says, if it is a file and not longer than its kind ever is.

    Raises:
        CheckpointFault: It is no file, or too long.
        ValueError: It is no JSON, or nested too deeply.
        OSError: It can't be read.
    """
    return json_of(read_small(path, limit))


def checked_shape(shape: Iterable[object], path: Path) -> tuple[int, ...]:
    """A tensor's shape, if a tensor can have it.

    Raises:
        CheckpointFault: Its numbers are none, or more than any machine could hold.
    """
    numbers: list[int] = []
    product = 1
    for number in shape:
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise CheckpointFault(
                N_("{name} gives a tensor a shape that is none."), AGAIN, name=path.name
            )
        numbers.append(number)
        product *= max(number, 1)
        if product > LARGEST_NUMBER or len(numbers) > MOST_DIMENSIONS:
            raise CheckpointFault(
                N_("{name} gives a tensor a size beyond any machine's."), AGAIN, name=path.name
            )
    return tuple(numbers)


def shown(text: str, longest: int = LONGEST_SHOWN) -> str:
    """A file's own words as a sentence may repeat them: short, and in letters that print."""
    cut = text if len(text) <= longest else f"{text[:longest]}…"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in cut)
