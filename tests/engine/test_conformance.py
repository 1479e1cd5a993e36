"""The conformance kit: every plugin of the program passes, and broken ones are told."""

import functools
import gc
import json
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.engine.plugins.conformance import CheckOutcome, check_plugin, reading
from explorer.engine.plugins.plugin import MODULE_PREFIX
from explorer.hf.predict import timing
from explorer.questions import all_questions

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = sorted(path.parent for path in (ROOT / "plugins").glob("*/plugin.toml"))

MANIFEST = """
id = "toy"
title = "Toy"
version = "1.0"
faces = { family = 2, hf = 1 }
model_types = ["bert"]
requires = ["transformers>=5.0"]
"""

MODULE = """
from dataclasses import dataclass, replace

from explorer.api.family import Recognition
from explorer.hf import BERT_MASKED_LM, BERT_NEXT_SENTENCE, ClassChoice, TransformersFamily


class Toy(TransformersFamily):
{body}


FAMILY = Toy(
    id="toy",
    title="Toy",
    model_types=("bert",),
    heads_known=(BERT_MASKED_LM, BERT_NEXT_SENTENCE),
    classes=(
        ClassChoice("BertModel", frozenset()),
        ClassChoice("BertForMaskedLM", frozenset({{"masked_lm"}})),
        ClassChoice("BertForPreTraining", frozenset({{"masked_lm", "next_sentence"}})),
    ),
    prefix="bert",
    masked_lm_path="cls.predictions",
)
"""


@pytest.fixture(autouse=True)
def timed_shortly(monkeypatch):
    """What measures how long models take runs them as often as it must, and no half second."""
    monkeypatch.setattr(timing, "MOST_RUNS", timing.LEAST_RUNS)


PROBED = ("test_torch_", "test_a_plugin_in_order")
"""Tests for which a fresh interpreter imports the plugin; of the program's own one does for all."""


@pytest.fixture(autouse=True)
def imported_elsewhere(request, monkeypatch):
    """Start no interpreter for a check whose outcome the test does not look at."""
    if not request.node.name.startswith(PROBED):
        nothing = {"importing": [], "listing": [], "problems": []}
        monkeypatch.setattr(reading, "_probed", lambda *_: (nothing, ""))


@pytest.fixture
def plugin(tmp_path):
    """Write a plugin; what is not given is in order."""

    def write(body: str = "    pass", *, head: str = "", tail: str = "", manifest: str = MANIFEST):
        folder = tmp_path / "toy"
        folder.mkdir()
        (folder / "plugin.toml").write_text(manifest, encoding="utf-8")
        module = head + MODULE.format(body=body) + tail
        (folder / "__init__.py").write_text(module, encoding="utf-8")
        return folder

    return write


A_FEW = ("tokens", "masked_tokens", "surprisal", "attention")
"""The questions that plugins with one fault are asked: the fault is in what all of them use."""

ASKED_ALL = ("bert", "gpt2")

check_few = functools.partial(check_plugin, questions=A_FEW)


def shared_out(folder):
    """The questions that a plugin of the program is asked unless all are: a sixth of them in turn.

    An encoder and a decoder are asked everything, and each question is asked of a sixth of the
    others.
    """
    if folder.name in ASKED_ALL:
        return None
    every = sorted(all_questions())
    others = [one for one in PLUGINS if one.name not in ASKED_ALL]
    return {*A_FEW, *every[(others.index(folder) + 3) % 6 :: 6]}


@functools.cache
def checked(folder, *, everything):
    """A plugin of the program among the others; checked once for all tests."""
    asked = None if everything else shared_out(folder)
    findings = tuple(check_plugin(folder, ROOT / "plugins", questions=asked))
    # What one leaves (imports, the world's grammar in its pieces) lasts: each model that the next
    # one unloads would have it looked through anew, a third of all that they took.
    gc.collect()
    gc.freeze()
    return findings


def failures(findings):
    return {one.check: one.message for one in findings if one.failed}


ALL_IMPORTED = """
import json, sys
from pathlib import Path
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.conformance.probe import HEAVY
from explorer.engine.plugins.host import PluginHost

host = PluginHost(Path("plugins"), None, entry_points=False)
for one in Path("plugins").glob("*/plugin.toml"):
    host.family(one.parent.name)
models = Catalogue(host, Path("resources/models"), Path("none"), offline=True)
listed = [one for one in models.list(()) if one.folder]
heavy = [name for name in HEAVY if name in sys.modules]
print(json.dumps([len(listed), heavy]))
"""


def test_no_plugin_of_the_program_imports_torch_before_it_loads_a_model():
    command = [sys.executable, "-c", ALL_IMPORTED]
    ran = subprocess.run(command, cwd=ROOT, check=True, timeout=60, capture_output=True, text=True)
    listed, heavy = json.loads(ran.stdout)
    assert listed >= len(PLUGINS)
    assert heavy == []


@pytest.mark.parametrize("folder", PLUGINS, ids=lambda folder: folder.name)
def test_the_programs_own_plugins_conform(folder, request):
    findings = checked(folder, everything=request.config.option.all)
    assert [one for one in findings if not one.ok] == []
    assert {"loads", "takes emoji", "its questions answer"} <= {one.check for one in findings}


@pytest.mark.parametrize("name", ["bert", "roberta", "albert", "distilbert", "ernie", "mobilebert"])
def test_nothing_is_left_out_for_an_encoder(name, request):
    findings = checked(ROOT / "plugins" / name, everything=request.config.option.all)
    done = {one.check for one in findings if one.outcome is CheckOutcome.PASSED}
    assert {
        "imports without torch and Qt",
        "offers the questions it declared",
        "equals a plain forward",
        "takes an empty text",
        "takes one token",
        "takes a text of the longest length",
        "takes a text that is too long",
        "takes right-to-left text",
        "same seed, same answer",
        "is cancelled within one layer",
        "keeps its checkpoints among other plugins",
    } <= done


def test_a_plugin_in_order(plugin):
    folder = plugin()
    before = set(sys.modules)  # other tests of this worker may have imported a plugin of this name
    findings = check_few(folder)
    assert failures(findings) == {}
    left = set(sys.modules) - before
    assert not any(name.startswith(f"{MODULE_PREFIX}bundled_toy") for name in left)


def test_the_folder_is_left_as_it_was(plugin):
    folder = plugin()
    check_few(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["__init__.py", "plugin.toml"]


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ('id = "toy"', "the key title is missing"),
        (MANIFEST.replace("hf = 1", 'hf = "1"'), "must be a whole number"),
        ("id = [", "It can't be read"),
        (MANIFEST.replace("hf = 1", "hf = 99"), "written for hf 99"),
        (MANIFEST.replace('["bert"]', "[]"), "model_types is empty"),
        (MANIFEST.replace("transformers>=5.0", "no-such-package>=1"), "no-such-package>=1"),
        (MANIFEST.replace('version = "1.0"', ""), "version is missing"),
    ],
)
def test_manifests(plugin, manifest, message):
    findings = check_few(plugin(manifest=manifest))
    assert message in failures(findings)["plugin.toml"]
    assert len(findings) == 1


def test_published_twice(plugin):
    one = (
        '[[published]]\nid = "a/b"\ntitle = "B"\nparameters = {}\n'
        'licence = "mit"\nlanguages = "English"\n'
    )
    folder = plugin(manifest=MANIFEST + one.format(5) + one.format(0))
    messages = [found.message for found in check_few(folder)]
    assert messages == ["a/b is published twice.", "a/b has no parameters or no size."]


def test_no_folder_no_manifest(tmp_path):
    (finding,) = check_few(tmp_path / "nothing")
    assert "there is no plugin.toml" in finding.message


def test_a_module_that_can_not_be_imported(plugin):
    findings = check_few(plugin(head="import no_such_module\n"))
    assert "no_such_module" in failures(findings)["import"]


def test_torch_at_import(plugin):
    told = failures(check_few(plugin(head="import torch\n")))
    assert told["imports without torch and Qt"] == "It imports torch."


def test_torch_while_listing(plugin):
    body = """
    def heads(self, files):
        import torch
        return super().heads(files)
"""
    told = failures(check_few(plugin(body)))
    assert told == {"lists checkpoints without torch and Qt": "It imports torch."}


def test_no_tiny_model(plugin):
    told = failures(check_few(plugin(tail="def tiny(folder):\n    raise OSError('full')\n")))
    (said,) = told.values()
    assert set(told) == {"makes a tiny model"}
    assert said.startswith("OSError: full (__init__.py line ")


def test_a_tiny_model_that_is_none(plugin):
    tail = "def tiny(folder):\n    folder.mkdir(parents=True)\n"
    told = failures(check_few(plugin(tail=tail)))
    assert told == {"makes a tiny model": "There is no config.json."}


def test_operations_that_are_not_what_was_declared(plugin):
    body = """
    def offers(self, files):
        return frozenset()
"""
    told = failures(check_few(plugin(body)))
    assert list(told) == ["offers the questions it declared"]
    said = next(iter(told.values()))
    assert said.startswith("Only then: ")
    assert "masked_tokens" in said
    assert " tokens," not in said  # it needs no model, and is offered before and after


def test_silence_about_other_operations(plugin):
    body = """
    def finish(self, *args):
        model = super().finish(*args)
        model.ports, model.refused = {}, {}
        return model

    def offers(self, files):
        return frozenset()

    def why_not(self, port, heads):
        return ""
"""
    told = failures(check_few(plugin(body)))
    assert "masked_tokens" in told["says why for the other questions"]


def test_other_numbers_than_a_plain_forward(plugin):
    body = """
    def masked_lm_head(self, module):
        return lambda hidden: module.cls.predictions(hidden) * 1.01
"""
    told = failures(check_few(plugin(body)))
    assert "A probability is off by" in told["predictions are the class's own"]
    # Nothing is asked of a head that does not predict as its class.
    lost = told["offers the questions it declared"]
    assert lost.startswith("No longer offered after loading: ")
    assert "masked_tokens" in lost
    assert "attention" not in lost.partition(".")[0]


def test_a_plain_forward_of_the_plugins_own(plugin):
    tail = """
def plain_logits(folder, input_ids):
    import json
    import numpy as np
    config = json.loads((folder / "config.json").read_text("utf-8"))
    return np.zeros((len(input_ids), config["vocab_size"]))
"""
    told = failures(check_few(plugin(tail=tail)))
    assert list(told) == ["equals a plain forward"]


def test_a_handler_that_raises(plugin):
    body = """
    def encoder(self, module):
        inner = super().encoder(module)

        def encode(**inputs):
            if inputs["input_ids"].shape[1] == self.max_length(module.config.to_dict()):
                raise KeyError("position")
            return inner(**inputs)

        return encode
"""
    told = failures(check_few(plugin(body)))
    assert set(told) == {"takes a text of the longest length", "takes a text that is too long"}
    assert "KeyError" in told["takes a text that is too long"]


def test_chance_without_the_seed(plugin):
    body = """
    def masked_lm_head(self, module):
        import itertools
        import torch

        def late(hidden):
            # From when it is asked questions on, not yet as it is loaded and its claims are tried.
            chance = torch.rand(1) * torch.rand(74) if next(calls) > 14 else 0
            return module.cls.predictions(hidden) + chance

        calls = itertools.count()
        return late
"""
    told = failures(check_few(plugin(body)))
    assert "same seed, same answer" in told


def test_a_run_that_can_not_be_stopped(plugin):
    body = """
    def encoder(self, module):
        import torch

        for layer in module.bert.encoder.layer:
            layer._forward_pre_hooks.clear()
        return super().encoder(module)
"""
    told = failures(check_few(plugin(body)))
    (words,) = told.values()
    assert list(told) == ["is cancelled within one layer"]
    # The rest of the one pass that masked tokens take.
    assert words == "masked_tokens went on for 3 more layers."


def test_faces_that_the_manifest_does_not_name(plugin):
    told = failures(check_few(plugin(manifest=MANIFEST.replace(", hf = 1", ""))))
    assert "It imports from hf, which its plugin.toml" in told["imports from faces"]


def test_a_class_for_each_head_is_tried(plugin):
    """A tiny model of each class of a task, asked what the others have not answered."""
    folder = plugin()
    module = folder / "__init__.py"
    text = module.read_text("utf-8").replace(
        "import BERT_MASKED_LM,", "import multiple_choice, BERT_MASKED_LM,"
    )
    text = text.replace(
        "heads_known=(", 'heads_known=(multiple_choice("pooler.dense", "classifier"), '
    )
    module.write_text(text, encoding="utf-8")
    found = {(one.checkpoint, one.check): one for one in check_few(folder)}
    assert all(one.ok for one in found.values())
    tried = found["toy-tiny-multiple_choice", "scores of choices are the class's own"]
    assert tried.message.startswith("off by")
    assert ("toy-tiny-multiple_choice", "its questions answer") not in found


def test_another_plugin_that_takes_the_checkpoints(plugin):
    told = failures(check_few(plugin(), ROOT / "plugins"))
    assert list(told) == ["keeps its checkpoints among other plugins"]
    assert "BERT takes it with a score of 80" in next(iter(told.values()))


def test_an_id_that_is_taken(plugin):
    manifest = MANIFEST.replace('"toy"', '"bert"')
    body = "    pass"
    folder = plugin(body, manifest=manifest)
    module = folder / "__init__.py"
    module.write_text(module.read_text("utf-8").replace('id="toy"', 'id="bert"'), encoding="utf-8")
    told = failures(check_few(folder, ROOT / "plugins"))
    assert "Another plugin is named bert" in told["keeps its checkpoints among other plugins"]


def test_asking_for_no_torch_is_asked_in_a_fresh_interpreter():
    """torch is imported here, and the check still tells."""
    import torch

    assert torch.__name__ in sys.modules
    code = "import explorer.engine.plugins.conformance, sys; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)
