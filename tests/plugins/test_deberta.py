"""DeBERTa's numbers are the authors'."""

import pytest

from explorer.api.family import Cancelled, Context, Discriminator, Predictor
from explorer.hf.predict.masked_text import predict_masks
from tests.hf import tiny
from tests.plugins import deberta_files as files

EXACT = 1e-5


def close(one, other, tolerance=EXACT):
    import torch

    torch.testing.assert_close(one, other, atol=tolerance, rtol=0)


@pytest.fixture(scope="module", params=files.VERSIONS)
def version(request):
    return request.param


@pytest.fixture(scope="module")
def model(version):
    return tiny.load(files.REFERENCE / version)


@pytest.fixture(scope="module")
def discriminator():
    return tiny.load(files.REFERENCE / "v3")


def test_the_input_is_the_authors(version, model):
    encoded = model.encode(files.text_of(version))
    expected = files.expected(version)
    assert encoded.input_ids.tolist() == expected["input_ids"].tolist()
    assert list(encoded.mask_positions) == expected["mask_positions"].tolist()


def test_last_hidden_state(version, model):
    import torch

    expected = files.expected(version)
    with torch.inference_mode():
        close(model.encoder(input_ids=expected["input_ids"]), expected["last_hidden_state"])


def test_logits_of_the_enhanced_mask_decoder(version, model):
    import torch

    expected = files.expected(version)
    with torch.inference_mode():
        states = model.port(Predictor).states_of(input_ids=expected["input_ids"])
        logits = model.port(Predictor).head(states[0, expected["mask_positions"].long()])
    close(logits, expected["emd_logits"])


def test_fill_mask_answers_with_the_authors_probabilities(version, model):
    probabilities = files.expected(version)["emd_logits"].softmax(dim=-1)
    result = files.answer(model, files.text_of(version))
    close(files.as_matrix(result), probabilities)
    for mask, row in zip(result.masks, probabilities, strict=True):
        assert mask.predictions[0].id == int(row.argmax())


def test_the_decoder_is_not_the_encoder(version, model):
    """The reference would also fit a wrong program if both gave the same."""
    import torch

    expected = files.expected(version)
    with torch.inference_mode():
        states = model.encoder(input_ids=expected["input_ids"])
        logits = model.port(Predictor).head(states[0, expected["mask_positions"].long()])
    assert float((logits - expected["emd_logits"]).abs().max()) > 0.1


def test_an_attention_mask_hides_padding_from_the_decoder(version, model):
    import torch

    expected = files.expected(version)
    ids = torch.nn.functional.pad(expected["input_ids"], (0, 4))
    mask = (torch.arange(ids.shape[1]) < ids.shape[1] - 4).long()[None]
    with torch.inference_mode():
        states = model.port(Predictor).states_of(input_ids=ids, attention_mask=mask)
        logits = model.port(Predictor).head(states[0, expected["mask_positions"].long()])
    close(logits, expected["emd_logits"])


def test_every_weight_of_the_file_is_used(version, model):
    assert model.report.missing == ()
    assert model.report.unexpected == ()
    loaded = sum(parameter.numel() for parameter in model.module.parameters())
    assert loaded == sum(one.numel() for one in files.weights_of(version).values())
    found, family, _ = files.recognised(files.REFERENCE / version)
    assert family.parameters(found) == loaded


@pytest.mark.parametrize("allowed", [0, 1, 2, 3, 4])
def test_it_can_be_stopped_before_every_layer_and_decoder_step(model, allowed):
    """Three layers and two steps of the decoder: five calls of a layer."""
    done = []
    hooks = [
        layer.register_forward_hook(lambda *_: done.append(1))
        for layer in model.module.deberta.encoder.layer
    ]
    encoded = model.encode("w56 [MASK] w78")
    try:
        context = Context(is_cancelled=lambda: len(done) >= allowed)
        with pytest.raises(Cancelled):
            predict_masks(model, encoded, 3, context)
        assert len(done) == allowed
        done.clear()
        predict_masks(model, encoded, 3, Context())
        assert len(done) == 5
    finally:
        for hook in hooks:
            hook.remove()


def test_nothing_is_left_hooked_to_v1s_projection():
    model = tiny.load(files.REFERENCE / "v1")
    before = files.answer(model, files.text_of("v1"))
    projection = model.module.deberta.encoder.layer[-1].attention.self.in_proj
    assert not projection._forward_hooks
    assert files.answer(model, files.text_of("v1")) == before


def test_replaced_token_head(discriminator):
    import torch

    expected = files.expected("v3")
    encoded = discriminator.encode(files.text_of("v3", "rtd_text"))
    assert encoded.input_ids.tolist() == expected["rtd_input_ids"].tolist()
    with torch.inference_mode():
        states = discriminator.encoder(input_ids=expected["rtd_input_ids"])
        logits = discriminator.port(Discriminator).head(states)
    assert logits.shape == expected["rtd_input_ids"].shape
    close(logits, expected["rtd_logits"])


def test_only_v3_has_the_replaced_token_head():
    for version in files.VERSIONS:
        model = tiny.load(files.REFERENCE / version)
        head = next(head for head in model.heads if head.name == "replaced_token")
        assert head.present == (version == "v3")
        assert (Discriminator in model.ports) == (version == "v3")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_in_half_precision_the_first_guess_stays(version, dtype):
    model = tiny.load(files.REFERENCE / version, dtype=dtype)
    probabilities = files.expected(version)["emd_logits"].softmax(dim=-1)
    result = files.answer(model, files.text_of(version))
    close(files.as_matrix(result), probabilities, 0.02)


def test_position_attention_types_as_a_list(tmp_path, version):
    kinds = files.config_of(version)["pos_att_type"].split("|")
    folder = files.write(tmp_path / "m", version, files.weights_of(version), pos_att_type=kinds)
    result = files.answer(tiny.load(folder), files.text_of(version))
    close(files.as_matrix(result), files.expected(version)["emd_logits"].softmax(dim=-1))


@pytest.mark.parametrize("pickled", ["new", "old"])
def test_a_pickled_file_answers_the_same(tmp_path, version, pickled):
    """ "old" is the format from before PyTorch 1.6, which has no index."""
    weights = files.weights_of(version)
    folder = files.write(tmp_path / "m", version, weights, pickled=pickled)
    result = files.answer(tiny.load(folder, allow_pickle=True), files.text_of(version))
    close(files.as_matrix(result), files.expected(version)["emd_logits"].softmax(dim=-1))
