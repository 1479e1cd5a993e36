"""Reliability and the expected calibration error against plain loops and transformers alone."""

import numpy as np
import pytest

from explorer.api.question import Token
from explorer.numerics.evaluation.calibration import error_interval
from explorer.questions.masking.calibration import pooling
from explorer.questions.masking.calibration.question import CalibrationRequest, kept
from explorer.questions.masking.calibration.word_classes import (
    CONTENT,
    FUNCTION,
    MARK,
    NUMBER,
    PIECE,
    classes_of,
)
from tests.hf import tiny
from tests.hf.kept import MODELS, miniature

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TEXTS = (
    "The chef cooked the noodles for the guests.",
    "I used a trowel to dig the ground.",
    "She read the book at home.",
)


def judged_alone(name, kind, text):
    """Confidence in the first piece of every token, and whether it is right, by transformers."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(MODELS / name)
    model = getattr(transformers, kind).from_pretrained(MODELS / name).eval()
    found = []
    with torch.inference_mode():
        if kind == "AutoModelForCausalLM":
            ids = tokenizer(tokenizer.bos_token + text, return_tensors="pt").input_ids[0]
            rows = model(ids[None]).logits[0].softmax(-1)[:-1]
            pairs = zip(rows, ids[1:], strict=True)
        else:
            ids = tokenizer(text, return_tensors="pt").input_ids[0]
            pairs = []
            for at in range(1, len(ids) - 1):
                masked = ids.clone()
                masked[at] = tokenizer.mask_token_id
                pairs.append((model(masked[None]).logits[0, at].softmax(-1), ids[at]))
        for row, own in pairs:
            found.append((float(row.max()), int(row.argmax()) == int(own)))
    return found


def error_of(judged, bins=15):
    """ECE as Guo et al. 2017 write it, in a loop."""
    total = 0.0
    for n in range(bins):
        low, high = n / bins, (n + 1) / bins
        held = [one for one in judged if (low < one[0] <= high) or (n == 0 and one[0] == 0)]
        if held:
            confidence = sum(one[0] for one in held) / len(held)
            accuracy = sum(one[1] for one in held) / len(held)
            total += len(held) / len(judged) * abs(accuracy - confidence)
    return total


@pytest.mark.parametrize(
    ("name", "kind"),
    [("bert-miniature", "AutoModelForMaskedLM"), ("gpt2-miniature", "AutoModelForCausalLM")],
)
def test_a_file_has_the_error_that_transformers_and_a_loop_come_to(name, kind):
    results = [tiny.ask(miniature(name), CalibrationRequest(text)) for text in TEXTS]
    expected = [one for text in TEXTS for one in judged_alone(name, kind, text)]
    found = [(one.confidence, one.is_right) for result in results for one in result.places]
    assert [one for _confidence, one in found] == [one for _confidence, one in expected]
    assert [one for one, _right in found] == pytest.approx(
        [one for one, _right in expected], abs=1e-4
    )
    pooled = pooling.gather([tuple(kept(one).values()) for one in results])
    assert pooled.whole.found.error == pytest.approx(error_of(expected), abs=1e-3)
    assert pooled.whole.found.count == len(expected)
    told = pooling.told(pooled)
    assert told["calibration_error_low"] <= told["calibration_error_high"]
    # Classes part the tokens, and each has its own error.
    assert sum(one.found.count for one in pooled.by_class.values()) == len(expected)
    kinds = [one.word_class for result in results for one in result.places]
    for kind, judged in pooled.by_class.items():
        own = [one for one, of in zip(expected, kinds, strict=True) if of == kind]
        assert judged.found.error == pytest.approx(error_of(own), abs=1e-3)


def test_the_interval_holds_the_error_of_a_model_that_is_too_sure():
    """Of files drawn from a world where the accuracy is always 0.2 below the confidence."""
    held = 0
    for seed in range(40):
        random = np.random.default_rng(seed)
        confidence = random.uniform(0.4, 1.0, 800)
        outcome = (random.uniform(size=800) < confidence - 0.2).astype(float)
        low, high = error_interval(confidence, outcome, np.repeat(np.arange(80), 10))
        held += low <= 0.2 <= high
    assert 32 <= held <= 40


def test_one_text_has_no_interval():
    ones = np.ones(5)
    assert error_interval(ones, ones, np.zeros(5, dtype=np.int64)) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The chef", [FUNCTION, CONTENT]),
        ("2026 , dogs", [NUMBER, MARK, CONTENT]),
        ("요리사 는", [CONTENT, CONTENT]),
    ],
)
def test_words_have_classes_by_their_letters(text, expected):
    tokens, start = [], 0
    for word in text.split():
        start = text.index(word, start)
        tokens.append(Token(word, 5, start, start + len(word), special=False))
        start += len(word)
    assert list(classes_of(tokens, text, None)) == expected


def test_a_further_piece_of_a_word_is_one():
    result = tiny.ask(miniature("bert-miniature"), CalibrationRequest("The noodles ."))
    classes = [one.word_class for one in result.places]
    assert classes[0] == FUNCTION
    assert set(classes[2:-1]) == {PIECE}
    assert classes[-1] == MARK
