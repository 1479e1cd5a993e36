"""The program's own answers are what they say they are; the check knows every one of them."""

import dataclasses
import typing
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.api.family import Context, ExplorerError, LoadedModel, LoadOptions
from explorer.document import Mask
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.border.answer_check import wrong_answer
from explorer.engine.plugins.border.types_of_values import _fields, mismatch
from explorer.engine.plugins.conformance.asking import _alone, _requests
from explorer.engine.runner import Runner
from explorer.hf.family.tiny import write_tiny
from explorer.questions import all_questions
from tests.hf import tiny

FAMILIES = ("bert", "electra", "gpt2", "t5", "roberta", "albert", "distilbert")


VARIED = ("bert", "gpt2", "t5")
"""An encoder, a decoder and both stacks: asked with a second text and a masked word, too."""


def variants(request):
    """As it is, with a second text, and with a word masked."""
    yield request
    names = {field.name for field in dataclasses.fields(request)}
    if "pair" in names:
        yield dataclasses.replace(request, pair="a dog ran")
    if "masks" in names:
        yield dataclasses.replace(request, masks=(Mask(4, 7),))


@pytest.mark.parametrize("name", FAMILIES)
def test_what_the_program_s_own_handlers_answer_passes(name, tmp_path, request):
    is_varied = name in VARIED or request.config.option.all
    host = tiny.families()
    family = host.family(name)
    folder = write_tiny(family, tmp_path / name) or tmp_path / name
    runner = Runner(host, Catalogue(host, tmp_path / "none", tmp_path / "none"))
    asked = 0
    for config in sorted((tmp_path / name).rglob("config.json")):
        runner.load("A", str(config.parent), LoadOptions(device="cpu", family=name), Context())
        assert mismatch(runner.models["A"], LoadedModel, "model") == ""
        for question, plain in _requests(runner, "the cat sat"):
            for one in variants(plain) if is_varied else (plain,):
                try:
                    answer = runner.ask(one, _alone(one), Context())
                except ExplorerError:
                    continue
                assert wrong_answer(one, answer) == "", question
                asked += 1
    assert asked >= 3, folder


def test_every_result_can_be_looked_into():
    for question in all_questions().values():
        assert set(_fields(question.result)) == {
            one.name for one in dataclasses.fields(question.result)
        }


@dataclass(frozen=True)
class Part:
    number: int
    share: float = 0.5


def test_what_is_wrong_is_said_and_where():
    assert mismatch((1, 2), tuple[int, ...], "it") == ""
    assert mismatch((1, "a"), tuple[int, ...], "it") == "it[1] is a str, not a whole number"
    assert mismatch([1], tuple[int, ...], "it") == "it is a list, not a tuple"
    assert mismatch((1,), tuple[int, int], "it") == "it has 1 members, not 2"
    assert mismatch(True, int, "it") == "it is a bool, not a whole number"
    assert mismatch(2**70, int | None, "it") == "it is too large a number"
    assert mismatch(None, int | None, "it") == ""
    assert mismatch("a", int | None, "it") == "it is a str, not a whole number or None"
    assert "which no model can mean" in mismatch(1e308, float, "it")
    assert "which no model can mean" in mismatch(float("nan"), float, "it")
    assert mismatch(np.float64(0.5), float, "it") == ""
    assert mismatch({"a": 1}, typing.Mapping[str, int], "it") == ""
    assert mismatch({"a": "b"}, typing.Mapping[str, int], "it").startswith("it['a'] is a str")
    assert mismatch(np.ones(2), NDArray[np.float32], "it") == ""
    assert "of object" in mismatch(np.array([None]), NDArray[np.float32], "it")
    # A class that is not the program's own runs its own code where it is unpacked.
    assert mismatch(Part(1), Part, "it") == "it is a Part, not a Part"


def test_a_type_with_a_name_is_what_it_is_of():
    """As numpy's NDArray is from 2.5 on, on Python 3.12 and newer."""
    from typing_extensions import TypeAliasType

    kind = typing.TypeVar("kind", bound=np.generic)
    named = TypeAliasType("named", np.ndarray[typing.Any, np.dtype[kind]], type_params=(kind,))
    for one in (named, named[np.float32]):
        assert mismatch(np.ones(2), one, "it") == ""
        assert mismatch([1.0], one, "it") == "it is a list, not an array"
    assert mismatch("a", TypeAliasType("number", int), "it") == "it is a str, not a whole number"
