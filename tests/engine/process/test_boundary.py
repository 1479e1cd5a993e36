from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest

from explorer.engine.process.boundary import decode, encode, owned


@dataclass(frozen=True)
class Result:
    values: Any
    name: str = "a"


@dataclass(frozen=True)
class Checked:
    array: Any

    def __post_init__(self) -> None:
        if self.array.flags.owndata:
            raise AssertionError("made a second time")


class Pair(NamedTuple):
    left: Any
    right: Any


def test_what_needs_no_change_is_the_same_object() -> None:
    result = Result((1, 2.0, "x", None, True, b"y", [3], {"k": Pair(1, 2)}))
    assert owned(result) is result


def test_an_owned_array_stays_and_becomes_read_only() -> None:
    array = np.zeros((2, 3))
    result = Result(array)
    assert owned(result) is result
    assert not array.flags.writeable


@pytest.mark.parametrize(
    "view",
    [
        np.arange(12.0).reshape(3, 4),
        np.arange(12.0)[3:5],
        np.asfortranarray(np.arange(12.0).reshape(3, 4).copy()),
        np.broadcast_to(np.float32(1), (3, 3)),
        np.arange(5)[::-1],
    ],
)
def test_views_become_owned_contiguous_copies(view: Any) -> None:
    got = owned(Result((view,)))
    array = got.values[0]
    np.testing.assert_array_equal(array, view)
    assert array.flags.owndata
    assert array.flags.c_contiguous
    assert not array.flags.writeable
    assert array.dtype == view.dtype


def test_the_value_passed_in_is_not_changed() -> None:
    base = np.arange(4.0)
    result = Result([base[1:]])
    got = owned(result)
    base[2] = 99.0
    assert got.values[0].tolist() == [1.0, 2.0, 3.0]
    assert result.values[0] is not got.values[0]
    assert result.values[0].tolist() == [1.0, 99.0, 3.0]


def test_every_container_is_looked_into() -> None:
    view = np.arange(4)[1:]
    got = owned({"a": (Pair([view], 1), MappingProxyType({"b": view}))})
    pair, mapping = got["a"]
    assert isinstance(pair, Pair)
    assert pair.left[0].flags.owndata
    assert mapping["b"].flags.owndata
    assert decode(encode(got))["a"][1]["b"].tolist() == [1, 2, 3]


def test_dataclasses_are_copied_without_being_made_again() -> None:
    checked = Checked(np.arange(4)[1:])
    assert owned(checked).array.tolist() == [1, 2, 3]


def test_tensors_are_refused_with_their_place() -> None:
    import torch

    with pytest.raises(TypeError, match=r"result\.values\['x'\]\[1\] is a torch tensor"):
        owned(Result({"x": (1, torch.zeros(2))}))


def test_arrays_of_objects_are_refused() -> None:
    with pytest.raises(TypeError, match=r"result\.values is an array of Python objects"):
        owned(Result(np.array([object()])))


def test_a_tensor_as_a_view_is_taken_out_of_torch() -> None:
    import torch

    tensor = torch.arange(4.0)
    got = owned(Result(tensor.numpy()))
    tensor += 1
    assert got.values.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_read_only_arrays_stay_so_on_the_other_side() -> None:
    got = decode(encode(owned(Result(np.arange(6.0).reshape(2, 3)))))
    assert not got.values.flags.writeable
    np.testing.assert_array_equal(got.values, np.arange(6.0).reshape(2, 3))


def test_what_cannot_be_pickled_says_so() -> None:
    with pytest.raises(TypeError, match="cannot cross the process boundary"):
        encode(Result(lambda: None))
