"""Checkpoints that questions look up without their being loaded."""

import json
from dataclasses import dataclass

import pytest

from explorer.api.family import CheckpointFault, Context, Unavailable, UserMistake
from explorer.api.family.checkpoint import Source
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.shelf import CatalogueShelf
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.paths import Paths
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests.hf import tiny

PATHS = Paths.standard()


@pytest.fixture(scope="module")
def host():
    return PluginHost(PATHS.bundled_plugins, entry_points=False)


@pytest.fixture
def catalogue(host, tmp_path):
    return Catalogue(host, PATHS.bundled_models, tmp_path / "hub", offline=True)


@pytest.fixture
def shelf(host, catalogue):
    return CatalogueShelf(host, catalogue)


def test_a_published_one_is_known_by_its_manifest(shelf):
    known = shelf.known("google-bert/bert-base-uncased")
    assert known.files.config["hidden_size"] == 768
    assert not known.files.tensors
    assert known.family.id == "bert"
    assert known.heads == ("masked_lm", "next_sentence")
    assert any(figure.says == "110M" for figure in known.figures)


def test_one_on_this_computer_is_known_by_its_files(shelf, tmp_path):
    folder = tiny.save_bert(tmp_path / "bert")
    known = shelf.known(str(folder))
    assert known.heads is not None
    assert "masked_lm" in known.heads
    assert known.files.tensors
    assert known.figures == ()


def test_a_config_alone_says_nothing_of_heads(shelf, tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert"}))
    known = shelf.known(str(tmp_path))
    assert known.heads is None
    assert known.checkpoint.source is Source.CONFIG


def test_damaged_weights_do_not_hide_the_config(shelf, tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "bert"}))
    (tmp_path / "model.safetensors").write_bytes(b"not weights")
    known = shelf.known(str(tmp_path))
    assert known.files.config == {"model_type": "bert"}
    assert not known.files.tensors


def test_what_nobody_knows(shelf, tmp_path):
    with pytest.raises(UserMistake):
        shelf.known("no/such")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "abacus"}))
    with pytest.raises(CheckpointFault, match="abacus"):
        shelf.known(str(tmp_path))


def test_one_that_was_never_released_can_only_be_read(catalogue):
    row = catalogue.find("gpt3-xl")
    assert row.source is Source.CONFIG
    assert "never published" in row.problem
    assert "architecture" in row.hint


@dataclass(frozen=True)
class Riddle:
    pass


def test_without_a_slot_only_what_needs_no_model_is_answered(host, catalogue):
    runner = Runner(host, catalogue)
    with pytest.raises(UserMistake, match="asked of a model"):
        runner.ask(TokensRequest("a"), {}, Context())
    with pytest.raises(Unavailable, match="no question for Riddle"):
        runner.ask(Riddle(), {}, Context())
