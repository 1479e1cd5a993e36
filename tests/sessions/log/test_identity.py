"""ULIDs against the reference library, and hashes."""

import hashlib
import threading

import pytest

from explorer.sessions.log import identity
from explorer.sessions.log.identity import Ulids, content_hash, encode_ulid, iso_time

BY_THE_REFERENCE = {
    0: "00000000000000000000000000",
    1: "00000000000000000000000001",
    0x0172DB6F75FF3A35D1CCB9B6B07D5F1E: "01EBDPYXFZ78TX3K5SPTR7TQRY",
    2**128 - 1: "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
}
"""What python-ulid 4.1 makes of a number."""


@pytest.mark.parametrize("value", BY_THE_REFERENCE)
def test_the_letters_are_those_of_the_reference_library(value):
    assert encode_ulid(value) == BY_THE_REFERENCE[value]


def test_the_moment_is_in_the_first_ten_letters():
    first, second = Ulids().next(1_700_000_000_123), encode_ulid(1_700_000_000_123 << 80)
    assert first[:10] == second[:10]
    assert len(first) == identity.ULID_LENGTH


def test_they_grow_when_the_clock_stands_still_or_goes_back():
    ulids = Ulids()
    given = [ulids.next(ms) for ms in (5000, 5000, 5000, 4000, 1, 6000)]
    assert given == sorted(given)
    assert len(set(given)) == len(given)


def test_no_two_threads_get_the_same():
    ulids, given = Ulids(), []
    threads = [
        threading.Thread(target=lambda: given.extend(ulids.next(1) for _ in range(500)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(given)) == 2000


def test_time_is_utc_with_milliseconds():
    assert iso_time(0) == "1970-01-01T00:00:00.000Z"
    assert iso_time(1_741_964_966_535) == "2025-03-14T15:09:26.535Z"
    assert iso_time(999) == "1970-01-01T00:00:00.999Z"


def test_same_content_same_hash():
    expected = hashlib.blake2b("국".encode(), digest_size=16).hexdigest()
    assert content_hash("국") == expected
    assert len(expected) == 32
    assert content_hash("국 ") != expected
