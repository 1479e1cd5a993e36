"""What can't be had of a model or a text is one clear line, whichever question of cause it is."""

import pytest

from explorer.api.question import Unavailable, UserMistake
from explorer.questions.cause.attribution.question import AttributionRequest
from explorer.questions.cause.attribution_benchmark.question import AttributionBenchmarkRequest
from explorer.questions.cause.edits.question import EditsRequest
from explorer.questions.cause.patching.question import PatchingRequest
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature

torch = pytest.importorskip("torch")

TEXT = "I will plant the flower, so I dug the ground. I used a [MASK]."
LONG = "the chef cooked the soup . " * 60 + "the chef cooked the [MASK] ."
SWAP = ("plant > build",)
WITH_GRADIENTS = [
    AttributionRequest(TEXT, beside=None),
    AttributionRequest(TEXT, method="gradient", beside=None),
    AttributionRequest(TEXT, method="sequential_integrated_gradients", beside=None, steps=2),
]
WITHOUT = [
    AttributionBenchmarkRequest(places=3, steps=2, samples=2),
    AttributionRequest(TEXT, method="occlusion", beside=None),
    AttributionRequest(TEXT, method="attention", beside=None),
    EditsRequest(TEXT),
    PatchingRequest(TEXT, swap=SWAP),
    PatchingRequest(TEXT, swap=SWAP, component="head"),
]


@pytest.fixture(scope="module")
def half():
    return tiny.load(MODELS / "bert-miniature", dtype="float16")


@pytest.fixture(scope="module")
def without_gradients():
    """As a module that was compiled or quantised: every part answers, and leaves no trace."""
    model = tiny.load(MODELS / "bert-miniature")
    for part in model.module.modules():
        part.forward = torch.no_grad()(part.forward)
    return model


def one_line(error):
    told = f"{error.value.message} {error.value.hint}"
    assert "\n" not in told
    assert "Tensor" not in told
    return told


@pytest.mark.parametrize("request_", WITH_GRADIENTS, ids=lambda one: str(type(one).__name__))
def test_gradients_in_half_precision_and_of_a_model_without_any(half, without_gradients, request_):
    with pytest.raises(UserMistake) as error:
        tiny.ask(half, request_)
    assert "Gradients are too coarse in float16" in one_line(error)
    with pytest.raises(Unavailable) as error:
        tiny.ask(without_gradients, request_)
    assert "This model gives no gradients" in one_line(error)


@pytest.mark.parametrize("request_", WITHOUT, ids=lambda one: str(type(one).__name__))
def test_what_needs_no_gradients_answers_all_the_same(half, without_gradients, request_):
    for model in (half, without_gradients):
        assert tiny.ask(model, request_).model == model.stamp


def test_patching_says_why_there_is_no_first_order(without_gradients):
    result = tiny.ask(without_gradients, PatchingRequest(TEXT, swap=SWAP))
    whole = tiny.ask(miniature("bert-miniature"), PatchingRequest(TEXT, swap=SWAP))
    assert "gives no gradients" in str(result.note)
    assert result.correlation is None
    assert result.grids[0].first_order is None
    assert result.grids[0].effects == pytest.approx(whole.grids[0].effects, abs=1e-4)


@pytest.mark.parametrize(
    "request_",
    [
        AttributionRequest(LONG),
        AttributionRequest(LONG, method="occlusion", beside=None),
        EditsRequest(LONG),
        PatchingRequest(LONG, swap=("soup > fish",)),
        PatchingRequest(LONG),
    ],
    ids=lambda one: str(type(one).__name__),
)
@pytest.mark.parametrize("name", ["bert-miniature", "gpt2-miniature", "t5-miniature"])
def test_a_mask_past_the_end(name, request_):
    with pytest.raises(UserMistake) as error:
        tiny.ask(miniature(name), request_)
    told = one_line(error)
    assert "does not fit into the model" in told or "longer than the model takes" in told
    assert error.value.hint
