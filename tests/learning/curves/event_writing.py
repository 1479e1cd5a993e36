"""Event files as TensorBoard's writers make them, written out here."""

import struct


def crc32c(data):
    """Bit by bit."""
    found = 0xFFFFFFFF
    for one in data:
        found ^= one
        for _bit in range(8):
            found = found >> 1 ^ (0x82F63B78 if found & 1 else 0)
    return found ^ 0xFFFFFFFF


def masked(data):
    found = crc32c(data)
    return ((found >> 15 | found << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(event):
    length = struct.pack("<Q", len(event))
    return length + struct.pack("<I", masked(length)) + event + struct.pack("<I", masked(event))


def varint(number):
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes((*found, number))


def held(number, content):
    """A field that has a length."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def value(tag, number, *, as_tensor=False):
    if not as_tensor:
        return held(1, tag.encode()) + varint(2 << 3 | 5) + struct.pack("<f", number)
    tensor = varint(1 << 3) + varint(1) + held(4, struct.pack("<f", number))
    return held(1, tag.encode()) + held(8, tensor)


def event(step, *values):
    summary = b"".join(held(1, one) for one in values)
    time = varint(1 << 3 | 1) + struct.pack("<d", 1.7e9)
    return record(time + varint(2 << 3) + varint(step) + held(5, summary))


VERSION = record(varint(1 << 3 | 1) + struct.pack("<d", 1.7e9) + held(3, b"brain.Event:2"))
