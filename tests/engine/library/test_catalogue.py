import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from explorer.api.family import UserMistake
from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.hub_cache import default_hub_cache
from explorer.engine.plugins.host import PluginHost
from explorer.program import Program
from explorer.questions import all_questions
from explorer.serialise import from_json, to_json
from explorer.text.message_files import BETWEEN
from explorer.text.pseudo import OPENING
from tests.hf import tiny
from tests.processor import a_pass
from tests.program_texts import collected

ROOT = Path(__file__).resolve().parents[3]
BASE = "google-bert/bert-base-uncased"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.save_bert(tmp_path_factory.mktemp("models") / "bert")


@pytest.fixture(scope="module")
def families():
    return tiny.families()


@pytest.fixture
def catalogue(tmp_path, folder, families):
    bundled = tmp_path / "bundled"
    shutil.copytree(folder, bundled / "bert-miniature")
    return Catalogue(families, bundled, tmp_path / "hub")


def cached(hub, name, folder, commit="0a1b", main=True):
    repository = hub / f"models--{name.replace('/', '--')}"
    shutil.copytree(folder, repository / "snapshots" / commit)
    if main:
        (repository / "refs").mkdir()
        (repository / "refs" / "main").write_text(commit)
    return repository / "snapshots" / commit


def row(catalogue, name, **options):
    return next(one for one in catalogue.list(**options) if one.id == name)


def test_a_bundled_checkpoint_in_full(catalogue, tmp_path):
    one = row(catalogue, "bert-miniature")
    assert (one.title, one.source, one.family) == ("BERT miniature", Source.BUNDLED, "bert")
    assert one.folder == str(tmp_path / "bundled" / "bert-miniature")
    assert one.recognition == 'Its config.json says model_type "bert".'
    pieces = len(tiny.VOCABULARY)
    assert one.architecture == f"BERT · 3 layers × 32 wide × 4 heads · {pieces} pieces"
    expected = sum(p.numel() for p in tiny.bert_module().parameters())
    assert one.parameters == expected
    layers = [
        sum(p.numel() for p in layer.parameters())
        for layer in tiny.bert_module().bert.encoder.layer
    ]
    products = [
        part.weight
        for part in tiny.bert_module().bert.encoder.modules()
        if type(part).__name__ == "Linear"
    ]
    numbers, rows = sum(p.numel() for p in products), sum(len(p) for p in products)
    rest = 4 * (expected - numbers)
    rounded = {"8bit": rest + numbers + 4 * rows, "4bit": rest + numbers // 2 + numbers // 64 * 4}
    assert one.weights_bytes == {
        "float32": 4 * expected,
        "float16": 2 * expected,
        "bfloat16": 2 * expected,
        **rounded,
    }
    assert one.offloaded_bytes == 4 * (expected - layers[0] - layers[1])
    assert one.attention_bytes == {128: 3 * 4 * 128**2 * 4, 512: 3 * 4 * 512**2 * 4}
    assert one.size_bytes == (Path(one.folder) / "model.safetensors").stat().st_size
    assert [(head.name, head.present) for head in one.heads] == [
        ("masked_lm", True),
        ("next_sentence", True),
    ]
    assert {"masked_tokens", "tokens"} <= set(one.operations)
    assert one.max_length == 24
    assert (one.problem, one.pickled, one.languages) == ("", False, "English")


def test_tied_weights_are_counted_once(tmp_path, families):
    """Old pickles hold the decoder's copy of the embeddings as well, and whole-number buffers."""
    module = tiny.bert_module()
    weights = {name: tensor.detach() for name, tensor in module.state_dict().items()}
    weights["bert.embeddings.position_ids"] = module.bert.embeddings.position_ids
    assert "cls.predictions.decoder.weight" in weights
    folder = tiny.write(tmp_path / "m", module.config, weights, pickled=True)
    one = Catalogue(families, tmp_path, tmp_path).inspect(folder)
    assert one.parameters == sum(p.numel() for p in module.parameters())
    assert one.pickled
    untied = tiny.changed_config(folder, tmp_path / "untied", tie_word_embeddings=False)
    more = Catalogue(families, tmp_path, tmp_path).inspect(untied).parameters
    assert more == one.parameters + 32 * len(tiny.VOCABULARY) + len(tiny.VOCABULARY)


@pytest.mark.parametrize(
    ("name", "present"),
    [
        ("BertModel", set()),
        ("BertForSequenceClassification", set()),
        ("BertForMaskedLM", {"masked_lm"}),
    ],
)
def test_heads_decide_the_operations(tmp_path, families, name, present):
    folder = tiny.save_bert(tmp_path / "m", name)
    one = Catalogue(families, tmp_path, tmp_path).inspect(folder)
    assert {head.name for head in one.heads if head.present} == present
    assert ("masked_tokens" in one.operations) == ("masked_lm" in present)
    assert "tokens" in one.operations


def test_published_ones(catalogue):
    one = row(catalogue, BASE)
    assert (one.source, one.family, one.folder) == (Source.HUB, "bert", None)
    assert one.architecture == "BERT · 12 layers × 768 wide × 12 heads · 30,522 pieces"
    assert (one.parameters, one.licence, one.max_length) == (110_106_428, "Apache-2.0", 512)
    assert one.attention_bytes[512] == 12 * 12 * 512 * 512 * 4
    assert "masked_tokens" in one.operations
    assert one.problem == ""


def test_offline_says_what_cannot_be_had(tmp_path, families):
    one = row(Catalogue(families, tmp_path, tmp_path, offline=True), BASE)
    assert "offline" in one.problem
    assert one.hint


@pytest.mark.parametrize("main", [True, False])
def test_a_cached_one_takes_the_published_ones_place(catalogue, tmp_path, folder, main):
    snapshot = cached(tmp_path / "hub", BASE, folder, main=main)
    cached(tmp_path / "hub", "someone/their-bert", folder)
    rows = [one for one in catalogue.list() if one.id == BASE]
    assert [(one.source, one.folder) for one in rows] == [(Source.CACHE, str(snapshot))]
    assert (rows[0].title, rows[0].licence) == ("BERT base, uncased", "Apache-2.0")
    assert rows[0].architecture.startswith("BERT · 3 layers")
    assert row(catalogue, "someone/their-bert").source is Source.CACHE
    assert catalogue.find("someone/their-bert").folder is not None


def test_cached_ones_that_nobody_knows_are_left_out(catalogue, tmp_path, folder):
    hub = tmp_path / "hub"
    strange = cached(hub, "someone/strange", folder)
    (strange / "config.json").write_text('{"model_type": "strange"}')
    half = cached(hub, BASE, folder)
    (half / "model.safetensors").unlink()
    (hub / "models--broken").mkdir()
    (hub / "models--broken--refs").write_text("x")
    ids = {one.id: one.source for one in catalogue.list()}
    assert "someone/strange" not in ids
    assert ids[BASE] is Source.HUB


def test_folders_given(catalogue, folder, tmp_path):
    gone = str(tmp_path / "gone")
    rows = catalogue.list(folders=(str(folder), gone, gone))
    found = {one.id: one for one in rows if one.source is Source.FOLDER}
    assert found[str(folder)].problem == ""
    assert "There is nothing at" in found[gone].problem
    assert len([one for one in rows if one.id == gone]) == 1


def test_a_damaged_one_still_says_what_its_config_says(tmp_path, families, folder):
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    content = (broken / "model.safetensors").read_bytes()
    (broken / "model.safetensors").write_bytes(content[:-100])
    one = Catalogue(families, tmp_path, tmp_path).inspect(broken)
    assert "cut short" in one.problem
    assert one.hint
    assert (one.family, one.source) == ("bert", Source.FOLDER)
    assert one.architecture.startswith("BERT · 3 layers")
    (broken / "config.json").write_text("{")
    assert "cut short" in Catalogue(families, tmp_path, tmp_path).inspect(broken).problem


def test_a_bare_config(tmp_path, families):
    (tmp_path / "config.json").write_text(
        json.dumps({"model_type": "bert", "num_hidden_layers": 2, "num_attention_heads": 2})
    )
    one = Catalogue(families, tmp_path, tmp_path).inspect(tmp_path / "config.json")
    assert (one.source, one.family) == (Source.CONFIG, "bert")
    assert one.architecture == "BERT · 2 layers × ? wide × 2 heads · ? pieces"
    assert "only a config" in one.problem
    assert one.operations == ()


def test_an_unknown_model_type(tmp_path, families, folder):
    strange = tiny.changed_config(folder, tmp_path / "strange", model_type="strange")
    one = Catalogue(families, tmp_path, tmp_path).inspect(strange)
    assert one.problem == 'No plugin knows models of type "strange".'
    assert "docs/plugins.md" in one.hint
    assert (one.family, one.operations) == ("", ())


def test_garbage_is_refused_in_one_sentence(tmp_path, families):
    with pytest.raises(UserMistake, match="holds no checkpoint"):
        Catalogue(families, tmp_path, tmp_path).inspect(tmp_path)


def test_find(catalogue, folder):
    assert catalogue.find("bert-miniature").source is Source.BUNDLED
    assert catalogue.find(f" {folder} ").id == str(folder)
    assert catalogue.find(str(folder / "config.json")).family == "bert"
    assert catalogue.find(BASE).source is Source.HUB
    assert catalogue.find("bert-base-uncased").id == BASE
    for name in ("", "no/such", "../..x", "a/b/c"):
        with pytest.raises(UserMistake, match="There is no checkpoint named"):
            catalogue.find(name)


def test_the_caches_place(monkeypatch, tmp_path):
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert default_hub_cache() == Path("~/.cache/huggingface/hub").expanduser()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "c"))
    assert default_hub_cache() == tmp_path / "c" / "huggingface" / "hub"
    monkeypatch.setenv("HF_HOME", str(tmp_path / "h"))
    assert default_hub_cache() == tmp_path / "h" / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "x"))
    assert default_hub_cache() == tmp_path / "x"


def test_listing_is_quick_and_needs_neither_torch_nor_the_hubs_library(tmp_path, folder):
    for number in range(5):
        shutil.copytree(folder, tmp_path / "bundled" / f"mini-{number}")
    code = (
        "import sys, time; from pathlib import Path;"
        "from explorer.engine.library.catalogue import Catalogue;"
        "from explorer.engine.plugins.host import PluginHost;"
        f"c = Catalogue(PluginHost(Path({str(ROOT / 'plugins')!r})),"
        f" Path({str(tmp_path / 'bundled')!r}), Path({str(tmp_path / 'hub')!r}));"
        "assert len(c.list()) > 12;"
        "assert not {'torch', 'transformers', 'huggingface_hub'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, cwd=ROOT)
    best, most = float("inf"), 6 * a_pass()
    for number in range(100):
        if best < most and number >= 5:
            break
        # A core that another process shares is slower for a while: the best of many counts.
        started = time.thread_time()
        host = PluginHost(ROOT / "plugins")
        rows = Catalogue(host, tmp_path / "bundled", tmp_path / "hub").list()
        best = min(best, time.thread_time() - started)
    assert len(rows) > 12
    assert best < most


def test_no_checkpoint_promises_a_question_that_cannot_be_asked(paths):
    program = Program(paths)
    rows = program.catalogue(program.plugin_host()).list()
    promised = {name for one in rows for name in one.operations}
    assert promised
    assert promised <= set(all_questions())


def test_a_student_names_the_model_that_taught_it():
    real = Catalogue(tiny.families(), ROOT / "resources" / "models", None, offline=True)
    student = row(real, "distilbert-miniature")
    assert student.teacher == "bert-miniature"
    published = row(real, "distilbert/distilbert-base-uncased")
    assert published.teacher == BASE
    every = {one.id: one for one in real.list()}
    named = [one.teacher for one in every.values() if one.teacher]
    assert len(named) >= 10
    assert set(named) <= set(every)


def test_what_a_row_says_is_worded_where_it_is_read(paths, tmp_path, speak):
    """Its architecture, how it was recognised, and what is wrong with it: none is English alone."""
    program = Program(paths)
    damaged = {"gone": None, "no-list": {"model_type": "bert", "architectures": 3}, "strange": {}}
    folders = []
    for name, config in damaged.items():
        folders.append(str(tmp_path / name))
        if config is not None:
            (tmp_path / name).mkdir()
            (tmp_path / name / "config.json").write_text(json.dumps(config))
    rows = program.catalogue(program.plugin_host()).list(tuple(folders))
    catalogue = {message.id for message in collected() if message.id}
    texts = {one.id: (one.architecture, one.recognition, one.problem, one.hint) for one in rows}
    unknown = {
        f"{name}: {code}"
        for name, phrases in texts.items()
        for phrase in phrases
        for code, _values in phrase.parts
        if tuple(code.split(BETWEEN)) not in catalogue and code not in catalogue
    }
    assert not unknown, "\n".join(sorted(unknown))
    speak("en_XA")
    said = {name: [one.said for one in phrases] for name, phrases in texts.items()}
    assert all(one.startswith(OPENING) for lines in said.values() for one in lines if one)
    for name in folders:
        assert all(said[name][-2:]), name
    albert = next(lines[0] for name, lines in said.items() if name.startswith("albert-mini"))
    assert albert.count(OPENING) == 3  # its line, the width of its pieces, the weights it shares


def test_a_row_comes_from_an_older_program_as_it_was(catalogue):
    one = row(catalogue, "bert-miniature")
    stored = json.loads(to_json(one))
    stored["architecture"] = "BERT · 3 layers"
    assert from_json(Checkpoint, json.dumps(stored)).architecture == "BERT · 3 layers"
    assert from_json(Checkpoint, to_json(one)).architecture.parts == one.architecture.parts
