import math

import numpy as np
import pytest

from explorer.api.question import Context, MachineFault, Predictor, Unavailable
from explorer.document import Mask
from explorer.hf.predict import masked_text, rows
from explorer.hf.predict.masked_text import predict_masks
from tests.hf import tiny
from tests.ranks import is_rank


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.save_bert(tmp_path_factory.mktemp("models") / "bert")


@pytest.fixture(scope="module")
def model(folder):
    return tiny.load(folder)


@pytest.fixture(scope="module")
def pipeline(folder):
    """transformers' own fill-mask pipeline over the same files."""
    from transformers import AutoModelForMaskedLM, AutoTokenizer, FillMaskPipeline

    return FillMaskPipeline(
        model=AutoModelForMaskedLM.from_pretrained(folder).eval(),
        tokenizer=AutoTokenizer.from_pretrained(folder),
        device=-1,
    )


@pytest.mark.parametrize(
    "text",
    [
        "the movie was [MASK]!",
        "[MASK] cat sat on the [MASK], it was [MASK].",
        "[MASK][MASK]",
        "i liked the movie 😀, it [MASK] great",
    ],
)
@pytest.mark.parametrize("top_k", [1, 7, 500])
def test_equals_the_fill_mask_pipeline(model, pipeline, text, top_k):
    answers = predict_masks(model, model.encode(text), top_k, Context())
    expected = pipeline(text, top_k=min(top_k, len(tiny.VOCABULARY)))
    if text.count("[MASK]") == 1:
        expected = [expected]
    assert len(answers) == len(expected) == text.count("[MASK]")
    for answer, reference in zip(answers, expected, strict=True):
        assert [p.id for p in answer.predictions] == [one["token"] for one in reference]
        np.testing.assert_allclose(
            [p.probability for p in answer.predictions],
            [one["score"] for one in reference],
            atol=1e-5,
            rtol=0,
        )
        assert [p.rank for p in answer.predictions] == list(range(1, len(reference) + 1))


def softmax_by_hand(model, encoded):
    """numpy's float64 softmax of the whole model's logits."""
    import torch

    with torch.no_grad():
        logits = model.module(**encoded.inputs).prediction_logits[0].double().numpy()
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def test_entropy_original_and_rank(model):
    encoded = model.encode("the cat sat on the mat", "a dog", (Mask(4, 7), Mask(2, 5, 1)))
    answers = predict_masks(model, encoded, 3, Context())
    probabilities = softmax_by_hand(model, encoded)
    assert [a.position for a in answers] == [2, 9]
    for answer in answers:
        row = probabilities[answer.position]
        assert answer.entropy == pytest.approx(-(row * np.log(row)).sum(), abs=1e-5)
        original = answer.original
        assert original.id == encoded.tokens[answer.position].original
        assert original.probability == pytest.approx(row[original.id], abs=1e-6)
        assert is_rank(original.rank, np.log(row), np.log(row[original.id]))


def test_every_word_is_written_for_people(model):
    answer = predict_masks(model, model.encode("the [MASK]"), 500, Context())[0]
    assert len(answer.predictions) == len(tiny.VOCABULARY)
    assert sum(p.probability for p in answer.predictions) == pytest.approx(1, abs=1e-5)
    words = {p.token: p.word for p in answer.predictions}
    assert words["##ing"] == "ing"
    assert words["[SEP]"] == "[SEP]"
    assert answer.original is None


def test_blocks_change_nothing(model, monkeypatch):
    encoded = model.encode("[MASK] " * 10)
    whole = predict_masks(model, encoded, 4, Context())
    monkeypatch.setattr(rows, "BLOCK", 3 * len(tiny.VOCABULARY))
    parts = predict_masks(model, encoded, 4, Context())
    assert [[p.id for p in a.predictions] for a in parts] == [
        [p.id for p in a.predictions] for a in whole
    ]
    np.testing.assert_allclose([a.entropy for a in parts], [a.entropy for a in whole], atol=1e-6)


def test_the_head_runs_at_the_masks_only(model, monkeypatch):
    seen = []
    predictor = model.port(Predictor)
    head = predictor.head

    def watched(hidden):
        seen.append(tuple(hidden.shape))
        return head(hidden)

    monkeypatch.setattr(predictor, "head", watched)
    predict_masks(model, model.encode("the [MASK] sat on the [MASK]"), 1, Context())
    assert seen == [(2, 32)]


def test_nothing_masked_gives_nothing(model):
    assert predict_masks(model, model.encode("the cat"), 5, Context()) == ()


def test_half_precision_gives_probabilities_in_full(folder, model):
    half = tiny.load(folder, dtype="bfloat16")
    assert half.stamp.dtype == "bfloat16"
    answer = predict_masks(half, half.encode("the [MASK]"), 500, Context())[0]
    assert sum(p.probability for p in answer.predictions) == pytest.approx(1, abs=1e-5)
    assert math.isfinite(answer.entropy)


def test_no_head_no_answer(model, monkeypatch):
    encoded = model.encode("the [MASK]")
    monkeypatch.setattr(model, "ports", {})
    with pytest.raises(Unavailable):
        predict_masks(model, encoded, 5, Context())


def test_logits_that_are_no_numbers_are_told(model, monkeypatch):
    import torch

    monkeypatch.setattr(
        model.port(Predictor), "head", lambda hidden: torch.full((len(hidden), 9), float("nan"))
    )
    with pytest.raises(MachineFault, match="overflow"):
        predict_masks(model, model.encode("the [MASK]"), 5, Context())


def test_the_whole_distribution_is_kept_for_comparing(model, monkeypatch):
    import torch

    encoded = model.encode("the [MASK] sat on the [MASK]")
    answers = predict_masks(model, encoded, 3, Context())
    with torch.no_grad():
        logits = model.module(encoded.input_ids).prediction_logits[0]
    for answer in answers:
        expected = logits[answer.position].double().log_softmax(-1).numpy()
        assert abs(answer.distribution.values - expected).max() < 1e-5
        assert not answer.distribution.values.flags.writeable
        assert answer.distribution.values.base is None
    monkeypatch.setattr(masked_text, "KEPT", model.config.vocab_size)
    assert [one.distribution for one in predict_masks(model, encoded, 3, Context())] == [None, None]
