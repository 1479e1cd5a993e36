"""`disentangled_attention`, as a person or a script uses it."""

import csv
import json
from functools import partial

import numpy as np
import pytest

TEXT = "The student likes deep learning. It needs [MASK] and a computer."
FAR = "The sea is deep. The child is learning to swim."
PLACE = ("--layer", "1", "--head", "1")


@pytest.fixture
def disentangle(run):
    return partial(run, "disentangled-attention")


def test_json_has_what_was_promised(disentangle):
    status, out, _ = disentangle(TEXT, *PLACE, "--off", "c2p:1:1", "--json", "--no-log")
    assert status == 0
    found = json.loads(out)
    assert found["model"]["id"] == "deberta-v1-miniature"
    assert (found["layer"], found["head"]) == (1, 1)
    count = len(found["tokens"])
    parts = {one["name"]: np.array(one["scores"]) for one in found["parts"]}
    assert list(parts) == ["c2c", "c2p", "p2c"]
    assert all(rows.shape == (count, count) for rows in parts.values())
    scores = np.array(found["scores"])
    np.testing.assert_allclose(sum(parts.values()), scores, atol=1e-4)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    np.testing.assert_allclose(
        powers / powers.sum(axis=1, keepdims=True), found["attention"], atol=1e-5
    )
    assert found["sum_error"] < 1e-4
    assert found["off"] == [{"part": "c2p", "layer": 1, "head": 1}]
    off = np.array(found["attention_after"])
    np.testing.assert_allclose(off.sum(axis=1), 1, atol=1e-5)
    assert abs(off - np.array(found["attention"])).max() > 0.1
    (mask,) = found["changes"]["masks"]
    assert mask["words"][0]["word"] == "data"


def test_two_words_near_and_far(disentangle):
    """The same two words: positions make this head look from one to the other when they touch."""
    weights = []
    for text in (TEXT, FAR):
        _, out, _ = disentangle(text, *PLACE, "--json", "--no-log")
        found = json.loads(out)
        tokens = [token["text"] for token in found["tokens"]]
        at = [tokens.index(word) for word in ("deep", "learning")]
        weights.append(found["attention"][at[0]][at[1]])
        parts = {one["name"]: one["scores"][at[0]][at[1]] for one in found["parts"]}
        positions = parts["c2p"] + parts["p2c"]
        assert (positions > 5) == (text is TEXT)
        assert abs(parts["c2c"]) < 1
    assert weights[0] > 0.8
    assert weights[1] < 0.05


def test_a_table_and_words_for_people(disentangle, tmp_path):
    target = tmp_path / "pairs.csv"
    status, out, _ = disentangle(TEXT, *PLACE, "--csv", str(target), "--off", "absolute")
    assert status == 0
    assert all(f"\n{name}\n" in out for name in ("c2c", "c2p", "p2c"))
    assert "Predictions before and after" in out
    with target.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len({row["query"] for row in rows}) ** 2
    for row in rows[::17]:
        total = sum(float(row[name]) for name in ("c2c", "c2p", "p2c"))
        assert total == pytest.approx(float(row["score"]), abs=1e-4)


def test_a_step_of_the_decoder_and_a_discriminator(disentangle):
    _, out, _ = disentangle(TEXT, "--step", "2", "--head", "3", "--json", "--no-log")
    found = json.loads(out)
    assert (found["step"], found["layer"]) == (2, 3)
    _, out, _ = disentangle(
        FAR, "--model", "deberta-v3-miniature", "--off", "p2c", "--json", "--no-log"
    )
    found = json.loads(out)
    changes = found["changes"]
    assert len(changes["replaced_before"]) == len(found["tokens"])
    assert changes["replaced_before"] != changes["replaced_after"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--off", "p2p"), "p2p is no part"),
        (("--off", "c2p:1:2:3"), "no part"),
        (("--layer", "9"), "There is no head 0 in layer 9"),
        (("--step", "3"), "'3' is none of 0, 1, 2"),
        (("--model", "bert-miniature"), "Only DeBERTa's attention"),
    ],
)
def test_the_users_mistakes(disentangle, arguments, said):
    status, out, complaint = disentangle(TEXT, *arguments, "--no-log")
    assert status == 2
    assert out == ""
    assert said in complaint
