"""The anatomy of a loaded model, of a published one, of a folder with only a config."""

import json
from pathlib import Path

import pytest
import torch

from explorer.api.family import LoadOptions
from explorer.api.question import CheckpointFault, Context, UserMistake
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.paths import Paths
from explorer.questions.architecture.architecture import question as anatomy
from explorer.questions.architecture.architecture.question import (
    ArchitectureRequest,
    ArchitectureResult,
)
from explorer.questions.architecture.compare_architectures.likeness import Relation
from explorer.questions.architecture.compare_architectures.question import (
    CompareArchitecturesRequest,
    CompareArchitecturesResult,
)
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.serialise import from_json, to_builtins, to_json

PATHS = Paths.standard()
KEYS = {
    "model", "family", "parameters", "layers", "hidden_size", "heads", "vocabulary",
    "memory_bytes", "published", "tree",
}  # fmt: skip


NEVER_TRAINED = {"ernie-thu-miniature": ("bert.pooler", "cls.seq_relationship")}
"""Parts of a network that its files leave out, so that no question uses them."""


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    host = PluginHost(PATHS.bundled_plugins, entry_points=False)
    empty = tmp_path_factory.mktemp("hub")
    return Runner(host, Catalogue(host, PATHS.bundled_models, empty, offline=True))


@pytest.fixture(scope="module")
def loaded(runner):
    runner.load("A", "bert-miniature", LoadOptions(device="cpu"), Context())
    yield runner
    runner.unload("A")


def ask(runner, request, models=None):
    return runner.ask(request, models or {}, Context())


ONE = {"model": "A"}


def test_a_published_size_whose_weights_are_elsewhere(runner):
    result = ask(runner, ArchitectureRequest("google-bert/bert-large-uncased"))
    assert result.parameters.unique == 336_226_108
    assert (result.layers, result.hidden_size, result.heads) == (24, 1024, 16)
    assert result.vocabulary == 30_522
    assert not result.loaded
    assert result.model.id == "google-bert/bert-large-uncased"
    assert result.family == result.model.family == "bert"
    assert result.model.device == "meta"
    assert len(result.model.fingerprint) == 32
    assert set(to_builtins(result)) >= KEYS


def test_gpt3(runner):
    result = ask(runner, ArchitectureRequest("gpt3-175b"))
    assert result.parameters.unique == 174_604_259_328
    assert result.memory_bytes["weights"]["float16"] == 2 * 174_604_259_328
    figures = {one.what: one for one in result.published}
    assert figures["layers"].agrees
    assert figures["parameters"].value == 175e9


@pytest.mark.parametrize("name", ["", "config.json"])
def test_a_folder_with_only_a_config_or_that_file(runner, tmp_path, name):
    config = {
        "model_type": "albert",
        "architectures": ["AlbertForMaskedLM"],
        "vocab_size": 50,
        "embedding_size": 8,
        "hidden_size": 16,
        "num_hidden_layers": 6,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 20,
        "type_vocab_size": 2,
    }
    (tmp_path / "config.json").write_text(json.dumps(config))
    result = ask(runner, ArchitectureRequest(str(tmp_path / name)))
    embedding = (50 + 20 + 2) * 8 + 2 * 8 + 8 * 16 + 16
    layer = 4 * (16 * 16 + 16) + 2 * 16 * 32 + 32 + 16 + 4 * 16
    head = 16 * 8 + 8 + 2 * 8 + 50
    sums = result.parameters
    assert (sums.embedding, sums.backbone, sums.head) == (embedding, layer, head)
    assert sums.saved == 5 * layer + 50 * 8
    assert result.blueprint.attention_sets == 1


def test_a_config_that_makes_no_model(runner, tmp_path):
    config = {"model_type": "bert", "hidden_size": 10, "num_attention_heads": 3}
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises((CheckpointFault, ValueError)):
        ask(runner, ArchitectureRequest(str(tmp_path)))


def test_nothing_to_take_apart(runner):
    with pytest.raises(UserMistake, match="No model is loaded"):
        ask(runner, ArchitectureRequest())
    with pytest.raises(UserMistake, match="no checkpoint named"):
        ask(runner, ArchitectureRequest("no/such-thing"))
    with pytest.raises(UserMistake, match="--length can't be 0"):
        ask(runner, ArchitectureRequest("gpt3-175b", length=0))


def test_other_questions_need_a_model(runner):
    with pytest.raises(UserMistake, match="only be asked of a model"):
        ask(runner, MaskedTokensRequest("a [MASK]"))


def test_a_loaded_model_with_its_numbers(loaded):
    path = "bert.encoder.layer.*.attention.self.query"
    result = ask(loaded, ArchitectureRequest(part=path), ONE)
    assert result.loaded
    assert result.model == loaded.cards["A"].stamp
    module = loaded.models["A"].module
    assert result.parameters.unique == sum(p.numel() for p in module.parameters())
    assert result.parameters.unique == loaded.cards["A"].parameters
    names = [one.name for one in result.statistics]
    assert len(names) == 2 * result.layers
    weight = module.bert.encoder.layer[0].attention.self.query.weight
    assert result.statistics[0].norm == pytest.approx(torch.linalg.norm(weight).item(), rel=1e-6)
    assert "architecture" in loaded.cards["A"].operations


def test_a_loaded_checkpoint_is_taken_with_its_weights_by_name(loaded):
    result = ask(loaded, ArchitectureRequest("bert-miniature"), ONE)
    assert result.loaded
    assert ask(loaded, ArchitectureRequest("gpt3-small"), ONE).loaded is False


def test_the_halves_of_a_pair_know_each_other(runner):
    result = ask(runner, ArchitectureRequest("google/electra-base-discriminator"))
    assert result.companion is not None
    assert result.companion.hidden_size == 256
    assert ask(runner, ArchitectureRequest("google-bert/bert-base-uncased")).companion is None


def test_it_can_be_kept_and_read_again(loaded):
    result = ask(loaded, ArchitectureRequest(part="bert.pooler"), ONE)
    written = to_json(result)
    again = from_json(ArchitectureResult, written)
    assert to_json(again) == written
    assert again.tree == result.tree
    assert from_json(
        ArchitectureRequest, to_json(ArchitectureRequest("x", 5))
    ) == ArchitectureRequest("x", 5)


def test_a_run_of_an_older_version_can_be_read(runner):
    """Without roles and changes, and with what formulas needed then."""
    result = ask(runner, ArchitectureRequest("bert-miniature"))
    kept = json.loads(to_json(result))
    for name in ("possible", "changed", "refused"):
        del kept[name]
    kept["blueprint"] |= {"layout": "bert", "variant": ""}
    for name in ("attention", "widened", "joined", "final_norm", "head_dense"):
        del kept["blueprint"][name]
    for part in kept["tree"]:
        _as_before(part)
    again = from_json(ArchitectureResult, json.dumps(kept))
    assert again.parameters == result.parameters
    assert again.possible == ()


def _as_before(part):
    for weight in part["weights"]:
        del weight["role"]
        weight |= {"lookup": False, "tokens": True, "gives": 3}
    for inner in part["parts"]:
        _as_before(inner)


def test_the_table_is_the_tree(runner):
    result = ask(runner, ArchitectureRequest("google-bert/bert-base-uncased"))
    table = anatomy.table(result)
    rows = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    query = rows["bert.encoder.layer.*.attention.self.query"]
    assert query["shape"] == "768 x 768, 768"
    assert query["parameters"] == 12 * (768 * 768 + 768)
    assert rows["bert.encoder.layer.*"]["copies"] == 12
    tops = [row for row in table.rows if "." not in row[0]]
    at = table.columns.index("parameters")
    assert sum(row[at] for row in tops) == result.parameters.unique


def test_two_published_models(runner):
    request = CompareArchitecturesRequest("google-bert/bert-base-uncased", "albert/albert-base-v2")
    result = ask(runner, request)
    assert result.titles == ("BERT base, uncased", "ALBERT base, v2")
    assert result.ancestry is None
    sums = [sum(getattr(one, side).parameters for one in result.parts) for side in
            ("first", "second")]  # fmt: skip
    assert sums == [one.unique for one in result.parameters]
    assert from_json(CompareArchitecturesResult, to_json(result)).parts == result.parts


def test_a_student_and_its_teacher(loaded):
    loaded.load("B", "distilbert-miniature", LoadOptions(device="cpu"), Context())
    try:
        request = CompareArchitecturesRequest("distilbert-miniature", "bert-miniature")
        result = ask(loaded, request, {"first": "B", "second": "A"})
    finally:
        loaded.unload("B")
    assert result.ancestry is not None
    assert result.ancestry.came_from == (0, 2)
    assert result.other.id == "bert-miniature"


def test_which_numbers_two_models_share_layer_by_layer_as_one(tmp_path):
    """Against numpy: ELECTRA's halves share their embeddings, and nothing else by name."""
    from safetensors.numpy import load_file

    pair = ("electra-miniature-discriminator", "electra-miniature-generator")
    host = PluginHost(PATHS.bundled_plugins, entry_points=False)
    runner = Runner(host, Catalogue(host, PATHS.bundled_models, tmp_path, offline=True))
    for slot, name in zip("AB", pair, strict=True):
        runner.load(slot, name, LoadOptions(device="cpu"), Context())
    result = ask(runner, CompareArchitecturesRequest(*pair), {"first": "A", "second": "B"})
    ours, theirs = (load_file(PATHS.bundled_models / name / "model.safetensors") for name in pair)
    common = ours.keys() & theirs.keys()
    equal = {n for n in common if ours[n].shape == theirs[n].shape and (ours[n] == theirs[n]).all()}
    found = result.tensors
    assert found.shared_parameters == sum(ours[name].size for name in equal)
    assert sum(max(1, len(one.layers)) for one in found.groups) == len(common)
    by_name = {one.name: one for one in found.groups}
    query = by_name["encoder.layer.*.attention.self.query.weight"]
    assert query.relation is Relation.OTHER_SHAPE
    assert query.layers == tuple(range(result.blueprints[0].layers))
    assert by_name["embeddings.word_embeddings.weight"].relation is Relation.EQUAL
    again = from_json(CompareArchitecturesResult, to_json(result))
    assert again.tensors == found
    kept = json.loads(to_json(result))
    del kept["tensors"]
    assert from_json(CompareArchitecturesResult, json.dumps(kept)).tensors is None
    itself = ask(
        runner, CompareArchitecturesRequest(pair[0], pair[0]), {"first": "A", "second": "A"}
    ).tensors
    assert {one.relation for one in itself.groups} == {Relation.SAME_MEMORY}


def test_the_second_must_be_somewhere(loaded):
    with pytest.raises(UserMistake, match="No model plays the second"):
        ask(loaded, CompareArchitecturesRequest(), {"first": "A"})


@pytest.mark.parametrize(
    "name", [folder.name for folder in sorted(Path(PATHS.bundled_models).iterdir())]
)
def test_every_bundled_checkpoint_can_be_taken_apart(runner, name):
    result = ask(runner, ArchitectureRequest(name))
    table = anatomy.table(result)
    assert result.parameters.unique > 0
    assert result.blueprint.layers
    assert result.blueprint.has_other_layers == (name == "kagnet-miniature")
    assert bool(result.work) != result.blueprint.has_other_layers
    # The library counts the file's tensors: both say one number.
    if result.model.device == "meta" and name != "gpt3-175b":
        never = NEVER_TRAINED.get(name, ())
        rows = (dict(zip(table.columns, row, strict=True)) for row in table.rows)
        missing = sum(row["parameters"] for row in rows if row["part"] in never)
        counted = runner._catalogue.find(name).parameters
        assert result.parameters.unique == counted + missing
        # Where they differ, the page says so.
        assert result.held == (counted if never else None)


def test_a_network_that_is_no_transformer_is_counted_and_not_drawn(runner):
    alone = ask(runner, ArchitectureRequest("kagnet-miniature"))
    runner.load("B", "kagnet-miniature", LoadOptions(device="cpu"), Context())
    loaded = ask(runner, ArchitectureRequest(), {"model": "B"})
    held = sum(one.numel() for one in runner.models["B"].module.parameters())
    runner.unload("B")
    assert (alone.loaded, loaded.loaded) == (False, True)
    assert alone.parameters == loaded.parameters
    assert alone.parameters.unique == held == 130_262
    for result in (alone, loaded):
        assert (result.layers, result.hidden_size, result.heads) == (2, 25, 0)
        assert result.blueprint.has_other_layers
        assert result.work == (), "no text goes through it"
        assert result.memory_bytes.keys() == {"weights"}
        assert result.memory_bytes["weights"]["float16"] == 2 * held
        assert result.possible == ()
