"""Weights as whole numbers: how they are rounded, written and read again."""

from pathlib import Path

import numpy as np
import pytest

from explorer.api.family import CheckpointFault
from explorer.engine.library.inspection import read_safetensors_header
from explorer.hf.loading.stored import read_stored
from explorer.series.row_scales import FILE, SCALES, apart, fits, rounded


def numbers(*shape: int) -> np.ndarray:
    drawn = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    drawn[1] *= 100
    drawn[2] = 0
    return drawn


@pytest.mark.parametrize(("bits", "most"), [(8, 127), (16, 32767)])
def test_each_row_is_read_to_half_of_its_own_scale(bits, most):
    given = numbers(5, 3, 4)
    whole, scales = rounded(given, bits)
    assert (whole.dtype, whole.shape) == (np.dtype(f"int{bits}"), given.shape)
    assert (scales.dtype, scales.shape) == (np.float32, (5,))
    read = whole.astype(np.float32) * scales[:, None, None]
    assert (np.abs(read - given) <= scales[:, None, None] * 0.5001).all()
    assert [np.abs(row).max() for row in whole] == [most, most, 0, most, most]
    assert (read[2] == 0).all()


def test_scales_are_told_from_tensors_by_those_that_they_are_of():
    held = {"a": 1, "a" + SCALES: 2, "b": 3, "other" + SCALES: 4}
    assert apart(held) == ({"a": 1, "b": 3, "other" + SCALES: 4}, {"a": 2})


@pytest.mark.parametrize(
    ("shape", "scales", "does"),
    [
        ((4, 3), (4,), True),
        ((4, 3, 2), (4,), True),
        ((4, 3), (3,), False),
        ((4, 3), (4, 1), False),
        ((4,), (4,), False),
    ],
)
def test_there_is_one_scale_for_each_row(shape, scales, does):
    assert fits(shape, scales) is does


def written(folder: Path, scales: np.ndarray | None = None) -> tuple[Path, np.ndarray]:
    from safetensors.numpy import save_file

    given = numbers(5, 4)
    whole, found = rounded(given, 8)
    path = folder / FILE
    vector = np.arange(3, dtype=np.float32)
    kept = {"matrix": whole, "matrix" + SCALES: found if scales is None else scales, "bias": vector}
    save_file(kept, path, metadata={"format": "pt"})
    return path, whole.astype(np.float32) * found[:, None]


def test_a_file_is_read_as_what_its_scales_make_of_it(tmp_path):
    path, expected = written(tmp_path)
    header = read_safetensors_header(path)
    assert {name: (one.shape, one.dtype) for name, one in header.items()} == {
        "matrix": ((5, 4), "F32"),
        "bias": ((3,), "F32"),
    }
    stored = read_stored(path)
    assert stored.keys() == {"matrix", "bias"}
    assert stored["matrix"].shape == (5, 4)
    assert (stored["matrix"][...].numpy() == expected).all()
    assert stored["bias"][...].tolist() == [0, 1, 2]


def test_scales_of_another_shape_are_a_damaged_file(tmp_path):
    path, _ = written(tmp_path, np.ones(4, np.float32))
    with pytest.raises(CheckpointFault, match="damaged"):
        read_stored(path)
