"""Scalars of TensorBoard's event files."""

import struct
import time

import pytest

from explorer.files.foreign import Unfit
from explorer.learning.curves.event_files import MOST_SCALAR, crc32c, scalars_of
from explorer.learning.curves.places import read_curves_of
from tests.learning.curves import event_writing as writing

NAME = "events.out.tfevents.1700000000.host.1.0"


@pytest.fixture
def file(tmp_path):
    def write(*records):
        path = tmp_path / NAME
        path.write_bytes(b"".join((writing.VERSION, *records)))
        return path

    return write


def test_checksums_are_those_of_the_standard():
    """RFC 3720, appendix B.4; and the first bytes that every event file has."""
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert writing.VERSION[:12] == struct.pack("<Q", 24) + b"\xa3\x7fK\x22"


def test_scalars_of_both_kinds_are_read_with_their_steps(file):
    path = file(
        writing.event(1, writing.value("train/loss", 3.5), writing.value("lr", 0.5)),
        writing.event(2, writing.value("train/loss", 2.25, as_tensor=True)),
        writing.event(300, writing.value("train/loss", 1.0)),
    )
    found, notes = scalars_of(path, "run")
    assert found == {"train/loss": ([1.0, 2.0, 300.0], [3.5, 2.25, 1.0]), "lr": ([1.0], [0.5])}
    assert notes == ()


def test_pictures_and_histograms_are_passed_over(file):
    picture = writing.record(writing.held(5, bytes(MOST_SCALAR)))
    path = file(picture, writing.event(4, writing.value("loss", 1.0)))
    assert scalars_of(path, "run")[0] == {"loss": ([4.0], [1.0])}


def test_a_record_that_is_written_still_is_told_and_the_others_count(file):
    path = file(writing.event(1, writing.value("loss", 2.0)), writing.event(2)[:-3])
    found, (note,) = scalars_of(path, "run")
    assert found == {"loss": ([1.0], [2.0])}
    assert "cut off" in note


@pytest.mark.parametrize("place", [3, 9, -8, -2])
def test_a_wrong_byte_is_found(file, place):
    path = file(writing.event(1, writing.value("loss", 2.0)))
    content = bytearray(path.read_bytes())
    content[len(writing.VERSION) + place if place > 0 else place] ^= 0x40
    path.write_bytes(content)
    with pytest.raises(Unfit, match="record 2 has a wrong checksum"):
        scalars_of(path, "run")


def test_what_is_no_event_is_told(file):
    path = file(writing.record(b"\x0f\x01"))
    with pytest.raises(Unfit, match="no event"):
        scalars_of(path, "run")


def test_files_of_one_run_are_one_curve_and_folders_are_several(tmp_path):
    for seed in (1, 2):
        folder = tmp_path / f"seed-{seed}"
        folder.mkdir()
        for part in range(2):
            records = (writing.event(step, writing.value("loss", step * seed)) for step in (1, 2))
            shifted = tuple(records) if not part else (writing.event(3, writing.value("loss", 9)),)
            path = folder / f"events.out.tfevents.{part}"
            path.write_bytes(b"".join((writing.VERSION, *shifted)))
    first, second = read_curves_of(tmp_path)
    assert first.columns[0].steps.tolist() == [1, 2, 3]
    assert second.columns[0].values.tolist() == [2, 4, 9]
    assert (first.seed, second.seed) == (1, 2)
    assert first.plan == second.plan != ""


def test_many_scalars_take_little_time(file):
    events = [writing.event(step, writing.value("loss", 1.0)) for step in range(200)]
    path = file(b"".join(events) * 100)
    began = time.process_time()
    found, _notes = scalars_of(path, "run")
    assert len(found["loss"][0]) == 20_000
    assert time.process_time() - began < 5.0
