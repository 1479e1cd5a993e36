"""The numbers that TensorBoard shows: scalars in its event files.

An event file is a list of records (TFRecord): a length and its checksum, as many bytes and theirs.
Each record is an `Event` of Protocol Buffers; of those only steps, tags and single numbers are
taken (tensorflow/core/util/event.proto, framework/summary.proto, framework/tensor.proto).
Pictures and histograms are passed over unread. Both checksums are held: CRC-32C, masked, as
tensorflow/core/lib/hash/crc32c.h has it.
"""

import struct
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.files.foreign import Unfit, read_bytes
from explorer.text import N_, Phrase

MOST_BYTES = 500_000_000
MOST_RECORDS = 3_000_000
MOST_SCALAR = 16_384
"""Bytes of a record with single numbers; a longer one is a picture, a histogram or a graph."""
HEADER, TRAILER = 12, 4
Measured = dict[str, tuple[list[float], list[float]]]

CUT = N_("{title}: the last record of {file} is cut off: it may be written still.")


def scalars_of(path: Path, title: str) -> tuple[Measured, tuple[Phrase, ...]]:
    """All scalars of an event file, by their tags: steps and values.

    Args:
        path: The file.
        title: What people read for the run.

    Returns:
        The scalars, and what must be known of the file.

    Raises:
        Unfit: It is no event file, a checksum is wrong, or there is too much in it.
        OSError: It can't be read.
    """
    content = read_bytes(path, MOST_BYTES)
    records, is_cut = _records(content)
    found: Measured = {}
    for begin, length in records:
        if length <= MOST_SCALAR:
            for tag, step, value in _scalars(content[begin : begin + length]):
                steps, values = found.setdefault(tag, ([], []))
                steps.append(float(step))
                values.append(value)
    notes = (Phrase(CUT, title=title, file=path.name),) if is_cut else ()
    return found, notes


def _records(content: bytes) -> tuple[list[tuple[int, int]], bool]:
    """Where each record's bytes begin and how many they are, and whether the last one is cut."""
    found: list[tuple[int, int]] = []
    at, end, is_cut = 0, len(content), False
    while at < end:
        if at + HEADER > end:
            is_cut = True
            break
        (length,) = struct.unpack_from("<Q", content, at)
        if _masked(crc32c(content[at : at + 8])) != _unsigned(content, at + 8):
            raise Unfit(N_("record {number} has a wrong checksum"), number=len(found) + 1)
        if length > end - at - HEADER - TRAILER:
            is_cut = True
            break
        if len(found) >= MOST_RECORDS:
            raise Unfit(N_("it has more than {most} records"), most=f"{MOST_RECORDS:,}")
        found.append((at + HEADER, length))
        at += HEADER + length + TRAILER
    if not found:
        raise Unfit(N_("it is no event file of TensorBoard"))
    _hold(content, [one for one in found if one[1] <= MOST_SCALAR], found)
    return found, is_cut


def _hold(
    content: bytes, short: Sequence[tuple[int, int]], every: Sequence[tuple[int, int]]
) -> None:
    """Compare the checksums of what is read, all records of one length at once."""
    alike: dict[int, list[int]] = defaultdict(list)
    for begin, length in short:
        alike[length].append(begin)
    octets = np.frombuffer(content, np.uint8)
    for length, begins in alike.items():
        for part in range(0, len(begins), 65_536):
            starts = np.array(begins[part : part + 65_536])
            sums = _crc32c_of_many(octets, starts, length)
            told = octets[starts[:, None] + length + np.arange(4)].astype("<u1")
            right = np.ascontiguousarray(told).view("<u4")[:, 0]
            wrong = np.flatnonzero(_masked(sums) != right)
            if len(wrong):
                begin = int(starts[wrong[0]])
                number = next(n for n, one in enumerate(every, 1) if one[0] == begin)
                raise Unfit(N_("record {number} has a wrong checksum"), number=number)


@cache
def _table() -> NDArray[np.uint32]:
    """CRC-32C of every byte (Castagnoli's polynomial, bits reversed)."""
    sums = np.arange(256, dtype=np.uint32)
    for _bit in range(8):
        sums = np.where(sums & 1, (sums >> 1) ^ np.uint32(0x82F63B78), sums >> 1)
    return sums.astype(np.uint32)


@cache
def _plain_table() -> tuple[int, ...]:
    return tuple(_table().tolist())


def crc32c(data: bytes) -> int:
    """The checksum of some bytes: RFC 3720, appendix B.4."""
    table, found = _plain_table(), 0xFFFFFFFF
    for one in data:
        found = table[(found ^ one) & 0xFF] ^ (found >> 8)
    return found ^ 0xFFFFFFFF


def _crc32c_of_many(
    octets: NDArray[np.uint8], starts: NDArray[np.int64], length: int
) -> NDArray[np.uint32]:
    table = _table()
    found = np.full(len(starts), 0xFFFFFFFF, np.uint32)
    for place in range(length):
        found = table[(found ^ octets[starts + place]) & 0xFF] ^ (found >> np.uint32(8))
    return found ^ np.uint32(0xFFFFFFFF)


def _masked(checksum: Any) -> Any:
    """A checksum as these files have it: turned by 15 bits, and a number added."""
    if isinstance(checksum, int):
        return ((checksum >> 15 | checksum << 17) + 0xA282EAD8) & 0xFFFFFFFF
    turned = (checksum >> np.uint32(15)) | (checksum << np.uint32(17))
    return turned + np.uint32(0xA282EAD8)


def _unsigned(content: bytes, at: int) -> int:
    found: int = struct.unpack_from("<I", content, at)[0]
    return found


def _scalars(event: bytes) -> Iterator[tuple[str, int, float]]:
    """Tags, step and numbers of an event: event.proto's fields 2 (step) and 5 (summary)."""
    step, summary = 0, b""
    for number, value in _fields(event):
        if number == 2 and isinstance(value, int):
            step = value if value < 2**63 else value - 2**64
        elif number == 5 and isinstance(value, bytes):
            summary = value
    for number, value in _fields(summary):
        if number == 1 and isinstance(value, bytes):
            tag, scalar = _scalar(value)
            if tag and scalar is not None:
                yield tag, step, scalar


def _scalar(value: bytes) -> tuple[str, float | None]:
    """A summary's value: summary.proto's fields 1 (tag), 2 (number) and 8 (a tensor of one)."""
    tag, found = "", None
    for number, one in _fields(value):
        if not isinstance(one, bytes):
            continue
        if number == 1:
            tag = one.decode("utf-8", "replace")
        elif number == 2 and len(one) == 4:
            found = struct.unpack("<f", one)[0]
        elif number == 8:
            found = _single(one)
    return tag, found


def _single(tensor: bytes) -> float | None:
    """The number of a tensor that holds one: tensor.proto's fields 1, 4, 5 and 6."""
    kind, found = 0, None
    for number, one in _fields(tensor):
        if number == 1 and isinstance(one, int):
            kind = one
        elif isinstance(one, bytes) and number in {4, 5, 6}:
            code = {(4, 1): "<f", (4, 2): "<d"}.get((number, kind)) or {5: "<f", 6: "<d"}.get(
                number
            )
            if code is not None and len(one) == struct.calcsize(code):
                found = struct.unpack(code, one)[0]
    return found


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """A message's fields: numbers as they are, what has a length or a fixed width as bytes.

    Raises:
        Unfit: It is no message.
    """
    at, end = 0, len(message)
    while at < end:
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, at = _varint(message, at)
            yield number, value
            continue
        if kind == 2:
            length, at = _varint(message, at)
        elif kind in {1, 5}:
            length = 8 if kind == 1 else 4
        else:
            raise _no_message()
        if length > end - at:
            raise _no_message()
        yield number, message[at : at + length]
        at += length


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            break
        one = message[at]
        at += 1
        value |= (one & 0x7F) << shift
        if one < 0x80:
            return value, at
    raise _no_message()


def _no_message() -> Unfit:
    return Unfit(N_("a record in it is no event of TensorBoard"))
