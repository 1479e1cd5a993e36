"""Which DeBERTa a checkpoint is, and which of its heads may answer."""

from dataclasses import replace

import pytest

from explorer.api.family import Discriminator, Predictor
from explorer.questions import answered_with
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.hf import tiny
from tests.plugins import deberta_files as files


@pytest.mark.parametrize(
    ("version", "evidence"),
    [("v1", "stands for v1"), ("v2", "convolution"), ("v3", "replaced-token head")],
)
def test_the_generation_is_told_with_its_evidence(version, evidence):
    found, family, recognition = files.recognised(files.REFERENCE / version)
    assert recognition.family == "deberta"
    assert evidence in recognition.reason
    assert family.architecture(found.config).startswith(f"DeBERTa {version} · 3 layers")


@pytest.mark.parametrize(
    ("folder", "evidence"),
    [
        ("my-deberta-v3", "its name says v3"),
        ("my-DeBERTa-V2", "its name says v2"),
        ("something", "without a convolution it is built as v3"),
    ],
)
def test_without_evidence_in_the_files_the_name_decides(tmp_path, folder, evidence):
    weights = files.without(files.weights_of("v3"), "mask_predictions.")
    _, _, recognition = files.recognised(files.write(tmp_path / folder, "v3", weights))
    assert evidence in recognition.reason


def test_the_files_overrule_the_name(tmp_path):
    v2 = files.write(tmp_path / "deberta-v3", "v2", files.weights_of("v2"))
    v3 = files.write(tmp_path / "deberta-v2", "v3", files.weights_of("v3"))
    assert "makes it v2" in files.recognised(v2)[2].reason
    assert "makes it v3" in files.recognised(v3)[2].reason


def test_a_discriminators_masked_lm_head_comes_with_a_warning(tmp_path):
    warning = "may predict poorly"
    weights = files.without(files.weights_of("v3"), "mask_predictions.")
    generator = files.write(tmp_path / "generator", "v3", weights)
    assert warning in files.recognised(files.REFERENCE / "v3")[2].reason
    assert warning not in files.recognised(generator)[2].reason


def refused(folder):
    """Why it does not answer masked tokens, before and after loading."""
    found, family, _ = files.recognised(folder)
    assert "masked_tokens" not in answered_with(family.offers(found))
    model = tiny.load(folder)
    assert not tiny.answers(model, MaskedTokensRequest)
    assert Predictor not in model.ports
    assert not model.heads[0].present
    return tiny.why_not(model, MaskedTokensRequest)


@pytest.mark.parametrize("version", files.VERSIONS)
def test_no_head(tmp_path, version):
    weights = files.without(files.weights_of(version), files.HEAD)
    why = refused(files.write(tmp_path / "m", version, weights))
    assert "lm_predictions.lm_head.dense.weight and others are missing" in why


@pytest.mark.parametrize("version", files.VERSIONS)
def test_an_encoder_saved_alone_without_its_prefix(tmp_path, version):
    weights = {
        name.removeprefix("deberta."): one
        for name, one in files.weights_of(version).items()
        if name.startswith("deberta.") and name != files.POSITIONS
    }
    folder = files.write(tmp_path / "m", version, weights)
    assert "missing" in refused(folder)
    import torch

    expected = files.expected(version)
    with torch.inference_mode():
        states = tiny.load(folder).encoder(input_ids=expected["input_ids"])
    torch.testing.assert_close(states, expected["last_hidden_state"], atol=1e-5, rtol=0)


@pytest.mark.parametrize("lost", ["dense.weight", "LayerNorm.bias", "bias"])
def test_a_head_with_a_tensor_less(tmp_path, lost):
    weights = files.without(files.weights_of("v2"), files.HEAD + lost)
    assert f"{files.HEAD}{lost} is missing" in refused(files.write(tmp_path / "m", "v2", weights))


@pytest.mark.parametrize("version", files.VERSIONS)
def test_a_head_without_absolute_positions(tmp_path, version):
    weights = files.without(files.weights_of(version), files.POSITIONS)
    why = refused(files.write(tmp_path / "m", version, weights))
    assert "not the absolute position embeddings" in why


def test_a_decoder_narrower_than_the_encoder_is_refused(tmp_path):
    import torch

    weights = files.weights_of("v3")
    weights["deberta.embeddings.word_embeddings.weight"] = torch.randn(97, 32)
    weights[files.POSITIONS] = torch.randn(64, 32)
    weights["deberta.embeddings.embed_proj.weight"] = torch.randn(48, 32)
    folder = files.write(tmp_path / "m", "v3", weights, embedding_size=32)
    assert "differ in width" in refused(folder)


@pytest.mark.parametrize("version", ["v1", "v3"])
def test_positions_in_the_input_mean_no_decoder(tmp_path, version):
    """position_biased_input true: the authors' head reads the last layer. Narrow embeddings too."""
    import torch
    import transformers
    from torch.nn import functional

    torch.manual_seed(1)
    weights = files.weights_of(version)
    head = {name: 0.3 * torch.randn_like(one) for name, one in weights.items() if "lm_head" in name}
    head[f"{files.HEAD}dense.weight"] = 0.3 * torch.randn(32, 48)
    for name in ("dense.bias", "LayerNorm.weight", "LayerNorm.bias"):
        head[files.HEAD + name] = 0.3 * torch.randn(32)
    weights = {**files.without(weights, files.HEAD, "mask_predictions."), **head}
    weights["deberta.embeddings.word_embeddings.weight"] = 0.3 * torch.randn(97, 32)
    weights[files.POSITIONS] = 0.3 * torch.randn(64, 32)
    weights["deberta.embeddings.embed_proj.weight"] = 0.3 * torch.randn(48, 32)
    folder = files.write(
        tmp_path / "m", version, weights, embedding_size=32, position_biased_input=True
    )
    model = tiny.load(folder)
    assert model.heads[0].title == "Masked language model"
    result = files.answer(model, files.text_of(version))

    expected = files.expected(version)
    encoder = transformers.AutoModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        states = encoder(expected["input_ids"]).last_hidden_state
    states = states[0, expected["mask_positions"].long()]
    states = functional.gelu(
        states @ head[f"{files.HEAD}dense.weight"].T + head[f"{files.HEAD}dense.bias"]
    )
    states = functional.layer_norm(
        states,
        (32,),
        head[f"{files.HEAD}LayerNorm.weight"],
        head[f"{files.HEAD}LayerNorm.bias"],
        1e-7,
    )
    words = weights["deberta.embeddings.word_embeddings.weight"]
    logits = states @ words.T + head[f"{files.HEAD}bias"]
    torch.testing.assert_close(files.as_matrix(result), logits.softmax(dim=-1), atol=1e-5, rtol=0)


def fine_tuned(version, *, train):
    """transformers' own masked-LM class on the reference's encoder."""
    import torch
    import transformers

    torch.manual_seed(2)
    module = transformers.AutoModelForMaskedLM.from_pretrained(files.REFERENCE / version).eval()
    if train:
        with torch.no_grad():
            for parameter in module.cls.parameters():
                parameter.add_(0.2 * torch.randn_like(parameter))
    return module


@pytest.mark.parametrize("version", files.VERSIONS)
def test_transformers_own_head_answers_when_it_was_trained(tmp_path, version):
    import torch

    module = fine_tuned(version, train=True)
    folder = files.write(tmp_path / "m", version, tiny.weights_of(module))
    _, _, recognition = files.recognised(folder)
    assert "transformers' own (cls.predictions)" in recognition.reason
    model = tiny.load(folder)
    assert "no enhanced decoder" in model.heads[0].title
    expected = files.expected(version)
    with torch.inference_mode():
        logits = module(expected["input_ids"]).logits[0, expected["mask_positions"].long()]
    torch.testing.assert_close(
        files.as_matrix(files.answer(model, files.text_of(version))),
        logits.softmax(dim=-1),
        atol=1e-5,
        rtol=0,
    )


@pytest.mark.parametrize("version", files.VERSIONS)
def test_a_random_head_that_was_saved_is_refused(tmp_path, version):
    """What DebertaForMaskedLM.from_pretrained(published).save_pretrained() leaves behind."""
    weights = tiny.weights_of(fine_tuned(version, train=False))
    folder = files.write(tmp_path / "m", version, weights)
    model = tiny.load(folder)
    assert not tiny.answers(model, MaskedTokensRequest)
    assert Predictor not in model.ports
    assert not model.heads[0].present
    assert "never trained" in tiny.why_not(model, MaskedTokensRequest)


def test_the_published_head_goes_before_transformers_own(tmp_path):
    import torch

    weights = {**tiny.weights_of(fine_tuned("v2", train=True)), **files.weights_of("v2")}
    model = tiny.load(files.write(tmp_path / "m", "v2", weights))
    probabilities = files.expected("v2")["emd_logits"].softmax(dim=-1)
    result = files.answer(model, files.text_of("v2"))
    torch.testing.assert_close(files.as_matrix(result), probabilities, atol=1e-5, rtol=0)


def test_the_replaced_token_head_needs_no_masked_lm_head(tmp_path):
    import torch

    weights = files.without(files.weights_of("v3"), files.HEAD, files.POSITIONS)
    model = tiny.load(files.write(tmp_path / "m", "v3", weights))
    assert [head.present for head in model.heads] == [False, True]
    expected = files.expected("v3")
    with torch.inference_mode():
        states = model.encoder(input_ids=expected["rtd_input_ids"])
        logits = model.port(Discriminator).head(states)
    torch.testing.assert_close(logits, expected["rtd_logits"], atol=1e-5, rtol=0)


PUBLISHED = [one for family, one in tiny.families().published if family == "deberta"]


@pytest.mark.parametrize("one", PUBLISHED, ids=lambda one: one.id)
def test_published_numbers_fit_the_published_architecture(one):
    """Weights counted on the meta device; files hold them as float32 (v1) or float16."""
    import torch
    import transformers

    family = tiny.families().family("deberta")
    kind = one.config["model_type"]
    v1, v3 = kind == "deberta", "v3" in one.id
    chosen = replace(family, v1=v1, masked=replace(family.masked, missing=()))
    heads = {"masked_lm", "replaced_token"} if v3 else {"masked_lm"}
    config = transformers.AutoConfig.for_model(**one.config)
    with torch.device("meta"):
        module = chosen.model_class(heads)(config)
    weights = sum(parameter.numel() for parameter in module.parameters())
    assert one.parameters == weights
    assert one.size_bytes == pytest.approx(weights * (4 if v1 else 2), rel=3e-3)
    assert family.architecture(one.config).startswith(
        f"DeBERTa {'v1' if v1 else 'v3' if v3 else 'v2'} · {one.config['num_hidden_layers']} layers"
    )
