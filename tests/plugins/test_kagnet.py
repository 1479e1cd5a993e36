"""KagNet: every number of the authors' code on random weights, and files that do not fit."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from explorer.api.family import (
    Cancelled,
    CheckpointFault,
    Context,
    GraphPath,
    GraphReasoner,
    HiddenStates,
    LoadOptions,
    SchemaGraph,
    Unavailable,
)
from explorer.engine.library.inspection import inspect_folder
from tests.hf import tiny

REFERENCE = Path(__file__).parents[1] / "reference" / "kagnet"
TOLERANCE = 1e-5


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The reference's weights as a checkpoint."""
    folder = tmp_path_factory.mktemp("kagnet")
    shutil.copy(REFERENCE / "model.safetensors", folder)
    (folder / "config.json").write_text('{"model_type": "kagnet", "path_steps": 4}')
    (folder / "concepts.txt").write_text("".join(f"concept_{n}\n" for n in range(1, 14)))
    tiny.bert_tokenizer().save_pretrained(folder)
    return folder


def load(folder):
    files = inspect_folder(folder)
    family, _ = tiny.families().family_of(files)
    return family.load("kagnet", files, LoadOptions(device="cpu"), Context())


@pytest.fixture(scope="module")
def model(folder):
    return load(folder)


def graphs():
    """The reference's two statements, in numbers that begin at 0."""
    given = json.loads((REFERENCE / "inputs.json").read_text())
    first = 0
    for statement, numbers in enumerate(given["concept_ids"]):
        places = range(first, first + len(numbers))
        pairs = [tuple(one - 1 for one in pair) for pair in given["pairs"][statement]]
        paths = [[] for _ in pairs]
        for concepts, relations in zip(
            given["concept_paths"][statement], given["relation_paths"][statement], strict=True
        ):
            met = tuple(one - 1 for one in concepts if one)
            along = tuple(one - 1 for one in relations if one)
            paths[pairs.index((met[0], met[-1]))].append(GraphPath(met, along))
        yield SchemaGraph(
            tuple(one - 1 for one in numbers),
            tuple((one - first, other - first) for one, other in given["edges"] if one in places),
            tuple(pairs),
            tuple(map(tuple, paths)),
        )
        first += len(numbers)


def close(found, expected):
    return found.shape == expected.shape and float((found - expected).abs().max()) <= TOLERANCE


def test_every_number_is_that_of_the_authors(model):
    expected = load_file(REFERENCE / "expected.safetensors")
    sentences = load_file(REFERENCE / "inputs.safetensors")["sentence"]
    judged = model.port(GraphReasoner).judge(sentences, list(graphs()), Context())
    assert close(torch.stack([one.score for one in judged]), expected["score"][:, 0])
    states = torch.cat([one.graph_states for one in judged])
    assert close(states, expected["graph_hidden"])
    paths = [shares for one in judged for shares in one.path_attention]
    for number, shares in enumerate(paths):
        assert close(shares, expected[f"path_attention.{number}"])
    for number, one in enumerate(judged):
        assert close(one.pair_attention, expected[f"pair_attention.{number}"])
    told = {name for name in expected if "attention" in name}
    assert len(paths) + len(judged) == len(told)


def test_what_it_is_made_of_follows_from_its_files(model):
    reasoner = model.port(GraphReasoner)
    assert reasoner.longest == 3
    assert reasoner.sentence_width == 16
    assert len(reasoner.relations) == 17
    assert reasoner.concepts["concept 13"] == 12
    table = load_file(REFERENCE / "model.safetensors")["concept_emd.weight"]
    assert (reasoner.concept_vectors == table[1:].numpy()).all()
    with pytest.raises(Unavailable, match="together with an encoder"):
        model.port(HiddenStates)


def test_a_pair_without_paths_has_none_of_its_numbers(model):
    graph = SchemaGraph((0, 3), (), ((0, 3),), ((),))
    sentence = load_file(REFERENCE / "inputs.safetensors")["sentence"][:1]
    (judged,) = model.port(GraphReasoner).judge(sentence, [graph], Context())
    assert 0.0 < float(judged.score) < 1.0
    assert judged.pair_attention.tolist() == [1.0]
    assert judged.path_attention[0].shape == (0,)


def test_judging_is_cancelled_between_two_answers(model):
    asked = []

    def cancelled():
        asked.append(1)
        return len(asked) > 1

    sentences = load_file(REFERENCE / "inputs.safetensors")["sentence"]
    with pytest.raises(Cancelled):
        model.port(GraphReasoner).judge(sentences, list(graphs()), Context(is_cancelled=cancelled))
    assert len(asked) == 2


@pytest.fixture
def broken(folder, tmp_path):
    """A copy that can be spoilt."""
    return Path(shutil.copytree(folder, tmp_path / "copy"))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda at: (at / "concepts.txt").unlink(), "no list of its concepts"),
        (lambda at: (at / "concepts.txt").write_bytes(b"\xff\n"), "no list of its concepts"),
        (lambda at: (at / "concepts.txt").write_text("a\nb\n"), "has 2 concepts, .* for 13"),
        (
            lambda at: (at / "config.json").write_text(
                '{"model_type": "kagnet", "relations": ["a"]}'
            ),
            "vectors for 17 relations",
        ),
    ],
)
def test_files_that_do_not_fit_are_told_of(broken, spoil, said):
    spoil(broken)
    with pytest.raises(CheckpointFault, match=said):
        load(broken)


def test_missing_and_misshapen_tensors_are_told_of(broken):
    weights = load_file(broken / "model.safetensors")
    short = {name: one for name, one in weights.items() if name != "qas_encoder.3.bias"}
    save_file(short, broken / "model.safetensors")
    with pytest.raises(CheckpointFault, match=r"the tensor qas_encoder\.3\.bias is missing"):
        load(broken)
    weights["qas_encoder.3.bias"] = torch.zeros(3)
    save_file(weights, broken / "model.safetensors")
    with pytest.raises(CheckpointFault, match="do not fit each other"):
        load(broken)


def test_another_list_of_concepts_is_another_model(broken, model):
    path = broken / "concepts.txt"
    path.write_text(path.read_text().replace("concept_3\n", "spade\n"))
    assert load(broken).stamp.fingerprint != model.stamp.fingerprint
