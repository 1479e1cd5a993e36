import json
import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from explorer.pretraining.measures import comparison

RNG = np.random.default_rng(6)
TEACHER, MODEL = RNG.normal(0, 2, (4, 6)), RNG.normal(0, 2, (4, 6))


def softened(row, temperature):
    powers = [math.exp(z / temperature) for z in row]
    return [power / math.fsum(powers) for power in powers]


@pytest.mark.parametrize("temperature", [1.0, 2.0])
def test_divergence_equals_a_plain_computation(temperature):
    expected = 0.0
    for taught, learnt in zip(TEACHER, MODEL, strict=True):
        p, q = softened(taught, temperature), softened(learnt, temperature)
        expected += math.fsum(a * math.log(a / b) for a, b in zip(p, q, strict=True)) / 4
    assert comparison.divergence(TEACHER, MODEL, temperature) == pytest.approx(expected)
    assert comparison.divergence(TEACHER, TEACHER + 2.0, temperature) == pytest.approx(0.0)


def test_agreement_counts_equal_first_answers():
    other = TEACHER.copy()
    other[0, TEACHER[0].argmin()] = 50.0
    assert comparison.agreement(TEACHER, other) == 0.75


def figures(kl, agreement):
    row = {"loss": 0.5, "floor": 0.3, "accuracy": 0.8, "kl_t1": kl, "kl_t2": kl}
    return {"one piece": row | {"agreement": agreement}}


@pytest.mark.parametrize(
    ("student", "expected"),
    [
        (figures(0.1, 0.9), "throughout"),
        (figures(0.3, 0.6), "not nearer"),
        (figures(0.3, 0.9), "in 1 of 3 figures"),
    ],
)
def test_the_verdict_follows_the_figures(student, expected):
    assert expected in comparison.verdict({"student": student, "alone": figures(0.2, 0.7)})
    assert "not been measured" in comparison.verdict({"student": student})


CARD = "# tried\n\nIntro.\n\n## What it says\n\n- x\n\n## How to rebuild\n\nrun\n"


def test_the_section_stands_before_the_last_one_and_is_replaced():
    once = comparison.with_section(CARD, f"{comparison.HEADING}\n\nfirst\n")
    twice = comparison.with_section(once, f"{comparison.HEADING}\n\nsecond\n")
    assert "first" in once
    assert "first" not in twice
    parts = [line for line in twice.splitlines() if line.startswith("## ")]
    assert parts == ["## What it says", comparison.HEADING, "## How to rebuild"]
    assert twice.replace(f"{comparison.HEADING}\n\nsecond\n\n", "") == CARD


def test_figures_are_kept_and_shown(tokenizer, tmp_path, monkeypatch):
    monkeypatch.setattr(comparison, "UNSEEN", 4)
    scores = torch.randn(len(tokenizer), generator=torch.Generator().manual_seed(1))

    def model(weight):
        return lambda input_ids: SimpleNamespace(
            logits=weight * scores.expand(1, input_ids.shape[1], -1)
        )

    (tmp_path / "README.md").write_text(CARD, "utf-8")
    (tmp_path / "model.safetensors").write_bytes(b"abc")
    comparison.note(tmp_path, "student", model(1.0), model(1.0), tokenizer, tmp_path)
    comparison.note(tmp_path, "alone", model(0.0), model(1.0), tokenizer)
    kept = json.loads((tmp_path / comparison.FILE).read_text("utf-8"))
    # The start of the SHA-256 of "abc" (FIPS 180-2, appendix B.1).
    assert kept["weights"] == {"student": "ba7816bf8f01cfea"}
    found = kept["models"]
    for masked in comparison.MASKED:
        student, alone = found["student"][masked], found["alone"][masked]
        assert student["kl_t1"] == 0.0
        assert student["agreement"] == 1.0
        # Against a uniform model: log of the vocabulary less the teacher's entropy.
        p = torch.softmax(scores.double(), dim=0)
        entropy = -(p * p.log()).sum().item()
        assert alone["kl_t1"] == pytest.approx(math.log(len(tokenizer)) - entropy, abs=1e-4)
        assert alone["loss"] == pytest.approx(math.log(len(tokenizer)), abs=1e-4)
    card = (tmp_path / "README.md").read_text("utf-8")
    assert card.count(comparison.HEADING) == 1
    assert "| alone | 15 % |" in card
    assert "throughout" in card
