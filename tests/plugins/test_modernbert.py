"""A family the core has never heard of, dropped in as one folder: every question it allows.

ModernBERT has what no bundled family has: a fused projection whose queries and keys are rotated,
layers that see a window only, gates. All numbers are held against transformers' own forward.
"""

import copy
import dataclasses
import shutil
from pathlib import Path

import numpy as np
import pytest

from explorer.api.family import (
    AttentionModules,
    Attentions,
    Context,
    HeadPlace,
    LayerTrace,
    LoadOptions,
    Role,
)
from explorer.api.question import MODEL
from explorer.document import Document, Mask
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.plugins.conformance import CheckOutcome, check_plugin
from explorer.engine.plugins.host import PluginHost
from explorer.engine.plugins.plugin import MODULE_PREFIX
from explorer.engine.runner import Runner
from explorer.questions import all_questions
from explorer.questions.architecture.architecture.question import ArchitectureRequest
from explorer.questions.attention.head_ablation.question import HeadAblationRequest
from explorer.questions.attention.query_key.question import QUESTION, QueryKeyRequest
from explorer.questions.layers.probe.question import FEWEST_TEXTS
from explorer.questions.masking.surprisal.question import SurprisalRequest
from tests.plugins import encoder_checkpoints as made

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = Path(__file__).parent / "modernbert"
TEXT = "the cat sat on the mat, it was great"
MASKS = (Mask(4, 7), Mask(19, 22))
WINDOW = 2
LOCAL = (1, 2)
LAYERS, HEADS = 4, 4
OWN = ("tokens", "masked_tokens", "surprisal", "attention", "query_key", "head_ablation")
"""What meets what no other family has; all is asked with --all."""


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    user = tmp_path_factory.mktemp("user")
    shutil.copytree(PLUGIN, user / "modernbert", ignore=shutil.ignore_patterns("__pycache__"))
    return PluginHost(ROOT / "plugins", user, entry_points=False)


@pytest.fixture(scope="module")
def folder(host, tmp_path_factory):
    import sys

    host.family("modernbert")
    (name,) = [n for n in sys.modules if n.startswith(MODULE_PREFIX) and n.endswith("_modernbert")]
    path = tmp_path_factory.mktemp("models") / "modernbert"
    sys.modules[name].tiny(path)
    return path


@pytest.fixture(scope="module")
def model(host, folder):
    files = inspect_folder(folder)
    family, recognition = host.family_of(files)
    assert recognition.family == "modernbert"
    return family.load(str(folder), files, LoadOptions(device="cpu"), Context())


@pytest.fixture(scope="module")
def runner(host, folder):
    nowhere = folder / "nowhere"
    runner = Runner(host, Catalogue(host, nowhere, nowhere))
    runner.load("A", str(folder), LoadOptions(device="cpu"), Context())
    return runner


@pytest.fixture(scope="module")
def theirs(folder):
    """transformers' own class, read from the same files."""
    from transformers import ModernBertForMaskedLM

    return ModernBertForMaskedLM.from_pretrained(folder, attn_implementation="eager").eval()


def attentions(theirs, encoded):
    import torch

    with torch.inference_mode():
        return theirs(**encoded.inputs, output_attentions=True).attentions


def test_the_kit_passes(request):
    findings = check_plugin(PLUGIN, questions=None if request.config.option.all else OWN)
    assert [one for one in findings if one.outcome is CheckOutcome.FAILED] == []
    assert "equals a plain forward" in [one.check for one in findings]


def test_masked_tokens(runner, folder):
    result = made.fill(runner, TEXT, *((mask.start, mask.end) for mask in MASKS))
    made.agree(result, made.plain_logits("ModernBertForMaskedLM", folder, result))


def test_surprisal(runner, model, theirs):
    """Each token masked alone, its logarithm in transformers' own softmax."""
    import torch

    result = runner.ask(SurprisalRequest(TEXT), {"model": "A"}, Context())
    ids = torch.tensor([[token.id for token in result.tokens]])
    assert len(result.surprises) == ids.shape[1] - 2
    for one in result.surprises:
        masked = ids.clone()
        masked[0, one.position] = model.tokenizer.mask_token_id
        with torch.inference_mode():
            rows = theirs(input_ids=masked).logits[0, one.position].double().log_softmax(-1)
        expected = float(rows[ids[0, one.position]])
        assert one.log_probability == pytest.approx(expected, abs=1e-4)


def test_attention_of_layers_that_see_all_and_of_those_that_see_a_window(model, theirs):
    encoded = model.encode(TEXT)
    (stack,) = model.port(Attentions).capture(encoded, Context()).values()
    assert (stack.kind, stack.layers, stack.heads) == ("encoder", LAYERS, HEADS)
    size = len(encoded.tokens)
    far = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) > WINDOW
    for layer, (found, expected) in enumerate(
        zip(stack.weights, attentions(theirs, encoded), strict=True)
    ):
        np.testing.assert_allclose(found, expected[0].numpy(), atol=2e-6)
        assert bool((found[:, far] == 0).all()) == (layer in LOCAL)


def test_queries_and_keys_are_those_that_are_multiplied(model, theirs):
    """Behind the rotation: the softmax of their products is transformers' attention."""
    import torch

    encoded = model.encode(TEXT)
    found = model.port(AttentionModules).queries_and_keys(encoded, Context())
    expected = attentions(theirs, encoded)
    assert [one.window for one in found] == [None, WINDOW, WINDOW, None]
    for one, weights in zip(found, expected, strict=True):
        torch.testing.assert_close(one.scores().softmax(-1), weights[0], atol=2e-5, rtol=0)
        assert float(weights.max() - weights.min()) > 0.005  # otherwise anything agrees
    # Before they are turned they are others, but for the first place, which is turned by nothing.
    attn = theirs.model.layers[0].attn
    with torch.inference_mode():
        states = theirs.model.embeddings(encoded.input_ids)
        before = attn.Wqkv(states).view(1, -1, 3, HEADS, attn.head_dim)[0, :, 0].transpose(0, 1)
    torch.testing.assert_close(found[0].queries[:, 0], before[:, 0])
    assert not torch.allclose(found[0].queries[:, 3], before[:, 3], atol=1e-2)
    torch.testing.assert_close(found[0].queries.norm(dim=-1), before.norm(dim=-1))


@pytest.mark.parametrize("layer", [0, 1])
def test_the_question_about_query_and_key(runner, model, theirs, layer):
    result = runner.ask(QueryKeyRequest(TEXT, layer=layer, head=3), {"model": "A"}, Context())
    expected = attentions(theirs, model.encode(TEXT))[layer][0, 3]
    np.testing.assert_allclose(result.attention, expected.numpy(), atol=2e-5)
    size = len(result.query_tokens)
    seen = [(q, k) for q in range(size) for k in range(size) if expected[q, k] > 0]
    assert [row[0:3:2] for row in QUESTION.table(result).rows] == seen
    assert (len(seen) < size * size) == (layer in LOCAL)


@pytest.mark.parametrize("place", [HeadPlace("encoder", 0, 1), HeadPlace("encoder", 2, 3)])
def test_a_head_off_is_a_head_without_columns_in_the_output(runner, model, theirs, place):
    import torch

    result = runner.ask(
        HeadAblationRequest(TEXT, masks=MASKS, heads=(place,)), {"model": "A"}, Context()
    )
    zeroed = copy.deepcopy(theirs)
    output = zeroed.model.layers[place.layer].attn.Wo
    width = output.in_features // HEADS
    with torch.no_grad():
        output.weight[:, place.head * width : (place.head + 1) * width] = 0
    encoded = model.encode(TEXT, None, MASKS)
    with torch.inference_mode():
        before, after = (one(**encoded.inputs).logits[0].softmax(-1) for one in (theirs, zeroed))
    assert len(result.changes.masks) == 2
    for mask in result.changes.masks:
        for word in mask.words:
            assert word.before == pytest.approx(float(before[mask.position, word.id]), abs=1e-6)
            assert word.after == pytest.approx(float(after[mask.position, word.id]), abs=1e-6)
        assert max(abs(word.change) for word in mask.words) > 1e-3


def test_every_head_alone(runner):
    result = runner.ask(
        HeadAblationRequest(TEXT, masks=MASKS, every=True), {"model": "A"}, Context()
    )
    (effects,) = result.effects
    assert effects.values.shape == (LAYERS, HEADS)
    assert np.isfinite(effects.values).all()
    assert len(np.unique(effects.values)) == LAYERS * HEADS


def test_layers_states_are_transformers_own(model, theirs):
    import torch

    encoded = model.encode(TEXT)
    states = model.port(LayerTrace).layers(encoded, Context())
    with torch.inference_mode():
        expected = theirs.model(**encoded.inputs, output_hidden_states=True).hidden_states
    assert states.layers == LAYERS
    for found, own in zip(states.hidden, expected, strict=True):
        np.testing.assert_allclose(found, own[0].numpy(), atol=1e-5)


def test_parameters_and_work_are_transformers_own(runner, model, theirs):
    from torch.utils.flop_counter import FlopCounterMode

    length = 24
    import torch

    result = runner.ask(ArchitectureRequest(length=length), {"model": "A"}, Context())
    own = sum({id(p): p.numel() for p in theirs.parameters()}.values())
    assert result.parameters.unique == own
    assert str(Role.OTHER) not in result.kinds
    with FlopCounterMode(display=False) as counter, torch.inference_mode():
        theirs(input_ids=torch.ones((1, length), dtype=torch.long))
    done = counter.get_total_flops() // 2
    told = sum(work.multiply_adds for work in result.work) * length
    assert abs(told - done) <= length * len(result.work)


def test_its_published_size_is_transformers_count(host):
    import torch
    from transformers import ModernBertConfig, ModernBertForMaskedLM

    (one,) = [one for name, one in host.published if name == "modernbert"]
    with torch.device("meta"):
        module = ModernBertForMaskedLM(ModernBertConfig.from_dict(dict(one.config)))
    module.tie_weights()
    assert sum({id(p): p.numel() for p in module.parameters()}.values()) == one.parameters


def test_every_question_its_ports_allow_answers(runner):
    """No question is offered that then can't be answered."""
    card = runner.cards["A"]
    named = {
        "masked_tokens",
        "surprisal",
        "attention",
        "query_key",
        "head_ablation",
        "architecture",
    }
    assert named <= set(card.operations)
    assert "replaced_tokens" not in card.operations
    document = Document(TEXT, masks=MASKS)
    asked = []
    for name in card.operations:
        question = all_questions()[name]
        if not hasattr(question.request, "of") or set(question.roles) != {MODEL}:
            continue
        request = question.request.of(document)
        if name == "candidate_words":
            request = dataclasses.replace(request, words=("cat", "dog"))
        if name == "learnt_rules":  # its pieces are those of no small world, as it says
            continue
        if name == "bias":  # the world's pairs are longer than this model reads, as it says
            continue
        if name in ("neurons", "probe"):
            request = dataclasses.replace(request, texts=FEWEST_TEXTS)
        if name == "tuned_lens":  # without training one, which takes seconds
            request = question.cheap_variant(request)
        result = runner.ask(request, {MODEL: "A"}, Context())
        assert isinstance(result, question.result), name
        asked.append(name)
    assert named - {"architecture"} <= set(asked)
