"""Names for runs, sessions and documents: ULIDs that sort by time, hashes of content."""

import hashlib
import os
import threading
import time
from datetime import UTC, datetime

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
ULID_LENGTH = 26
LATEST = 253_402_300_799_999
"""The last millisecond of the year 9999: no date can be written after it, so no id is of one."""

TIME_LETTERS = 10
"""Of a ULID; they count milliseconds since 1970."""
_LETTERS = frozenset(CROCKFORD)


def now_milliseconds() -> int:
    """Milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def iso_time(milliseconds: int) -> str:
    """UTC as ISO 8601 with milliseconds: "2025-03-14T15:09:26.535Z"."""
    moment = datetime.fromtimestamp(milliseconds // 1000, tz=UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03d}Z"


def content_hash(content: str) -> str:
    """blake2b of a text, 32 hexadecimal digits."""
    return hashlib.blake2b(content.encode("utf-8"), digest_size=16).hexdigest()


def encode_ulid(value: int) -> str:
    """A 128-bit number as 26 letters of Crockford's base 32 (the ULID specification)."""
    return "".join(CROCKFORD[value >> shift & 31] for shift in range(125, -1, -5))


def milliseconds_of(ulid: str) -> int:
    """When a ULID was made, in milliseconds since 1970."""
    value = 0
    for letter in ulid[:TIME_LETTERS]:
        value = value * 32 + CROCKFORD.index(letter)
    return value


def is_ulid(value: object) -> bool:
    """Whether it is an id as `Ulids` makes them, of a moment that a date can be written of."""
    return (
        isinstance(value, str)
        and len(value) == ULID_LENGTH
        and _LETTERS.issuperset(value)
        and milliseconds_of(value) <= LATEST
    )


class Ulids:
    """Makes ULIDs that grow strictly, even when the clock stands still or is set back.

    May be called from any thread.
    """

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def next(self, milliseconds: int) -> str:
        """A ULID for this moment, greater than every one given out before."""
        value = milliseconds << 80 | int.from_bytes(os.urandom(10), "big")
        with self._lock:
            self._last = value = max(value, self._last + 1)
        return encode_ulid(value)

    def follow(self, ulid: str) -> None:
        """Give out nothing any more that sorts before this one, if it is one of ours."""
        if not is_ulid(ulid):
            return
        value = 0
        for letter in ulid:
            value = value * 32 + CROCKFORD.index(letter)
        with self._lock:
            self._last = max(self._last, value)
