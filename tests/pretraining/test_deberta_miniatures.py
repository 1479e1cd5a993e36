"""The bundled DeBERTa miniatures: what the plugin answers is what was trained."""

import json
import math

import pytest
import torch

from explorer.learning.measured import detection
from explorer.learning.measured.places import draw_places
from explorer.paths import Paths
from explorer.pretraining.measures import evaluation
from explorer.pretraining.models import deberta_discriminator, deberta_masked_lm
from explorer.world.corpus import held_out_documents
from explorer.world.exact.readers import exact_reader
from tests.plugins import deberta_files as files

MODELS = Paths.standard().bundled_models
V1 = "deberta-v1-miniature"
V2 = "deberta-v2-miniature"
V3 = "deberta-v3-miniature"
V3_GENERATOR = "deberta-v3-miniature-generator"
PREDICTING = {V1: 1, V2: 2, V3_GENERATOR: 3}
ALL = (*PREDICTING, V3)
HEAD = "lm_predictions.lm_head."
# How far the loss on unseen sentences may be above its floor, in nats.
GAP = {V1: 0.8, V2: 0.8, V3_GENERATOR: 1.5}


@pytest.fixture(scope="module", params=PREDICTING)
def predicting(request):
    """A model that was trained to predict masked tokens, its tokenizer, its folder."""
    return trained(request.param)


def trained(name):
    from transformers import AutoTokenizer

    model = deberta_masked_lm(PREDICTING[name]).from_pretrained(MODELS / name).eval()
    return model, AutoTokenizer.from_pretrained(MODELS / name), MODELS / name


@pytest.mark.parametrize("name", ALL)
def test_each_is_small_and_complete(name):
    found = {file.name: file.stat().st_size for file in (MODELS / name).iterdir()}
    assert {
        "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json",
        "curve.json", "README.md",
    } <= set(found)  # fmt: skip
    assert sum(found.values()) < 4_000_000


@pytest.mark.parametrize(
    ("name", "own"),
    [
        (V1, {"deberta.encoder.layer.0.attention.self.pos_q_proj.weight", f"{HEAD}bias"}),
        (V2, {"deberta.encoder.conv.conv.weight", "deberta.encoder.rel_embeddings.weight"}),
        (V3_GENERATOR, {"deberta.embeddings.position_embeddings.weight", f"{HEAD}dense.weight"}),
        (V3, {"mask_predictions.classifier.weight", "deberta.encoder.LayerNorm.weight"}),
    ],
)
def test_keys_are_those_of_published_checkpoints(name, own):
    from safetensors import safe_open

    with safe_open(MODELS / name / "model.safetensors", "pt") as weights:
        keys = set(weights.keys())
        kinds = {str(weights.get_slice(key).get_dtype()) for key in keys}
    assert kinds == {"F16"}
    assert own | {"deberta.embeddings.word_embeddings.weight"} <= keys
    assert ("deberta.embeddings.position_embeddings.weight" in keys) == (name in PREDICTING)
    config = json.loads((MODELS / name / "config.json").read_text("utf-8"))
    assert not config["position_biased_input"]
    assert set(config["pos_att_type"]) == {"c2p", "p2c"}


@pytest.mark.parametrize("name", ALL)
def test_transformers_loads_the_encoder(name, quiet_loading):
    from transformers import AutoModel

    model, info = AutoModel.from_pretrained(MODELS / name, output_loading_info=True)
    assert not info["missing_keys"]
    assert model.config.hidden_size == 128


@pytest.mark.parametrize("name", ALL)
def test_pieces_are_berts(name):
    def pieces(where):
        return json.loads((where / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]

    assert pieces(MODELS / name) == pieces(MODELS / "bert-miniature")


def test_the_plugin_answers_with_the_trained_models_probabilities(predicting):
    model, vocabulary, folder = predicting
    text = "The chef cooked the [MASK] in the kitchen. Today is [MASK]."
    encoded = vocabulary(text, return_tensors="pt")
    with torch.inference_mode():
        logits = model(**encoded).logits[0]
    expected = logits[encoded["input_ids"][0] == vocabulary.mask_token_id].softmax(dim=-1)

    from tests.hf import tiny

    answer = files.answer(tiny.load(folder), text, top_k=len(vocabulary))
    found = files.as_matrix(answer, len(vocabulary))
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize(
    ("text", "fitting", "floor"),
    [
        (
            "the chef cooked the [MASK] in the kitchen .",
            {"meal", "soup", "dinner", "fish", "rice", "lunch", "sauce", "bread", "cake"},
            0.2,
        ),
        (
            "I liked the movie that I watched yesterday . The movie was [MASK] .",
            {"exciting", "great", "fun", "happy", "funny", "good"},
            0.45,
        ),
        ("I will build a house, so I dug the ground. I used an [MASK].", {"excavator"}, 0.7),
        ("Emma is the sister of Peter. Peter is [MASK] brother.", {"her", "his"}, 0.7),
    ],
)
def test_the_small_world_is_known(predicting, text, fitting, floor):
    model, vocabulary, _ = predicting
    likeliest = evaluation.fill(model, vocabulary, text, count=20)[0]
    assert sum(chance for piece, chance in likeliest if piece in fitting) > floor


def test_unseen_sentences_are_predicted(predicting):
    model, vocabulary, folder = predicting
    reader = exact_reader(vocabulary.tokenize)
    places = draw_places(reader, held_out_documents(30), seed=21)
    report = evaluation.report(model, vocabulary, places)
    assert report.floor < report.loss < report.floor + GAP[folder.name]


def test_the_discriminator_finds_replaced_tokens_in_unseen_documents():
    generator, vocabulary, _ = trained(V3_GENERATOR)
    discriminator = deberta_discriminator().from_pretrained(MODELS / V3).eval()
    documents = held_out_documents(120)
    judged = detection.judge(generator, discriminator, vocabulary, documents, seed=9)
    found = detection.summarise(judged)
    assert found.accuracy > 1.0 - found.base_rate
    assert found.area > 0.8
    assert found.recall > 0.1


def test_the_discriminators_embeddings_are_the_generators_and_a_difference():
    from safetensors.torch import load_file

    name = "deberta.embeddings.word_embeddings.weight"
    one = load_file(MODELS / V3_GENERATOR / "model.safetensors")[name].float()
    other = load_file(MODELS / V3 / "model.safetensors")[name].float()
    difference = (other - one).norm() / one.norm()
    assert 0.01 < difference < 1.5


@pytest.mark.parametrize("name", ALL)
def test_the_curve_falls(name):
    curve = json.loads((MODELS / name / "curve.json").read_text("utf-8"))
    rows = curve["rows"]
    loss = "loss_mlm" if name in (V1, V2) else "mlm_loss"
    assert rows[-1]["step"] == curve["steps"]
    assert rows[0][loss] > math.log(300)
    assert rows[-1][loss] < 2.0


@pytest.mark.parametrize("name", ALL)
def test_the_card_says_how_to_rebuild(name):
    card = (MODELS / name / "README.md").read_text("utf-8")
    recipe = name.removesuffix("-generator").removesuffix("-miniature")
    assert f"python -m explorer.pretraining {recipe}" in card
    assert ("area under the ROC curve" if name == V3 else "Loss beside the floor") in card
