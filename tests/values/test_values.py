"""The numbers inside models: those of transformers, as arrays and as files."""

import json

import numpy as np
import pytest

from explorer.api.question import Unavailable, UserMistake
from explorer.paths import own_resources
from explorer.values import written
from explorer.values.taken import take_values
from explorer.values.written import MOST_AT_ONCE, save_values, values_file
from tests.hf.kept import miniature as kept

TEXT = "the chef cooked the meal ."
FOLDER = own_resources() / "models"


@pytest.fixture(scope="module")
def bert():
    return kept("bert-miniature")


@pytest.fixture(scope="module")
def values(bert):
    return take_values(bert, TEXT)


def test_they_are_those_of_transformers(values):
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer

    folder = FOLDER / "bert-miniature"
    model = AutoModelForMaskedLM.from_pretrained(folder, attn_implementation="eager").eval()
    inputs = AutoTokenizer.from_pretrained(folder)(TEXT, return_tensors="pt")
    with torch.no_grad():
        out = model(**inputs, output_hidden_states=True, output_attentions=True)
    assert [one.id for one in values.tokens] == inputs["input_ids"][0].tolist()
    arrays = {name: one.values for name, one in values.arrays.items()}
    assert all(one.dtype == np.float32 for one in arrays.values())
    states = np.stack([one[0].numpy() for one in out.hidden_states])
    np.testing.assert_allclose(arrays["states"], states, atol=1e-5)
    attention = np.stack([one[0].numpy() for one in out.attentions])
    np.testing.assert_allclose(arrays["attention.encoder"], attention, atol=1e-5)
    logits = torch.log_softmax(out.logits[0], -1).numpy()
    np.testing.assert_allclose(arrays["log_probabilities"], logits, atol=1e-4)
    # The weights of attention are the softmax of what queries and keys come to.
    queries, keys = arrays["queries.encoder"], arrays["keys.encoder"]
    scores = np.einsum("lhqw,lhkw->lhqk", queries, keys) / np.sqrt(queries.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    np.testing.assert_allclose(weights, attention, atol=1e-4)


def test_each_head_gives_what_it_has():
    def names(model, text=TEXT, pair=None):
        return {*take_values(kept(model), text, pair, kinds=("logits",)).arrays}

    assert names("electra-miniature-discriminator") == {"logits.replaced"}
    assert names("bert-labels-miniature") == {"logits.labels"}
    assert names("bert-answers-miniature", TEXT, "Who cooked ?") == {"logits.start", "logits.end"}
    assert names("bert-miniature", TEXT, "he ate it .") == {"log_probabilities", "logits.classes"}
    gpt = take_values(kept("gpt2-miniature"), TEXT, kinds=("logits",)).arrays["log_probabilities"]
    assert gpt.places == tuple(range(1, len(gpt.values) + 1))


def test_a_decoder_has_its_own_pieces():
    found = take_values(kept("t5-miniature"), "the chef cooked the [MASK] .")
    cross = found.arrays["attention.cross"]
    assert cross.values.shape[-1] == len(found.tokens)
    assert cross.keys == ()
    assert len(cross.tokens) == cross.values.shape[-2]
    assert found.arrays["log_probabilities"].places == (4,)


def test_what_a_model_has_not_is_told(values):
    assert values.missing == {}
    unmasked = take_values(kept("t5-miniature"), TEXT, kinds=("states", "logits"))
    assert set(unmasked.arrays) == {"states"}
    assert "without a mask" in unmasked.missing["logits"]
    with pytest.raises(Unavailable, match="without a mask"):
        take_values(kept("t5-miniature"), TEXT, kinds=("logits",))
    with pytest.raises(Unavailable, match="KagNet reads no text itself"):
        take_values(kept("kagnet-miniature"), TEXT)
    some = take_values(kept("bert-miniature"), TEXT, kinds=("states",))
    assert {*some.arrays} == {"states"}


def test_npz(values, tmp_path):
    save_values(tmp_path / "v.npz", values)
    with np.load(tmp_path / "v.npz", allow_pickle=False) as found:
        assert {*found.files} == {*values.arrays, "tokens", "token_ids", "about"}
        for name, one in values.arrays.items():
            np.testing.assert_array_equal(found[name], one.values)
        assert [*found["tokens"]] == [one.text for one in values.tokens]
        told = json.loads(str(found["about"]))
    assert told["model"]["fingerprint"] == values.model.fingerprint
    assert told["axes"]["states"] == ["layer", "token", "width"]
    assert told["rounded_to_float16"] == []


def test_safetensors(values, tmp_path):
    from safetensors import safe_open

    save_values(tmp_path / "v.safetensors", values)
    with safe_open(tmp_path / "v.safetensors", "numpy") as found:
        assert {*found.keys()} == {*values.arrays}
        np.testing.assert_array_equal(found.get_tensor("states"), values.arrays["states"].values)
        assert json.loads(found.metadata()["about"])["text"] == TEXT


def test_parquet_has_a_row_for_each_vector(values, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    with values_file(tmp_path / "v.parquet") as file:
        file.add(values, "line_2")
    table = parquet.read_table(tmp_path / "v.parquet")
    rows = [row for row in table.to_pylist() if row["array"] == "attention.encoder"]
    array = values.arrays["attention.encoder"].values
    assert len(rows) == array[..., 0].size
    row = next(r for r in rows if (r["layer"], r["head"], r["token"]) == (2, 1, 3))
    assert row["of"] == "line_2"
    assert row["piece"] == values.tokens[3].text
    np.testing.assert_array_equal(np.float32(row["values"]), array[2, 1, 3])
    states = [row for row in table.to_pylist() if row["array"] == "states"]
    assert {row["head"] for row in states} == {None}
    told = parquet.read_metadata(tmp_path / "v.parquet").metadata[b"about"]
    assert json.loads(told)["line_2"]["pair"] is None


def test_what_was_rounded_is_told(values, tmp_path):
    from dataclasses import replace

    told = written.about(replace(values, rounded=("attention.encoder",)))
    assert told["rounded_to_float16"] == ("attention.encoder",)


def test_a_model_that_keeps_float16_is_told_of(bert, monkeypatch):
    from explorer.hf.attention import weights

    monkeypatch.setattr(weights, "FULL_PRECISION", 0)
    found = take_values(bert, "a text of which nothing was kept .", kinds=("attention",))
    assert found.rounded == ("attention.encoder",)
    assert found.arrays["attention.encoder"].values.dtype == np.float32


def test_names_and_sizes_that_cannot_be(values, tmp_path, monkeypatch):
    with pytest.raises(UserMistake, match=r"can't be written as v\.csv"):
        save_values(tmp_path / "v.csv", values)
    assert MOST_AT_ONCE > 1_000_000_000
    monkeypatch.setattr(written, "MOST_AT_ONCE", 1000)
    with pytest.raises(UserMistake, match=r"\.safetensors holds at once"):
        save_values(tmp_path / "v.safetensors", values)
    assert [*tmp_path.iterdir()] == []
