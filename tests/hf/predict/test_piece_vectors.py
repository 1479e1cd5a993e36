"""Tables of vectors: what is read, what is scored against, and only what the checkpoint has."""

import numpy as np
import pytest

from explorer.api.family import EmbeddingMatrices
from tests.hf import tiny
from tests.hf.kept import bundled, miniature


@pytest.mark.parametrize("name", bundled(EmbeddingMatrices))
def test_rows_are_those_of_transformers_own_table(name):
    model = miniature(name)
    port = model.port(EmbeddingMatrices)
    table = model.module.get_input_embeddings().weight.detach().numpy()
    assert port.shape("input") == table.shape
    rows = port.rows("input", 3, 9)
    assert np.array_equal(rows, table[3:9])
    assert not np.shares_memory(rows, table)
    assert port.sides == ("input",)


def test_every_kind_of_bundled_model_has_them():
    families = ("albert", "bert", "deberta-v3", "distilbert", "gpt1", "gpt2", "t5", "xlm")
    assert {f"{name}-miniature" for name in families} <= {*bundled(EmbeddingMatrices)}


def test_a_head_of_its_own_has_a_table_of_its_own(tmp_path):
    folder = tiny.save_bert(tmp_path / "untied", "BertForMaskedLM", tie_word_embeddings=False)
    port = tiny.load(folder).port(EmbeddingMatrices)
    assert port.sides == ("input", "output")
    assert not np.array_equal(port.rows("input", 0, 4), port.rows("output", 0, 4))


def test_a_head_that_did_not_come_with_the_checkpoint_has_none(tmp_path):
    module = tiny.bert_module("BertForMaskedLM", tie_word_embeddings=False)
    weights = {
        name: one for name, one in tiny.weights_of(module).items() if "decoder.weight" not in name
    }
    folder = tiny.write(tmp_path / "bare", module.config, weights)
    assert tiny.load(folder).port(EmbeddingMatrices).sides == ("input",)
