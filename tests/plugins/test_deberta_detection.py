"""DeBERTa v3 finds replaced tokens through the program as the authors' code does."""

import json
import shutil

import pytest

from explorer.api.family import CheckpointFault, Context, LoadOptions
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.runner import Runner
from explorer.questions.detection.replaced_tokens.compute import judge
from explorer.questions.detection.replaced_tokens.corruption import CorruptedText
from explorer.questions.detection.replaced_tokens.question import ReplacedTokensRequest
from tests.hf import tiny
from tests.plugins import deberta_files as files

ALONE = {"discriminator": "A"}


def runner(place):
    host = tiny.families()
    return Runner(host, Catalogue(host, place / "none", place / "none"))


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    made = runner(tmp_path_factory.mktemp("models"))
    made.load("A", str(files.REFERENCE / "v3"), LoadOptions(device="cpu"), Context())
    return made


def test_the_logits_are_the_authors(loaded):
    expected = files.expected("v3")
    ids = expected["rtd_input_ids"][0].tolist()
    model = loaded.models["A"]
    result = loaded.ask(ReplacedTokensRequest(files.text_of("v3", "rtd_text")), ALONE, Context())
    tokens = tuple(result.tokens)
    assert [token.id for token in tokens] == ids
    assert result.logits == pytest.approx(expected["rtd_logits"][0].tolist(), abs=1e-4)
    corrupted = CorruptedText(tokens, (0,) * len(tokens), (), (), (), frozenset())
    assert judge(model, corrupted, Context()) == pytest.approx(result.logits)


def test_it_is_offered_where_the_head_is_and_nowhere_else(loaded, tmp_path):
    assert "replaced_tokens" in loaded.cards["A"].operations
    weights = files.without(files.weights_of("v3"), "mask_predictions.")
    other = runner(tmp_path)
    folder = files.write(tmp_path / "headless", "v3", weights)
    other.load("A", str(folder), LoadOptions(device="cpu"), Context())
    assert "replaced_tokens" not in other.cards["A"].operations
    assert "replaced token head" in other.cards["A"].unavailable["replaced_tokens"]


def test_a_generator_beside_its_discriminator_is_opened_with_its_own_config(tmp_path):
    """As microsoft/deberta-v3-base lies on the hub: two pickles and two configs in one folder."""
    from explorer.engine.library.inspection import inspect_folder

    weights = files.without(files.weights_of("v3"), "mask_predictions.")
    folder = files.write(tmp_path / "deberta-v3-tiny", "v3", files.weights_of("v3"))
    shorter = files.without(weights, "deberta.encoder.layer.2.")
    made = files.write(tmp_path / "made", "v3", shorter, pickled=True)
    shutil.copy(made / "pytorch_model.bin", folder / "pytorch_model.generator.bin")
    (folder / "generator_config.json").write_text(json.dumps({"num_hidden_layers": 2}), "utf-8")
    generator = folder / "pytorch_model.generator.bin"
    assert inspect_folder(folder).config["num_hidden_layers"] == 3
    assert inspect_folder(generator).config["num_hidden_layers"] == 2
    both = runner(tmp_path)
    catalogue = Catalogue(tiny.families(), tmp_path / "none", tmp_path / "none")
    assert catalogue.find(str(folder)).partner == str(generator)
    both.load("A", str(folder), LoadOptions(device="cpu"), Context())
    assert both.cards["A"].partner == str(generator)
    both.load("B", str(generator), LoadOptions(device="cpu", allow_pickle=True), Context())
    text = files.text_of("v3", "rtd_text")
    result = both.ask(ReplacedTokensRequest(text, seed=2), {**ALONE, "generator": "B"}, Context())
    assert result.losses.generator is not None
    (folder / "generator_config.json").unlink()
    with pytest.raises(CheckpointFault, match=r"needs generator_config\.json next to it"):
        inspect_folder(generator)
