"""ERNIE (Tsinghua): equal to its authors' own numbers, with entities and without."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open

from explorer.api.family import (
    ActivationPatching,
    AttentionModules,
    Attentions,
    BidirectionalPredictor,
    Cancelled,
    Context,
    HiddenStates,
    InputEmbeddings,
    Knowledge,
    LayerReadout,
    LoadOptions,
    Mention,
    PairClassifier,
    Predictor,
    Query,
    Unavailable,
    UserMistake,
)
from explorer.questions import all_questions
from tests.hf.kept import miniature
from tests.plugins import encoder_checkpoints as made
from tests.plugins import ernie_thu_files as files

CLOSE = {"rtol": 1e-5, "atol": 1e-5}


def assert_logits_close(found, wanted):
    """To 2e-5 of the largest: each of two in float32 is up to half of that from float64."""
    np.testing.assert_allclose(found, wanted, rtol=0, atol=2e-5 * float(abs(wanted).max()))


TEXT = "w10 w11 w12 w13 w14"
PAIR = "w20 w21 w22 [MASK] w23 w24"
MENTIONS = (
    Mention(0, 3, "Q3"),
    Mention(12, 19, "Q5"),
    Mention(4, 7, "Q1", part=1),
    Mention(23, 26, "Q7", part=1),
)


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    return files.write_published(tmp_path_factory.mktemp("ernie"))


@pytest.fixture(scope="module")
def runner(published, tmp_path_factory):
    made_runner = made.runner()
    context = Context(cache=tmp_path_factory.mktemp("cache"))
    made_runner.load("A", str(published), LoadOptions(device="cpu"), context)
    return made_runner


@pytest.fixture(scope="module")
def model(runner):
    return runner.models["A"]


@pytest.fixture(scope="module", params=["with", "without"])
def case(request, model):
    """An input of the reference, and the numbers that belong to it: its first text."""
    entities = MENTIONS if request.param == "with" else ()
    encoded = model.encode(TEXT, PAIR, entities=entities)
    numbers = {
        name.partition(".")[2]: tensor
        for name, tensor in files.reference("expected").items()
        if name.startswith(f"{request.param}.")
    }
    assert len(numbers) == 22
    return encoded, numbers


def test_a_text_is_read_as_in_the_reference(case):
    encoded, _ = case
    inputs = files.reference("inputs")
    assert encoded.input_ids[0].tolist() == inputs["input_ids"][0].tolist()
    assert encoded.inputs["token_type_ids"][0].tolist() == inputs["token_type_ids"][0].tolist()
    if "entity_ids" in encoded.inputs:
        assert encoded.inputs["entity_ids"][0].tolist() == inputs["entity_ids"][0].tolist()


def test_every_layer_of_tokens_and_entities_is_theirs(model, case):
    encoded, expected = case
    fused = model.port(Knowledge).fused(encoded, Context())
    assert fused.kinds == ("sim", "sim", "mix", "norm", "norm")
    for layer in range(5):
        wanted = expected[f"layer.{layer}.hidden"][0]
        np.testing.assert_allclose(fused.states[layer + 1], wanted, **CLOSE)
        wanted = expected[f"layer.{layer}.entity_hidden"][0]
        np.testing.assert_allclose(fused.entity_states[layer], wanted, **CLOSE)
    (states,) = model.port(HiddenStates).states([encoded], Context())
    np.testing.assert_allclose(states, fused.states, **CLOSE)


def test_every_attention_of_tokens_and_entities_is_theirs(model, case):
    encoded, expected = case
    fused = model.port(Knowledge).fused(encoded, Context())
    stacks = model.port(Attentions).capture(encoded, Context())
    assert set(fused.attention) == {3, 4}
    for layer in range(5):
        own = stacks["encoder"].weights[layer]
        np.testing.assert_allclose(own, expected[f"attention.{layer}.token"][0], **CLOSE)
        if layer in fused.attention:
            wanted = expected[f"attention.{layer}.entity"][0]
            np.testing.assert_allclose(fused.attention[layer], wanted, **CLOSE)
    looked_at = sorted({0, *(np.flatnonzero(expected["attention.3.entity"][0, 0, 0] > 1e-3))})
    assert set(looked_at) <= set(fused.counted)


def test_every_head_is_theirs(model, case):
    encoded, expected = case
    every = tuple(range(len(encoded.tokens)))
    (rows,) = model.port(Predictor).log_probabilities([Query(encoded, every)], Context())
    assert_logits_close(rows, expected["mlm_logits"][0].log_softmax(-1))
    pair = model.port(PairClassifier).logits(encoded, Context())
    assert_logits_close(pair, expected["nsp_logits"][0])
    # Their first candidate is a row of zeros, which stands for no entity.
    ids = [f"Q{number}" for number in files.reference("inputs")["candidate_ids"][1:].tolist()]
    found = model.port(Knowledge).entity_logits(encoded, every, ids, Context())
    assert_logits_close(found, expected["entity_logits"][0][:, 1:])


def test_padding_and_a_second_text_change_nothing(model):
    """The whole batch of the reference, the padded row with an entity at its end included."""
    import torch

    given, expected = files.reference("inputs"), files.reference("expected")
    with torch.inference_mode():
        output = model.module(
            given["input_ids"],
            attention_mask=given["attention_mask"],
            token_type_ids=given["token_type_ids"],
            entity_ids=given["entity_ids"],
        )
    real = given["attention_mask"].bool()
    assert_logits_close(output.logits[real], expected["with.mlm_logits"][real])
    assert_logits_close(output.pair_logits, expected["with.nsp_logits"])


def test_it_has_every_port_of_a_bert_and_counts_like_one(runner, model):
    card = runner.cards["A"]
    ports = {Attentions, AttentionModules, BidirectionalPredictor, InputEmbeddings, LayerReadout}
    assert ports | {Knowledge, PairClassifier, ActivationPatching, Predictor, HiddenStates} <= set(
        model.ports
    )
    assert card.parameters == sum(t.numel() for t in files.reference("model").values())
    assert card.architecture.startswith("ERNIE (Tsinghua) · 5 layers × 64 wide × 4 heads")
    assert [(head.name, head.present) for head in model.heads] == [
        ("masked_lm", True),
        ("next_sentence", True),
        ("entities", True),
        ("types", False),
        ("relations", False),
    ]
    assert "masked_tokens" in card.operations
    assert card.report.missing == card.report.unexpected == ()
    # Every question that BERT's bundled miniature would be asked, but for its trained tasks.
    bert = made.families().family("bert").offers_with({"masked_lm", "next_sentence"})
    assert bert <= set(model.ports) | {Knowledge}
    assert len(card.operations) > 20
    assert set(card.operations) <= set(all_questions())


@pytest.mark.parametrize("pickled", [False, True])
def test_the_published_folder_is_told_from_baidus_and_opens(tmp_path, pickled):
    base = files.write_published(tmp_path, pickled=pickled, graph=False)
    row = made.row(base)
    assert (row.family, row.problem) == ("ernie_thu", "")
    assert row.recognition == "Its config names layers that fuse entities (layer_types)."
    loaded = made.loaded(base, allow_pickle=pickled)
    model = loaded.models["A"]
    assert loaded.cards["A"].report.missing == ()
    encoded = model.encode(TEXT, PAIR)
    expected = files.reference("expected")["without.mlm_logits"][0].log_softmax(-1)
    (rows,) = model.port(Predictor).log_probabilities([Query(encoded, (10,))], Context())
    assert_logits_close(rows[0], expected[10])
    with pytest.raises(Unavailable, match="no folder kg_embed"):
        model.port(Knowledge)


def test_the_two_ernies_are_told_apart_by_their_titles():
    titles = {one.id: one.title for one in made.families().families.values()}
    assert titles["ernie"] == "ERNIE (Baidu)"
    assert titles["ernie_thu"] == "ERNIE (Tsinghua)"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"layer_types": ["sim", "mix", "blend"]}, "blend"),
        ({"layer_types": "sim"}, "layer_types"),
        ({"num_attention_heads": 7}, "num_attention_heads is 7"),
    ],
)
def test_a_config_that_makes_no_model_is_told_in_a_sentence(tmp_path, values, said):
    base = files.write_published(tmp_path, graph=False)
    files.changed_config(base, **values)
    with pytest.raises(Exception, match=said) as caught:
        made.loaded(base)
    assert type(caught.value).__name__ == "CheckpointFault"


def test_an_entity_that_the_graph_has_not_is_refused(model):
    with pytest.raises(UserMistake, match="has no entity Q404"):
        model.encode(TEXT, entities=[replace(MENTIONS[0], entity="Q404")])


def test_names_are_found_the_longest_first(model):
    linked = model.port(Knowledge).link(TEXT, PAIR)
    assert linked.mentions == MENTIONS
    named = model.port(Knowledge).entity("Q5")
    assert (named.id, named.name) == ("Q5", "w13 w14")
    assert [one.id for one in model.port(Knowledge).named("W13", 5)] == ["Q5"]
    assert len(model.port(Knowledge).named("", 3)) == 3


def test_a_cancelled_conversion_loads_nothing_and_leaves_nothing(tmp_path):
    base = files.write_published(tmp_path)
    seen = []

    def progress(stage, done, total):
        seen.append(stage)

    context = Context(
        cache=tmp_path / "cache",
        progress=progress,
        is_cancelled=lambda: any("ids of entities" in one for one in seen),
    )
    with pytest.raises(Cancelled):
        made.runner().load("A", str(base), LoadOptions(device="cpu"), context)
    assert list((tmp_path / "cache" / "entities").iterdir()) == []


def test_the_miniatures_card_tells_how_many_parameters_there_are_and_how_many_its_files_hold():
    """The parts that were not trained are left out of them."""
    network = miniature("ernie-thu-miniature")
    folder = Path(__file__).resolve().parents[2] / "resources" / "models" / "ernie-thu-miniature"
    with safe_open(folder / "model.safetensors", "pt") as file:
        held = sum(file.get_tensor(name).numel() for name in file.keys())  # noqa: SIM118
    whole = sum(one.numel() for one in network.module.parameters())
    assert held < whole
    assert f"{whole:,}, of which the files hold {held:,}" in (folder / "README.md").read_text(
        "utf-8"
    )
    told = (folder.parents[2] / "plugins" / "ernie_thu" / "README.md").read_text("utf-8")
    assert f"{whole:,}" in told
    assert f"{held:,}" in told
