"""Types of models that are made small from transformers' own classes, opened and asked."""

import pytest
import torch
import transformers

from explorer.api.family import (
    Attentions,
    Context,
    HiddenStates,
    LogitParts,
    Neurons,
    Predictor,
    Query,
    Weights,
)
from tests.hf import tiny
from tests.plugins.model_types.listing import (
    LIST,
    MADE_WITH,
    changes,
    every_type,
    read_rows,
    row_of,
    written,
)
from tests.plugins.model_types.making import save_small
from tests.plugins.model_types.trying import try_type

TRIED = {
    "qwen3": "",
    "blenderbot": "",
    "jamba": "1 attention arrays for the 2 layers",
    "blt": "states can't be put back",
}
"""By type what is said of a port that it lacks: one that reads from the left, one with two stacks,
one of whose layers not all attend, one with several stacks beside each other."""

HAS = {
    "bailing_hybrid": LogitParts,  # a norm of its is given a gate
    "ctrl": Weights,  # its table of pieces is called w
    "cohere2_moe": Weights,  # the last matrix of its experts is no module, and their router's is
    "llama4_text": HiddenStates,  # its class names its base model otherwise than it is called
    "mt5": Neurons,
    "olmo2": LogitParts,  # a norm stands between each part and the stream
    "minicpm3": LogitParts,  # each part is added times a factor
    "roberta-prelayernorm": Predictor,
    "xlm": Predictor,  # its config names no languages
}
LACKS = {
    "deepseek_v4": (HiddenStates, "one state of the same size for each token"),
    "hy_v4": (LogitParts, "is not one state per token"),
    "mamba": (Attentions, "no attention of this model's layers"),
    "perceiver": (Predictor, "other inputs than the tokens of a text"),
    "pegasus_x": (Attentions, "no attention of this model's layers"),
}


def opened(kind, folder):
    """The module that was saved, and the model as it is opened."""
    return save_small(folder / kind, kind), tiny.load(folder / kind)


@pytest.mark.parametrize("kind", TRIED)
def test_a_type_answers_as_the_list_says(kind, tmp_path):
    found = try_type(kind, tmp_path)
    assert found.faults == ()
    assert found.problem == ""
    assert found.answered > 8
    assert found.off < 1e-4
    assert TRIED[kind] in " ".join(found.refused.values())
    assert row_of(found) == read_rows()[kind]


@pytest.mark.parametrize("kind", HAS)
def test_what_a_type_has_in_a_way_of_its_own_is_found(kind, tmp_path):
    model = opened(kind, tmp_path)[1]
    assert HAS[kind] in model.ports, model.refused


@pytest.mark.parametrize("kind", LACKS)
def test_what_a_type_lacks_is_refused_in_words(kind, tmp_path):
    model = opened(kind, tmp_path)[1]
    port, why = LACKS[kind]
    assert port not in model.ports
    assert why in model.refused[port]


@pytest.mark.parametrize("kind", ["luke", "xmod"])
def test_layers_that_go_on_otherwise_than_berts_run_in_full(kind, tmp_path):
    """Many tokens are asked at once: BERT's last layer runs at these alone, and theirs can't."""
    module, model = opened(kind, tmp_path)
    encoded = model.encode("the cat sat on the mat")
    count = 2 * len(encoded.tokens)
    found = model.ports[Predictor].log_probabilities([Query(encoded, (1,))] * count, Context())
    with torch.inference_mode():
        own = module(input_ids=encoded.input_ids).logits[0, 1].log_softmax(-1)
    assert len(found) == count
    for rows in found:
        torch.testing.assert_close(rows[0], own, atol=1e-4, rtol=0)


def test_a_text_longer_than_an_mpt_reads_is_cut(tmp_path):
    module, model = opened("mpt", tmp_path)
    assert model.max_length == module.config.max_seq_len


def test_what_describes_several_models_is_refused_in_words(tmp_path):
    found = try_type("gemma3", tmp_path)
    assert "several models (text_config, vision_config)" in found.problem
    assert row_of(found) == read_rows()["gemma3"]


def test_the_list_is_of_the_installed_transformers():
    """A new release is tried before the pin is moved: `python -m tests.plugins.model_types`."""
    assert set(read_rows()) == set(every_type())
    assert f"{MADE_WITH}{transformers.__version__}:" in LIST.read_text("utf-8")
    assert LIST.read_text("utf-8") == written(read_rows())


def test_no_type_of_the_list_ended_otherwise_than_in_words():
    cells = {kind: row.split(" | ") for kind, row in read_rows().items()}
    assert sum(bool(one[5]) for one in cells.values()) >= 150
    for kind, one in cells.items():
        assert one[4] or one[6], f"{kind} is not opened and does not say why"
        assert "it raised" not in one[6]


def test_types_that_are_new_or_gone_are_told():
    assert list(changes({"bert", "old"}, ["bert", "new"])) == ["new: new", "gone: old"]
