import dataclasses
import gc
import shutil
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

from explorer.api.family import (
    Cancelled,
    CheckpointFault,
    Context,
    LoadOptions,
    NeedsConsent,
    PluginFault,
    Unavailable,
    UserMistake,
)
from explorer.api.family.load_options import as_numbers, numbers_of
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.questions import all_questions
from explorer.questions.distillation.soft_targets.question import SoftTargetsRequest
from explorer.questions.masking.masked_tokens.question import (
    MaskedTokensRequest,
    MaskedTokensResult,
)
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests.hf import tiny

ROOT = Path(__file__).resolve().parents[2]
CPU = LoadOptions(device="cpu")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.save_bert(tmp_path_factory.mktemp("models") / "bert")


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return tiny.save_bert(tmp_path_factory.mktemp("models") / "other", "BertModel", seed=1)


@pytest.fixture
def runner(tmp_path):
    host = tiny.families()
    return Runner(host, Catalogue(host, tmp_path / "bundled", tmp_path / "hub"))


def load(runner, folder, slot="A", options=CPU, context=None):
    return runner.load(slot, str(folder), options, context or Context())


def test_two_number_types_of_one_checkpoint_are_loaded_at_once(runner, folder):
    wide = load(runner, folder)
    narrow = runner.load("B", f"{folder}:bfloat16", CPU, Context())
    assert (wide.stamp.dtype, narrow.stamp.dtype) == ("float32", "bfloat16")
    assert wide.stamp.fingerprint == narrow.stamp.fingerprint
    assert wide.stamp.id == narrow.stamp.id
    assert (wide.stamp.as_asked, narrow.stamp.as_asked) == (
        str(folder),
        f"{folder}:bfloat16",
    )
    weights = [one.module.bert.embeddings.word_embeddings.weight for one in runner.models.values()]
    assert (weights[0].bfloat16() == weights[1]).all()


@pytest.mark.parametrize(
    ("name", "parted"),
    [
        ("bert-miniature", ("bert-miniature", "")),
        ("bert-miniature:8bit", ("bert-miniature", "8bit")),
        ("org/name@step100:float16", ("org/name@step100", "float16")),
        (r"C:\models\bert", (r"C:\models\bert", "")),
        ("name:latest", ("name:latest", "")),
    ],
)
def test_a_number_type_is_named_after_a_colon(name, parted):
    assert numbers_of(name) == parted
    assert as_numbers(*parted) == name


def test_the_card(runner, folder):
    card = load(runner, folder)
    module = tiny.bert_module()
    count = sum(p.numel() for p in module.parameters())
    assert (card.slot, card.title, card.folder) == ("A", "bert", str(folder))
    assert (card.parameters, card.weights_bytes) == (count, 4 * count)
    assert (card.max_length, card.mask_token) == (24, "[MASK]")
    assert card.vocabulary_size == len(tiny.VOCABULARY)
    shape = (module.config.num_hidden_layers, module.config.num_attention_heads)
    assert card.stacks == (("encoder", *shape),)
    assert card.attention_shape == shape
    assert {"architecture", "masked_tokens", "tokens"} <= set(card.operations)
    assert set(card.unavailable) == set(all_questions()) - set(card.operations)
    assert (card.stamp.id, card.stamp.family) == (str(folder), "bert")
    assert (card.stamp.device, card.stamp.dtype) == ("cpu", "float32")
    assert card.duration > 0
    assert card.architecture.startswith("BERT · 3 layers")
    assert runner.cards == {"A": card}


def test_questions(runner, folder):
    load(runner, folder)
    result = runner.ask(MaskedTokensRequest("the [MASK]", top_k=3), {"model": "A"}, Context())
    assert isinstance(result, MaskedTokensResult)
    assert result.model == runner.cards["A"].stamp
    assert len(result.masks[0].predictions) == 3
    assert len(runner.ask(TokensRequest("the cat"), {"model": "A"}, Context()).tokens) == 4


@pytest.fixture
def answered_by(monkeypatch):
    """Lets a question be answered by something else."""
    from explorer.engine import runner

    def put(kind, run):
        before = runner.question_of

        def other(request):
            found = before(request)
            return (
                dataclasses.replace(found, run=run, roles=dict.fromkeys(found.roles, ()))
                if type(request) is kind
                else found
            )

        monkeypatch.setattr(runner, "question_of", other)

    return put


def test_a_handler_sees_the_models_that_take_part_by_role(runner, folder, other, answered_by):
    load(runner, folder, "A")
    load(runner, other, "B")
    seen = {}

    def handler(model, request, context):
        seen.update(context.models)
        return model

    answered_by(TokensRequest, handler)
    assert runner.ask(TokensRequest("x"), {"model": "B"}, Context()) is runner.models["B"]
    assert seen == {"model": runner.models["B"]}
    request = SoftTargetsRequest("x")
    answered_by(SoftTargetsRequest, handler)
    cast = {"student": "A", "teacher": "B"}
    assert runner.ask(request, cast, Context()) is runner.models["B"]
    assert seen["teacher"] is runner.models["B"]
    assert seen["student"] is runner.models["A"]
    with pytest.raises(UserMistake, match="only be asked with a model as the student"):
        runner.ask(request, {"teacher": "B"}, Context())
    with pytest.raises(UserMistake, match="no model in this question"):
        runner.ask(request, {"model": "A", **cast}, Context())
    runner.unload("A")
    with pytest.raises(UserMistake, match="loaded as A, to be the student"):
        runner.ask(request, cast, Context())


def test_a_question_keeps_its_models_while_others_are_loaded(runner, folder, other, answered_by):
    """A long run gives way to calls that load and unload."""
    load(runner, folder, "A")
    model = runner.models["A"]

    def handler(_model, _request, context):
        load(runner, other, "A")
        runner.unload("A")
        return context.model("model")

    answered_by(TokensRequest, handler)
    assert runner.ask(TokensRequest("x"), {"model": "A"}, Context()) is model


def test_questions_that_cannot_be_asked(runner, other):
    with pytest.raises(UserMistake, match="No model is loaded as A"):
        runner.ask(TokensRequest("x"), {"model": "A"}, Context())
    with pytest.raises(UserMistake, match="no slot C"):
        runner.ask(TokensRequest("x"), {"model": "C"}, Context())
    load(runner, other)
    with pytest.raises(Unavailable, match="no masked language model head"):
        runner.ask(MaskedTokensRequest("the [MASK]"), {"model": "A"}, Context())
    with pytest.raises(Unavailable, match="no question for dict"):
        runner.ask({}, {"model": "A"}, Context())


@pytest.mark.usefixtures("wholly_unloaded")
def test_unload_frees_the_model(runner, folder):
    load(runner, folder)
    runner.ask(MaskedTokensRequest("the [MASK]"), {"model": "A"}, Context())
    weight = weakref.ref(runner.models["A"].module.bert.embeddings.word_embeddings.weight)
    assert weight() is not None
    runner.unload("A")
    assert weight() is None
    assert not runner.models
    assert not runner.cards
    runner.unload("A")


def test_a_new_model_takes_the_old_ones_place(runner, folder, other):
    first = load(runner, folder)
    old = weakref.ref(runner.models["A"].module)
    second = load(runner, other)
    gc.collect()
    assert old() is None
    assert first.stamp != second.stamp
    assert runner.cards == {"A": second}


def test_a_load_that_fails_leaves_the_slot_as_it_was(runner, folder, tmp_path):
    card = load(runner, folder)
    model = runner.models["A"]
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    content = (broken / "model.safetensors").read_bytes()
    (broken / "model.safetensors").write_bytes(content[:-9])
    pickled = tiny.save_bert(tmp_path / "pickled", pickled=True)
    (tmp_path / "bare").mkdir()
    shutil.copy(folder / "config.json", tmp_path / "bare")
    wide = tiny.changed_config(folder, tmp_path / "wide", vocab_size=500)
    for path, kind in (
        (broken, CheckpointFault),
        (wide, CheckpointFault),
        (tmp_path / "bare", CheckpointFault),
        ("google-bert/bert-base-uncased", CheckpointFault),
        (pickled, NeedsConsent),
        (tmp_path / "nowhere", UserMistake),
    ):
        with pytest.raises(kind):
            load(runner, path)
    with pytest.raises(UserMistake, match="not a device"):
        load(runner, folder, options=LoadOptions(device="abacus"))
    with pytest.raises(PluginFault, match="no plugin named nobody"):
        load(runner, folder, options=LoadOptions(device="cpu", family="nobody"))
    assert runner.models["A"] is model
    assert runner.cards["A"] is card


@pytest.mark.parametrize("checks", range(5))
def test_a_load_can_be_cancelled(runner, folder, checks):
    left = iter([False] * checks)
    with pytest.raises(Cancelled):
        load(runner, folder, context=Context(is_cancelled=lambda: next(left, True)))
    assert not runner.models


def test_a_family_can_be_chosen(runner, folder, tmp_path):
    strange = tiny.changed_config(folder, tmp_path / "strange", model_type="strange")
    with pytest.raises(CheckpointFault, match='type "strange"'):
        load(runner, strange)
    card = load(runner, strange, options=LoadOptions(device="cpu", family="bert"))
    assert card.stamp.family == "bert"


def test_consent_opens_a_pickle(runner, tmp_path):
    pickled = tiny.save_bert(tmp_path / "pickled", pickled=True)
    card = load(runner, pickled, options=LoadOptions(device="cpu", allow_pickle=True))
    assert "masked_tokens" in card.operations


def ask_anything(runner, folder):
    load(runner, folder)
    return runner.ask(TokensRequest("x"), {"model": "A"}, Context())


def test_a_plugins_mistake_is_the_plugins_fault(tmp_path, folder):
    bad = tmp_path / "user" / "bad"
    bad.mkdir(parents=True)
    (bad / "plugin.toml").write_text('id = "bad"\ntitle = "Bad"\napi = 2\nmodel_types = ["bert"]\n')
    code = """
from explorer.hf import ClassChoice, TransformersFamily
def crash(*args):
    raise RuntimeError("boom")
class Bad(TransformersFamily):
    def load(self, *args):
        if "{fails}" == "load":
            raise ZeroDivisionError("oh")
        return super().load(*args)
    def encode(self, *args, **options):
        crash()
FAMILY = Bad(id='bad', title='Bad', model_types=('bert',), heads_known=(),
             classes=(ClassChoice('BertModel', frozenset()),), prefix='bert')
"""
    for fails, words in (("load", "ZeroDivisionError: oh"), ("encode", "boom")):
        (bad / "__init__.py").write_text(code.replace("{fails}", fails))
        shutil.rmtree(bad / "__pycache__", ignore_errors=True)
        host = PluginHost(tmp_path / "none", tmp_path / "user", entry_points=False)
        runner = Runner(host, Catalogue(host, tmp_path / "bundled", tmp_path / "hub"))
        with pytest.raises(PluginFault, match=words) as caught:
            ask_anything(runner, folder)
        assert "The plugin Bad failed" in caught.value.message


def test_torch_is_not_imported_before_the_first_load(tmp_path):
    code = (
        "import sys; from pathlib import Path; from explorer.engine.runner import *;"
        "from explorer.engine.library.catalogue import Catalogue;"
        f"h = PluginHost(Path({str(ROOT / 'plugins')!r}));"
        f"r = Runner(h, Catalogue(h, Path({str(tmp_path)!r}), Path({str(tmp_path)!r})));"
        "r.unload('A');"
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, cwd=ROOT)
