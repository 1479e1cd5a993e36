"""Shapes that are remembered, against those that torch works out."""

import pytest
import torch

from explorer.hf.family import shapes
from explorer.hf.family.shapes import once

aten = torch.ops.aten


@pytest.fixture(autouse=True)
def known(monkeypatch):
    found = {}
    monkeypatch.setattr(shapes, "_KNOWN", found)
    return found


def meta(*shape, dtype=torch.float32):
    return torch.empty(shape, dtype=dtype, device="meta")


def layout(given):
    several = given if isinstance(given, tuple | list) else [given]
    return type(given), [(one.shape, one.stride(), one.dtype, one.device) for one in several]


CASES = {
    "softmax": (aten._softmax.default, (meta(2, 3, 5), -1, False)),
    "norm": (aten.native_layer_norm.default, (meta(2, 7), [7], meta(7), meta(7), 1e-5)),
    "product": (aten.addmm.default, (meta(4), meta(3, 5), meta(4, 5).t())),
    "several": (aten.cat.default, ([meta(2, 3), meta(4, 3)],)),
    "transposed": (aten.add.Tensor, (meta(3, 2).t(), meta(3, 2).t())),
    "table": (aten.embedding.default, (meta(9, 4), meta(2, 3, dtype=torch.long))),
    "integers": (aten.add.Tensor, (meta(3, dtype=torch.long), 1)),
    "integers and a fraction": (aten.add.Tensor, (meta(3, dtype=torch.long), 1.0)),
    "truths": (aten.add.Tensor, (meta(3, dtype=torch.bool), True)),
    "truths and a number": (aten.add.Tensor, (meta(3, dtype=torch.bool), 1)),
}


def test_each_is_what_torch_makes_also_the_second_time(known):
    expected = {name: layout(func(*args)) for name, (func, args) in CASES.items()}
    for _ in range(2):
        assert {name: layout(once(f, args, {})) for name, (f, args) in CASES.items()} == expected
        assert len(known) == len(CASES)


def test_the_second_time_torch_is_not_asked():
    asked = []

    class Softmax:
        _schema = aten._softmax.default._schema

        def __call__(self, *args):
            asked.append(args)
            return aten._softmax.default(*args)

    softmax = Softmax()
    first, second = (once(softmax, (meta(2, 3), -1, False), {}) for _ in range(2))
    assert len(asked) == 1
    assert layout(first) == layout(second)
    assert first is not second
    once(softmax, (meta(2, 4), -1, False), {})
    assert len(asked) == 2


def test_what_is_named_counts(known):
    wide = once(aten.sum.dim_IntList, (meta(2, 3), [1]), {"dtype": torch.float64})
    plain = once(aten.sum.dim_IntList, (meta(2, 3), [1]), {})
    assert (wide.dtype, plain.dtype) == (torch.float64, torch.float32)
    assert len(known) == 2


def test_views_and_what_is_written_into_are_done_every_time(known):
    whole = meta(4, 6)
    for _ in range(2):
        view = once(aten.view.default, (whole, [6, 4]), {})
        assert view._base is whole
        assert once(aten.add_.Tensor, (whole, 1), {}) is whole
    assert not known


def test_tensors_with_numbers_are_computed_every_time(known):
    for number in (1.0, 2.0):
        given = once(aten.add.Tensor, (torch.tensor([number]), 1), {})
        assert given.tolist() == [number + 1]
    assert not known


def test_there_is_an_end_to_what_is_kept(known, monkeypatch):
    monkeypatch.setattr(shapes, "MOST", 3)
    for width in range(1, 9):
        once(aten._softmax.default, (meta(2, width), -1, False), {})
        assert len(known) <= 3
