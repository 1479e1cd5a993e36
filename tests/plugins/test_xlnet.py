"""XLNet as a user's plugin: one folder dropped in, and every question that fills masks answered."""

import itertools
import shutil
from pathlib import Path

import numpy as np
import pytest

from explorer.api.family import Context, LoadOptions
from explorer.document import Mask
from explorer.engine.library.catalogue import Catalogue
from explorer.engine.library.inspection import inspect_folder
from explorer.engine.plugins.conformance import CheckOutcome, check_plugin
from explorer.engine.plugins.host import PluginHost
from explorer.engine.runner import Runner
from explorer.hf.family.tiny import tiny_tokenizer
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.questions.distillation.soft_targets.question import SoftTargetsRequest
from explorer.questions.masking.candidate_words.question import CandidateWordsRequest
from explorer.questions.masking.joint_decoding.question import DecodingMethod, JointDecodingRequest
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.masking.surprisal.question import SurprisalRequest
from tests.plugins.encoder_checkpoints import changed, state

HERE = Path(__file__).resolve().parent
PLUGINS = HERE.parents[1] / "plugins"
CPU = LoadOptions(device="cpu")
TEXT = "the cat sat on the mat"
MASKS = (Mask(4, 7), Mask(19, 22))
OWN = ("tokens", "masked_tokens", "surprisal", "attention", "candidate_words", "joint_decoding")
"""What meets what no other family has; all is asked with --all."""


@pytest.fixture
def host(tmp_path):
    shutil.copytree(HERE / "xlnet", tmp_path / "user" / "xlnet")
    return PluginHost(PLUGINS, tmp_path / "user", entry_points=False)


@pytest.fixture
def saved(tmp_path):
    """A random XLNet as transformers saves it."""
    import torch
    from transformers import XLNetConfig, XLNetLMHeadModel

    tokenizer = tiny_tokenizer("xlnet")
    torch.manual_seed(0)
    config = XLNetConfig(
        vocab_size=len(tokenizer),
        d_model=32,
        n_layer=3,
        n_head=4,
        d_inner=48,
        initializer_range=0.3,
        pad_token_id=tokenizer.pad_token_id,
    )
    module = XLNetLMHeadModel(config).eval()
    with torch.no_grad():
        module.lm_loss.bias.normal_(0, 0.1)
    folder = tmp_path / "small-xlnet"
    module.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder, module


@pytest.fixture
def runner(tmp_path, host, saved):
    made = Runner(host, Catalogue(host, tmp_path / "none", tmp_path / "none"))
    made.load("A", str(saved[0]), CPU, Context())
    return made


def ask(runner, request):
    roles = {"model": "A"}
    if isinstance(request, SoftTargetsRequest):
        roles = {"teacher": "A", "student": "A"}
    return runner.ask(request, roles, Context())


def permuted(module, tokens, hidden, ids=None):
    """Probabilities at the hidden places (hidden x vocabulary), none of which is seen."""
    import torch

    ids = [token.id for token in tokens] if ids is None else ids
    length = len(ids)
    perm_mask = torch.zeros(1, length, length)
    perm_mask[:, :, hidden] = 1.0
    target_mapping = torch.zeros(1, len(hidden), length)
    for number, place in enumerate(hidden):
        target_mapping[0, number, place] = 1.0
    types = [2 if token.text == "<cls>" else 0 for token in tokens]
    with torch.inference_mode():
        answer = module(
            torch.tensor([ids]),
            token_type_ids=torch.tensor([types]),
            perm_mask=perm_mask,
            target_mapping=target_mapping,
        )
    return answer.logits[0].double().softmax(-1).numpy()


def test_the_folder_is_all_it_takes(host, saved):
    family, recognition = host.family_of(inspect_folder(saved[0]))
    assert (family.id, recognition.score) == ("xlnet", 80)
    assert not [one.problem for one in host.records if one.problem]


def test_it_keeps_the_contract(request):
    asked = None if request.config.option.all else OWN
    findings = check_plugin(HERE / "xlnet", PLUGINS, questions=asked)
    assert [one for one in findings if one.failed] == []
    passed = {one.check for one in findings if one.outcome is CheckOutcome.PASSED}
    assert {"equals a plain forward", "is cancelled within one layer"} <= passed


def test_masked_tokens(runner, saved):
    result = ask(runner, MaskedTokensRequest(TEXT, masks=MASKS, top_k=10**6))
    hidden = [mask.position for mask in result.masks]
    assert [result.tokens[place].text for place in hidden] == ["<mask>", "<mask>"]
    expected = permuted(saved[1], result.tokens, hidden)
    for mask, row in zip(result.masks, expected, strict=True):
        assert row.max() > 2 / len(row)  # otherwise anything would agree
        given = np.full(len(row), np.nan)
        for one in mask.predictions:
            given[one.id] = one.probability
        np.testing.assert_allclose(given, row, atol=1e-4)
    # Whatever stands at a hidden place plays no part: the other stream would have seen it.
    other = [5 if place in hidden else one.id for place, one in enumerate(result.tokens)]
    np.testing.assert_allclose(permuted(saved[1], result.tokens, hidden, other), expected)


def test_surprisal(runner, saved):
    result = ask(runner, SurprisalRequest(TEXT))
    assert len(result.surprises) >= 6
    for one in result.surprises:
        (row,) = permuted(saved[1], result.tokens, [one.position])
        piece = result.tokens[one.position].id
        assert one.log_probability == pytest.approx(np.log(row[piece]), abs=1e-4)


def test_joint_decoding_puts_found_words_where_they_are_seen(runner, saved):
    result = ask(
        runner, JointDecodingRequest(TEXT, masks=MASKS, method=DecodingMethod.LEFT_TO_RIGHT)
    )
    first, second = (i for i, token in enumerate(result.tokens) if token.masked)
    row = permuted(saved[1], result.tokens, [first, second])[0]
    ids = [token.id for token in result.tokens]
    ids[first] = int(row.argmax())
    after = permuted(saved[1], result.tokens, [second], ids)[0]
    best = result.fillings[0]
    assert [one.id for one in best.chosen] == [ids[first], int(after.argmax())]
    expected = np.log(row.max()) + np.log(after.max())
    assert best.log_joint == pytest.approx(expected, abs=1e-4)


def test_candidate_words(runner, saved):
    result = ask(runner, CandidateWordsRequest(TEXT, masks=(MASKS[0],), words=("dog", "movie")))
    (gap,) = result.gaps
    (row,) = permuted(saved[1], result.tokens, list(gap.positions))
    for score in gap.scores:
        (piece,) = score.pieces
        assert score.log_probability == pytest.approx(np.log(row[piece.id]), abs=1e-4)


def test_soft_targets(runner, saved):
    result = ask(runner, SoftTargetsRequest(TEXT, masks=MASKS))
    assert len(result.masks) == 2
    hidden = [i for i, token in enumerate(result.tokens) if token.masked]
    expected = np.log(permuted(saved[1], result.tokens, hidden))
    for mask, row in zip(result.masks, expected, strict=True):
        given = np.asarray(mask.teacher, dtype=float)
        given = given - np.log(np.exp(given - given.max()).sum()) - given.max()
        np.testing.assert_allclose(np.exp(given), np.exp(row), atol=1e-4)


def test_attention_of_the_stream_that_sees(runner, saved):
    import torch

    result = ask(runner, AttentionRequest(TEXT, heads=("0.1", "2.3")))
    ids = torch.tensor([[token.id for token in result.tokens]])
    types = torch.tensor([[2 if token.text == "<cls>" else 0 for token in result.tokens]])
    with torch.inference_mode():
        output = saved[1](ids, token_type_ids=types, output_attentions=True)
    np.testing.assert_allclose(result.weights[0], output.attentions[0][0, 1], atol=1e-4)
    np.testing.assert_allclose(result.weights[1], output.attentions[2][0, 3], atol=1e-4)


def test_many_inputs_at_once_are_as_each_alone(runner, saved):
    from explorer.api.family import Predictor, Query

    model = runner.models["A"]
    port = model.port(Predictor)
    encoded = model.encode(TEXT)
    places = range(len(encoded.tokens))
    queries = [Query(encoded, pair, {}) for pair in itertools.combinations(places, 2)]
    queries += [Query(encoded, (place,), {place: None}) for place in places]
    for query, rows in zip(queries, port.log_probabilities(queries, Context()), strict=True):
        expected = permuted(saved[1], encoded.tokens, list(query.asked))
        np.testing.assert_allclose(rows.exp().numpy(), expected, atol=1e-4)


def test_a_head_that_is_not_in_the_files(tmp_path, host, saved):
    weights = {name: one for name, one in state(saved[0]).items() if name != "lm_loss.bias"}
    folder = changed(saved[0], tmp_path / "headless", weights)
    runner = Runner(host, Catalogue(host, tmp_path / "none", tmp_path / "none"))
    card = runner.load("A", str(folder), CPU, Context())
    assert "masked_tokens" not in card.operations
    assert "lm_loss.bias is missing" in card.unavailable["masked_tokens"]


def test_without_the_folder_it_predicts_nothing(tmp_path, saved):
    """As a generic model it would seem to read from the left, and sees what it should predict."""
    host = PluginHost(PLUGINS, None, entry_points=False)
    runner = Runner(host, Catalogue(host, tmp_path / "none", tmp_path / "none"))
    card = runner.load("A", str(saved[0]), CPU, Context())
    assert card.stamp.family == "auto"
    assert "masked_tokens" not in card.operations
