"""Coarser numbers against transformers alone, over a text and over a file."""

import math
import statistics

import pytest

from explorer.api.question import REFERENCE, ROUNDED, Context, UserMistake
from explorer.numerics.evaluation.clustered_means import clustered_mean
from explorer.numerics.evaluation.student_t import mean_interval, t_quantile
from explorer.questions.distillation.numerical_precision import pooling
from explorer.questions.distillation.numerical_precision.compute import run
from explorer.questions.distillation.numerical_precision.question import (
    QUESTION,
    NumericalPrecisionRequest,
    casting,
    kept,
)
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TEXT = "The chef cooked the noodles for the guests."
LEAST = 1e-4


COARSE = torch.float8_e4m3fn
"""Weights are rounded to three bits, and computed with in float32: then every way of reading a text
comes to the same digits, which it does not in half precision."""


def coarsened(module):
    with torch.no_grad():
        for one in module.parameters():
            one.copy_(one.to(COARSE).float())
    return module


def asked(name, text=TEXT, other=None, dtype="bfloat16"):
    rounded = other or tiny.load(MODELS / name, dtype=dtype)
    reference = miniature(name)
    context = Context(models={REFERENCE: reference, ROUNDED: rounded})
    return run(reference, NumericalPrecisionRequest(text), context)


def logits(name, kind, *, coarse=False):
    """Of every token, without the program: each masked alone, or read from the left."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(MODELS / name)
    model = getattr(transformers, kind).from_pretrained(MODELS / name).eval()
    model = coarsened(model) if coarse else model
    if kind == "AutoModelForCausalLM":
        ids = tokenizer(tokenizer.bos_token + TEXT, return_tensors="pt").input_ids
        with torch.inference_mode():
            return ids[0, 1:], model(ids).logits[0, :-1]
    ids = tokenizer(TEXT, return_tensors="pt").input_ids
    found = []
    for at in range(1, ids.shape[1] - 1):
        masked = ids.clone()
        masked[0, at] = tokenizer.mask_token_id
        with torch.inference_mode():
            found.append(model(masked).logits[0, at])
    return ids[0, 1:-1], torch.stack(found)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bert-miniature", "AutoModelForMaskedLM"),
        ("roberta-miniature", "AutoModelForMaskedLM"),
        ("gpt2-miniature", "AutoModelForCausalLM"),
    ],
)
def test_each_token_is_what_transformers_alone_makes_of_it(name, kind):
    rounded = tiny.load(MODELS / name)
    coarsened(rounded.module)
    result = asked(name, other=rounded)
    ids, exact = logits(name, kind)
    _ids, coarse = logits(name, kind, coarse=True)
    p, q = (one.double().log_softmax(-1) for one in (exact, coarse))
    divergences = (p.exp() * (p - q)).sum(-1).tolist()
    close = {"rel": 1e-3, "abs": 1e-5}
    assert [one.divergence for one in result.places] == pytest.approx(divergences, **close)
    apart = (p - q).abs().max(-1).values.tolist()
    assert [one.difference for one in result.places] == pytest.approx(apart, **close)
    flips = (exact.argmax(-1) != coarse.argmax(-1)).tolist()
    assert [one.is_flipped for one in result.places] == flips
    own, other = (one.gather(1, ids[:, None])[:, 0].tolist() for one in (p, q))
    assert [one.log_probability for one in result.places] == pytest.approx(own, **close)
    assert [one.rounded_log_probability for one in result.places] == pytest.approx(other, **close)
    assert result.pooled.divergence.mean == pytest.approx(statistics.fmean(divergences), **close)
    assert result.pooled.flips == sum(flips)
    assert max(divergences) > LEAST, "else these numbers would say nothing"


def test_a_checkpoint_in_half_precision_is_near_the_same_in_float32():
    result = asked("bert-miniature")
    assert (result.model.dtype, result.other.dtype) == ("float32", "bfloat16")
    assert result.model.fingerprint == result.other.fingerprint
    assert 1e-6 < result.pooled.divergence.mean < 0.01


def test_the_same_numbers_differ_nowhere():
    result = asked("bert-miniature", other=miniature("bert-miniature"))
    assert {one.divergence for one in result.places} == {0.0}
    assert {one.difference for one in result.places} == {0.0}
    assert result.pooled.flips == 0
    assert not QUESTION.headline_of(result).sentence


def test_a_model_that_cuts_otherwise_is_refused():
    with pytest.raises(UserMistake, match="different pieces"):
        asked("bert-miniature", other=miniature("roberta-miniature"))


def test_the_wider_numbers_are_the_reference():
    class Card:
        def __init__(self, dtype):
            self.stamp = type("Stamp", (), {"dtype": dtype})

    def cast(a, b):
        return casting({"A": Card(a), "B": Card(b)}, "A", None)

    assert cast("float32", "bfloat16") == {REFERENCE: "A", ROUNDED: "B"}
    assert cast("int8 + float32", "float32") == {REFERENCE: "B", ROUNDED: "A"}
    assert cast("nf4 + float32", "int8 + float32") == {REFERENCE: "B", ROUNDED: "A"}
    assert cast("float32", "float32") == {REFERENCE: "A", ROUNDED: "B"}
    assert casting({"A": Card("float32")}, "A", None) == {REFERENCE: "A", ROUNDED: "B"}


def test_a_file_pools_tokens_and_its_intervals_go_by_sentences():
    rounded = tiny.load(MODELS / "bert-miniature", dtype="bfloat16")
    texts = (TEXT, "I used a trowel to dig the ground.", "She read the book.")
    results = [asked("bert-miniature", text, other=rounded) for text in texts]
    pooled = pooling.gather([tuple(kept(one).values()) for one in results])
    every = [[place.divergence for place in one.places] for one in results]
    flat = [value for one in every for value in one]
    assert pooled.tokens == len(flat)
    assert pooled.divergence.mean == pytest.approx(statistics.fmean(flat), rel=1e-5)
    assert pooled.difference == pytest.approx(
        max(place.difference for one in results for place in one.places), rel=1e-5
    )
    assert pooled.flips == sum(place.is_flipped for one in results for place in one.places)
    told = pooling.told(pooled)
    assert told["divergence_low"] < told["divergence"] < told["divergence_high"]
    assert told["flip_rate_low"] <= told["flip_rate"] <= told["flip_rate_high"]


def test_a_clustered_mean_is_the_ratio_of_sums_with_its_variance():
    clusters = [[1.0, 2.0, 3.0], [4.0], [2.0, 2.0]]
    found = clustered_mean(clusters)
    mean = 14 / 6
    residuals = [6 - 3 * mean, 4 - mean, 4 - 2 * mean]
    error = math.sqrt(3 / 2 * sum(one**2 for one in residuals)) / 6
    reach = t_quantile(0.975, 2) * error
    assert (found.mean, found.count) == (pytest.approx(mean), 6)
    assert (found.low, found.high) == (pytest.approx(mean - reach), pytest.approx(mean + reach))
    # Of clusters of one each it is Student's interval.
    alone, plain = clustered_mean([[one] for one in (1.0, 4.0, 2.5)]), mean_interval((1, 4, 2.5))
    assert (alone.low, alone.high) == (pytest.approx(plain.low), pytest.approx(plain.high))
    assert clustered_mean([(1.0, 4.0, 2.5), ()]) == plain
