"""The bundled ELECTRA miniatures, loaded by transformers alone."""

import json
import math

import pytest
import torch

from explorer.learning.measured import detection
from explorer.learning.measured.places import draw_places
from explorer.paths import Paths
from explorer.pretraining.measures import evaluation
from explorer.world.corpus import held_out_documents
from explorer.world.exact.readers import exact_reader

MODELS = Paths.standard().bundled_models
GENERATOR = MODELS / "electra-miniature-generator"
DISCRIMINATOR = MODELS / "electra-miniature-discriminator"
BOTH = (GENERATOR, DISCRIMINATOR)


@pytest.fixture(scope="module")
def generator():
    from transformers import ElectraForMaskedLM

    model, info = ElectraForMaskedLM.from_pretrained(GENERATOR, output_loading_info=True)
    assert not info["missing_keys"]
    assert not info["unexpected_keys"]
    return model.eval()


@pytest.fixture(scope="module")
def discriminator():
    from transformers import ElectraForPreTraining

    model, info = ElectraForPreTraining.from_pretrained(DISCRIMINATOR, output_loading_info=True)
    assert not info["missing_keys"]
    assert not info["unexpected_keys"]
    return model.eval()


@pytest.fixture(scope="module")
def vocabulary():
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(DISCRIMINATOR)


@pytest.mark.parametrize("folder", BOTH, ids=lambda folder: folder.name)
def test_each_is_small_and_complete(folder):
    files = {file.name: file.stat().st_size for file in folder.iterdir()}
    assert {
        "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json",
        "curve.json", "README.md",
    } <= set(files)  # fmt: skip
    assert sum(files.values()) < 4_000_000


@pytest.mark.parametrize(
    ("folder", "own"),
    [
        (GENERATOR, {"generator_predictions.dense.weight", "generator_lm_head.bias"}),
        (DISCRIMINATOR, {"discriminator_predictions.dense_prediction.weight"}),
    ],
)
def test_keys_are_those_of_published_checkpoints(folder, own):
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", "pt") as weights:
        keys = set(weights.keys())
        kinds = {str(weights.get_slice(key).get_dtype()) for key in keys}
    assert kinds == {"F16"}
    assert own | {"electra.embeddings.position_embeddings.weight"} <= keys


@pytest.mark.parametrize("folder", BOTH, ids=lambda folder: folder.name)
def test_pieces_are_berts(folder):
    def pieces(where):
        return json.loads((where / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]

    assert pieces(folder) == pieces(MODELS / "bert-miniature")


def test_embeddings_are_shared_and_the_generator_is_narrower(generator, discriminator):
    for (name, one), other in zip(
        generator.electra.embeddings.state_dict().items(),
        discriminator.electra.embeddings.state_dict().values(),
        strict=True,
    ):
        assert torch.equal(one, other), name
    assert generator.config.hidden_size == discriminator.config.hidden_size // 2


@pytest.mark.parametrize(
    ("text", "fitting", "floor"),
    [
        (
            "I liked the movie that I watched yesterday . The movie was [MASK] .",
            {"exciting", "great", "fun", "happy", "funny", "good"},
            0.35,
        ),
        ("I will build a house, so I dug the ground. I used an [MASK].", {"excavator"}, 0.5),
        ("I will plant flowers, so I dug the ground. I used a [MASK].", {"trowel", "spade"}, 0.25),
        ("Emma is the sister of Peter. Peter is [MASK] brother.", {"her", "his"}, 0.4),
    ],
)
def test_the_generator_knows_the_small_world(generator, vocabulary, text, fitting, floor):
    likeliest = evaluation.fill(generator, vocabulary, text, count=20)[0]
    assert sum(chance for piece, chance in likeliest if piece in fitting) > floor


def test_the_generator_predicts_unseen_sentences(generator, vocabulary):
    reader = exact_reader(vocabulary.tokenize)
    places = draw_places(reader, held_out_documents(30), seed=21)
    report = evaluation.report(generator, vocabulary, places)
    assert report.floor < report.loss < 2.1
    assert report.accuracy > 0.52


def test_the_discriminator_finds_replaced_tokens_in_unseen_documents(
    generator, discriminator, vocabulary
):
    documents = held_out_documents(120)
    judged = detection.judge(generator, discriminator, vocabulary, documents, seed=9)
    found = detection.summarise(judged)
    assert 0.01 < found.base_rate < 0.15
    assert found.accuracy > 1.0 - found.base_rate
    assert found.area > 0.85
    assert found.precision > 0.6
    assert found.recall > 0.3


def test_the_curve_falls():
    curve = json.loads((DISCRIMINATOR / "curve.json").read_text("utf-8"))
    first, last = curve["rows"][0], curve["rows"][-1]
    assert last["step"] == curve["steps"]
    assert first["mlm_loss"] > math.log(300) > last["mlm_loss"]
    assert last["rtd_loss"] < first["rtd_loss"] / 2
    share = last["replaced"]
    chance = -share * math.log(share) - (1 - share) * math.log(1 - share)
    assert last["rtd_loss"] < 0.8 * chance, "better than knowing the base rate alone"


def test_the_cards_state_figures_and_how_to_rebuild():
    found = (DISCRIMINATOR / "README.md").read_text("utf-8")
    assert all(word in found for word in ("base rate", "precision", "recall", "ROC"))
    told = (GENERATOR / "README.md").read_text("utf-8")
    assert "Loss beside the floor" in told
    assert all("python -m explorer.pretraining electra" in card for card in (found, told))
