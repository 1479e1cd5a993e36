import json
from dataclasses import MISSING, dataclass, fields
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.api.question import LeftOut, MaskPredictions, ModelStamp, Prediction, Token
from explorer.document import Document, Mask
from explorer.questions import all_questions
from explorer.questions.masking.masked_tokens.question import (
    MaskedTokensRequest,
    MaskedTokensResult,
)
from explorer.questions.tokenizers.tokens.question import TokensResult
from explorer.serialise import from_json, to_builtins, to_json
from explorer.text import Phrase

STAMP = ModelStamp("bert-miniature", "bert", "0" * 32, "cpu", "float32")
TOKENS = (Token("[CLS]", 2, 0, 0, special=True), Token("[MASK]", 4, 0, 3, False, 0, True, 7))


@dataclass(frozen=True)
class Picture:
    name: str
    weights: np.ndarray
    where: Path
    number: float = 0.0


@pytest.mark.parametrize("dtype", ["float16", "float32", "int64", "bool"])
@pytest.mark.parametrize("shape", [(2, 3, 4), (0, 3), ()])
def test_arrays_come_back_as_they_were(dtype, shape):
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    back = from_json(Picture, to_json(Picture("é", array, Path("a/b"))))
    assert back.weights.dtype == array.dtype
    assert back.weights.shape == shape
    np.testing.assert_array_equal(back.weights, array)
    assert (back.name, back.where) == ("é", Path("a/b"))


@dataclass(frozen=True)
class Numbers:
    values: NDArray[np.float32]
    maybe: NDArray[np.int64] | None = None


def test_arrays_that_say_what_they_hold():
    back = from_json(Numbers, to_json(Numbers(np.array([1.5, 2.0], dtype=np.float32))))
    np.testing.assert_array_equal(back.values, np.array([1.5, 2.0], dtype=np.float32))
    assert back.maybe is None
    given = Numbers(back.values, np.array([3]))
    np.testing.assert_array_equal(from_json(Numbers, to_json(given)).maybe, [3])


def test_arrays_that_are_not_contiguous():
    array = np.arange(12.0).reshape(3, 4).T[::2]
    assert not array.flags.c_contiguous
    np.testing.assert_array_equal(
        from_json(Picture, to_json(Picture("", array, Path()))).weights, array
    )


def test_builtins_are_plain():
    picture = Picture("x", np.array([[1.5, 2.0]]), Path("p"), np.float32(0.5))
    assert to_builtins(picture) == {
        "name": "x",
        "weights": [[1.5, 2.0]],
        "where": "p",
        "number": 0.5,
    }


@pytest.mark.parametrize(
    "value",
    [
        Document("the cat 😀", "the dog", (Mask(0, 3), Mask(4, 7, 1)), 3),
        MaskedTokensRequest("the [MASK]", None, (Mask(1, 2),), 4),
        TokensResult(STAMP, TOKENS, LeftOut(3, 7, 1, 5, 2)),
        MaskedTokensResult(
            STAMP,
            TOKENS,
            (MaskPredictions(1, (Prediction("a", 6, 0.25, "a", 1),), None, 1.5),),
        ),
    ],
)
def test_what_the_log_keeps_comes_back(value):
    text = to_json(value)
    assert "\n" not in text
    assert from_json(type(value), text) == value
    plain = json.loads(json.dumps(to_builtins(value)))
    kept = json.loads(text)
    if isinstance(getattr(value, "note", None), Phrase):
        # Kept as code and values, told as a sentence.
        assert (kept.pop("note"), plain.pop("note")) == ([], "")
    assert kept == plain


REQUIRED = {"text": "the cat", "path": "some.txt", "operation": "surprisal"}
"""For requests that more than a document decides: what has no default."""


def request_of(kind):
    if hasattr(kind, "of"):
        return kind.of(Document("the cat", "a dog", (Mask(0, 3),)))
    wanted = [one.name for one in fields(kind) if one.default is MISSING]
    return kind(**{name: REQUIRED[name] for name in wanted})


@pytest.mark.parametrize("question", all_questions().values(), ids=lambda one: one.name)
def test_every_operations_request_is_json(question):
    request = request_of(question.request)
    assert from_json(question.request, to_json(request)) == request


def test_what_does_not_fit_is_an_error():
    with pytest.raises(ValueError, match="Expected `str`"):
        from_json(Document, '{"text": 3}')
    with pytest.raises(NotImplementedError):
        to_json(Picture("x", object(), Path()))
