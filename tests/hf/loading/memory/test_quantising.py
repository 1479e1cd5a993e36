"""Weights of 8 and 4 bit: what they are, how far answers move, and what is refused."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer.api.family import (
    Attentions,
    Context,
    HiddenStates,
    LayerReadout,
    Predictor,
    Query,
    UserMistake,
)
from explorer.engine.library.inspection import inspect_folder
from explorer.hf.loading.memory import placement
from explorer.hf.loading.memory.offloading import layers_of
from explorer.hf.loading.memory.room import sizes_of
from explorer.hf.loading.memory.weighing import weigh
from explorer.questions.attention.head_ablation.question import HeadAblationRequest
from explorer.questions.attention.query_key.question import QueryKeyRequest
from explorer.questions.cause.attribution.question import AttributionRequest
from tests.hf import tiny

MODELS = Path(__file__).resolve().parents[4] / "resources" / "models"
TEXT = "the chef cooked the [MASK] in the kitchen ."


def load(name: str, **options: Any) -> Any:
    return tiny.load(MODELS / name, **options)


@pytest.fixture(scope="module")
def exact() -> Any:
    return load("bert-miniature")


@pytest.fixture(scope="module", params=["8bit", "4bit"])
def rounded(request: pytest.FixtureRequest) -> Any:
    if not placement.can_quantise():
        pytest.skip("bitsandbytes is in the extra quantised")
    return load("bert-miniature", dtype=request.param)


def bits_of(model: Any) -> int:
    return 8 if model.stamp.dtype.startswith("int8") else 4


def test_the_layers_weights_are_what_the_stamp_says(exact: Any, rounded: Any) -> None:
    import bitsandbytes

    bits = bits_of(rounded)
    assert rounded.stamp.dtype == {8: "int8 + float32", 4: "nf4 + float32"}[bits]
    assert rounded.dtype == "float32"
    kind = bitsandbytes.nn.Linear8bitLt if bits == 8 else bitsandbytes.nn.Linear4bit
    layers = layers_of(rounded.module)
    inside = [part for one in layers.values() for part in one.modules() if isinstance(part, kind)]
    products = [
        part
        for one in layers_of(exact.module).values()
        for part in one.modules()
        if type(part).__name__ == "Linear"
    ]
    assert len(inside) == len(products) > 0
    # Nothing outside of the layers is rounded.
    assert sum(isinstance(part, kind) for part in rounded.module.modules()) == len(inside)


def test_the_estimate_is_what_it_takes(exact: Any, rounded: Any) -> None:
    files = inspect_folder(MODELS / "bert-miniature")
    expected = sizes_of(files.tensors, 4, bits_of(rounded)).whole
    found = weigh(rounded.module)
    assert found.in_memory == pytest.approx(expected, rel=0.05)
    assert found.parameters == weigh(exact.module).parameters


def test_answers_move_a_little(exact: Any, rounded: Any) -> None:
    """Rounding to 8 bit is off by 1/254 of a row's largest weight at most, to 4 bit by 1/14."""
    far = {8: 0.05, 4: 0.6}[bits_of(rounded)]
    states, rows = [], []
    for model in (exact, rounded):
        encoded = model.encode(TEXT)
        (one,) = model.port(HiddenStates).states([encoded], Context())
        states.append(one[-1].float())
        query = Query(encoded, encoded.mask_positions)
        rows += model.port(Predictor).log_probabilities([query], Context())
    off = float((states[0] - states[1]).norm() / states[0].norm())
    assert 1e-5 < off < far
    assert float((rows[0].exp() - rows[1].exp()).abs().sum() / 2) < far


def test_what_is_outside_of_the_layers_is_the_checkpoints_own(exact: Any, rounded: Any) -> None:
    import torch

    states = torch.randn(3, exact.config.hidden_size, generator=torch.Generator().manual_seed(1))
    found, expected = (m.port(LayerReadout).log_probabilities(states) for m in (rounded, exact))
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)


def test_attention_is_read_and_heads_are_silenced(exact: Any, rounded: Any) -> None:
    far = {8: 0.1, 4: 0.7}[bits_of(rounded)]
    encoded = exact.encode(TEXT)
    found, expected = (
        model.port(Attentions).capture(encoded, Context())["encoder"] for model in (rounded, exact)
    )
    np.testing.assert_allclose(np.stack(found.weights).sum(-1), 1, atol=1e-5)
    assert abs(np.stack(found.weights) - np.stack(expected.weights)).max() < far
    scores = tiny.ask(rounded, QueryKeyRequest(TEXT, layer=1, head=1))
    assert scores.head == 1
    effects = tiny.ask(rounded, HeadAblationRequest(TEXT, every=True)).effects
    assert np.isfinite(effects[0].values).all()
    assert effects[0].values.any()


def test_slopes_of_rounded_weights_are_refused(rounded: Any) -> None:
    with pytest.raises(UserMistake, match=r"rounded to (int8|nf4)"):
        tiny.ask(rounded, AttributionRequest(TEXT, method="integrated_gradients"))
    assert tiny.ask(rounded, AttributionRequest(TEXT, method="occlusion"))


@pytest.mark.parametrize("dtype", ["8bit", "4bit"])
def test_without_the_library_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, dtype: str
) -> None:
    monkeypatch.setattr(placement, "find_spec", lambda _name: None)
    with pytest.raises(UserMistake, match="need bitsandbytes") as refused:
        load("bert-miniature", dtype=dtype)
    assert "plm-explorer[quantised]" in refused.value.hint


def test_a_model_of_which_nothing_would_be_rounded_is_not_called_so() -> None:
    if not placement.can_quantise():
        pytest.skip("bitsandbytes is in the extra quantised")
    with pytest.raises(UserMistake, match="No layer of this model can be held in 4 bit"):
        load("mobilebert-miniature", dtype="4bit")


def test_rounded_weights_do_not_lie_on_the_disk() -> None:
    with pytest.raises(UserMistake, match="can't lie on the disk"):
        load("bert-miniature", device="offload", dtype="8bit")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"device": "offload"}, "Models of this family can't lie on the disk"),
        ({"dtype": "8bit"}, "Models of this family can't be held in 8 or 4 bit"),
    ],
)
def test_a_family_that_loads_its_models_itself_says_what_it_lacks(options: Any, told: str) -> None:
    with pytest.raises(UserMistake, match=told):
        load("kagnet-miniature", **options)
