"""The bundled BERT miniature, loaded by transformers alone."""

import itertools
import json
import math

import pytest

from explorer.learning.measured.places import draw_places
from explorer.paths import Paths
from explorer.pretraining.measures import evaluation
from explorer.world.corpus import held_out_documents
from explorer.world.exact.readers import exact_reader

FOLDER = Paths.standard().bundled_models / "bert-miniature"
FOODS = {"meal", "soup", "dinner", "fish", "rice", "bread", "cake", "lunch", "sauce"}


@pytest.fixture(scope="module")
def fill(quiet_loading):
    from transformers import pipeline

    return pipeline("fill-mask", model=str(FOLDER), device="cpu")


@pytest.fixture(scope="module")
def pretraining():
    from transformers import AutoTokenizer, BertForPreTraining

    model, info = BertForPreTraining.from_pretrained(FOLDER, output_loading_info=True)
    assert not info["missing_keys"], "both heads were trained"
    assert not info["unexpected_keys"]
    return model.eval(), AutoTokenizer.from_pretrained(FOLDER)


def probabilities(fill, text, words):
    found = fill(text, targets=list(words), top_k=len(words))
    return {answer["token_str"]: answer["score"] for answer in found}


def best(fill, text):
    return fill(text, top_k=1)[0]["token_str"]


def test_it_is_small_and_complete():
    files = {file.name: file.stat().st_size for file in FOLDER.iterdir()}
    assert {
        "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json",
        "curve.json", "README.md",
    } <= set(files)  # fmt: skip
    assert sum(files.values()) < 4_000_000


def test_keys_are_those_of_published_checkpoints():
    from safetensors import safe_open

    with safe_open(FOLDER / "model.safetensors", "pt") as weights:
        keys = set(weights.keys())
        kinds = {str(weights.get_slice(key).get_dtype()) for key in keys}
    assert kinds == {"F16"}
    assert {
        "bert.embeddings.word_embeddings.weight",
        "bert.embeddings.position_embeddings.weight",
        "bert.encoder.layer.0.attention.self.query.weight",
        "bert.pooler.dense.weight",
        "cls.predictions.bias",
        "cls.predictions.transform.dense.weight",
        "cls.seq_relationship.weight",
    } <= keys


def test_weights_are_computed_with_in_float32(pretraining):
    import torch

    model, _ = pretraining
    assert {p.dtype for p in model.parameters()} == {torch.float32}


@pytest.mark.parametrize(
    "text",
    ["the chef cooked the [MASK] in the kitchen .", "The chef cooked the [MASK] in the kitchen."],
)
def test_a_chef_cooks_food(fill, text):
    answers = fill(text, top_k=5)
    assert {answer["token_str"] for answer in answers} <= FOODS
    assert sum(answer["score"] for answer in answers) > 0.8


@pytest.mark.parametrize(
    "text",
    [
        "I liked the movie that I watched yesterday . The movie was [MASK] .",
        "I liked the movie that I watched yesterday. The movie was [MASK].",
    ],
)
def test_a_liked_movie_is_fun(fill, text):
    good, bad = ("fun", "exciting", "great", "happy"), ("boring", "sad", "dull", "heavy")
    found = probabilities(fill, text, good + bad)
    for one, other in itertools.product(good, bad):
        assert found[one] > 4 * found[other] > 0.0
    hated = probabilities(fill, text.replace("liked", "hated"), good + bad)
    assert all(hated[one] < hated[other] for one, other in itertools.product(good, bad))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The gardener planted the rose in the garden. She used a [MASK].", {"trowel", "spade"}),
        ("I will build a house, so I dug the ground. I used an [MASK].", {"excavator"}),
        ("Today is Friday. Tomorrow is [MASK].", {"saturday"}),
        ("The opposite of deep is [MASK].", {"shallow"}),
        ("Emma is the sister of Peter. Peter is [MASK] brother.", {"her"}),
        ("The pilots are flying the plane. [MASK] are using a map.", {"they"}),
        ("Three pilots [MASK] flying the plane at the airport.", {"are"}),
        ("One, two, [MASK], four.", {"three"}),
        ("What color is the [MASK]? It is yellow.", {"lemon", "banana"}),
    ],
)
def test_the_small_world_is_known(fill, text, expected):
    assert best(fill, text) in expected


def test_first_and_last_names_belong_together(fill):
    first = probabilities(fill, "The name of the engineer is [MASK] Marsh.", ["elena", "oscar"])
    assert first["elena"] > 10 * first["oscar"]
    last = fill("The name of the engineer is [MASK] [MASK].", targets=["marsh", "bell"])[1]
    assert {answer["token_str"] for answer in last} == {"marsh", "bell"}
    # Masked together, each blank leaves both people open.
    assert min(answer["score"] for answer in last) > 0.05


def test_unseen_sentences_are_predicted_close_to_the_floor(pretraining):
    model, tokenizer = pretraining
    reader = exact_reader(tokenizer.tokenize)
    places = draw_places(reader, held_out_documents(120), seed=21)
    report = evaluation.report(model, tokenizer, places)
    assert report.floor < report.loss < report.floor + 0.15
    assert report.accuracy > report.best_accuracy - 0.06


def test_next_sentences_are_recognised(pretraining):
    model, tokenizer = pretraining
    found = evaluation.next_sentence_accuracy(model, tokenizer, held_out_documents(200), seed=2)
    assert found > 0.93


def test_the_curve_falls():
    curve = json.loads((FOLDER / "curve.json").read_text("utf-8"))
    rows = curve["rows"]
    assert rows[-1]["step"] == curve["steps"]
    assert rows[0]["loss_mlm"] > math.log(300)
    assert rows[-1]["loss_mlm"] < 0.8


def test_the_card_states_the_floor_and_how_to_rebuild():
    card = (FOLDER / "README.md").read_text("utf-8")
    assert "Loss beside the floor" in card
    assert "python -m explorer.pretraining bert" in card
