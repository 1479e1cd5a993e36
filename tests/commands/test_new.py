"""`new`: what docs/plugins.md shows, under another name, and whole."""

import json
import re
from pathlib import Path

import pytest

from explorer.engine.plugins.conformance import check_plugin
from explorer.engine.plugins.examples import BLOCK

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("kind", "name", "asked", "more"),
    [
        ("family", "my-own", "masked_tokens", ("--model-type", "roberta")),
        ("question", *["rhyme_s"] * 2, ()),
    ],
)
def test_what_it_writes_conforms(told, tmp_path, profile, kind, name, asked, more):
    said = told("new", kind, name, "--into", tmp_path, *more).splitlines()
    folder = tmp_path / name
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {f"Written: {path}" for path in files} == set(said[:-1])
    assert said[-1].endswith(f"reads plugins from {profile / 'data/plugins'}: copy it there.")
    found = check_plugin(folder, ROOT / "plugins", questions=(asked,))
    wrong = [one for one in found if one.failed]
    # The program has a plugin for RoBERTa itself.
    assert {one.check for one in wrong} <= {"keeps its checkpoints among other plugins"}
    assert len(found) > 5


def test_it_is_what_the_page_shows(told, tmp_path):
    page = BLOCK.findall((ROOT / "docs" / "plugins.md").read_text("utf-8"))
    told("new", "family", "my-xlmr", "--into", tmp_path, "--model-type", "xlm-roberta")
    shown = {f"{plugin}/{place}": text for plugin, place, text in page if plugin == "my-xlmr"}
    assert len(shown) == 2
    assert {name: (tmp_path / name).read_text("utf-8") for name in shown} == shown


def test_a_family_has_the_classes_of_its_models(told, tmp_path):
    """And nothing of the example's own: what is left there would claim other checkpoints."""
    told("new", "family", "mpnet", "--into", tmp_path)
    manifest, code = (
        (tmp_path / "mpnet" / one).read_text() for one in ("plugin.toml", "__init__.py")
    )
    assert 'model_types = ["mpnet"]' in manifest
    assert 'ClassChoice("MPNetForMaskedLM"' in code
    assert '"lm_head.bias|lm_head.decoder.bias",' in code
    assert "reserved_positions=2" in code
    for text in (manifest, code):
        assert not re.search("xlm|roberta|published", text, re.IGNORECASE)
    told("new", "family", "mybert", "--into", tmp_path, "--model-type", "distilbert")
    code = (tmp_path / "mybert" / "__init__.py").read_text()
    assert 'modules=("vocab_transform.", "vocab_layer_norm.", "vocab_projector."),' in code
    assert "reserved_positions" not in code


def test_all_names_are_new(told, tmp_path):
    files = json.loads(told("new", "question", "two_words", "--into", tmp_path, "--json"))["files"]
    assert str(tmp_path / "two_words/questions/masking/two_words/question.py") in files
    text = "".join(Path(one).read_text("utf-8") for one in files)
    assert "class TwoWords(Asks)" in text
    assert 'title="Two words"' in text
    assert not [one for one in ("xpected_length", "xpectedLength", "word-lengths") if one in text]


@pytest.mark.parametrize(
    ("kind", "name", "why"),
    [
        ("question", "masked_tokens", "There is a question masked_tokens already."),
        ("family", "no-kind", "transformers has no class for models of type 'no-kind'"),
        ("family", "bert", "There is a plugin bert already."),
        ("family", "../up", "A plugin can't be called '../up'."),
        ("question", "my-own", "A plugin can't be called 'my-own'."),
        ("question", "class", "A plugin can't be called 'class'."),
        ("family", "there", "there is there already, and nothing is written over."),
    ],
)
def test_a_name_that_can_not_be_one(told, tmp_path, kind, name, why):
    (tmp_path / "into/there").mkdir(parents=True)
    (tmp_path / "into/there/file").touch()
    assert why in told("new", kind, name, "--into", tmp_path / "into", status=2)
    assert [path.name for path in (tmp_path / "into").rglob("*")] == ["there", "file"]
    assert not (tmp_path / "up").exists()
