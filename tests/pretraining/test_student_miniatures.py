"""The bundled students and MobileBERT's teacher, loaded by transformers alone."""

import json
from dataclasses import dataclass

import pytest

from explorer.learning.measured.places import draw_places
from explorer.paths import Paths
from explorer.pretraining.measures import comparison, evaluation
from explorer.pretraining.recipes import load_recipe
from explorer.world.corpus import held_out_documents
from explorer.world.exact.readers import exact_reader

MODELS = Paths.standard().bundled_models
FOODS = {"meal", "soup", "dinner", "fish", "rice", "bread", "cake", "lunch", "sauce"}


@dataclass(frozen=True)
class Expected:
    """What is asked of one miniature.

    Attributes:
        classes: transformers' classes that find every weight they need in it.
        keys: some of the names that its published models have.
        food: least probability of food where a chef cooks.
        liked: how much likelier good words than bad ones are after "I liked the movie".
        excess: at most so much over the floor, in nats, where one piece is masked.
    """

    classes: tuple[str, ...]
    keys: frozenset[str]
    food: float
    liked: float
    excess: float


EXPECTED = {
    "distilbert-miniature": Expected(
        classes=("DistilBertForMaskedLM",),
        keys=frozenset(
            {
                "distilbert.embeddings.word_embeddings.weight",
                "distilbert.transformer.layer.1.attention.q_lin.weight",
                "distilbert.transformer.layer.1.output_layer_norm.weight",
                "vocab_transform.weight",
                "vocab_layer_norm.weight",
                "vocab_projector.bias",
            }
        ),
        food=0.8,
        liked=10.0,
        excess=0.3,
    ),
    "tinybert-miniature": Expected(
        classes=("BertForPreTraining",),
        keys=frozenset(
            {
                "bert.encoder.layer.1.attention.self.query.weight",
                "bert.pooler.dense.weight",
                "cls.predictions.transform.dense.weight",
                "cls.seq_relationship.weight",
                "fit_denses.0.weight",
                "fit_denses.2.bias",
            }
        ),
        food=0.8,
        liked=10.0,
        excess=0.6,
    ),
    "ib-bert-miniature": Expected(
        classes=("MobileBertForPreTraining",),
        keys=frozenset(
            {
                "mobilebert.embeddings.embedding_transformation.weight",
                "mobilebert.encoder.layer.3.bottleneck.input.dense.weight",
                "mobilebert.encoder.layer.3.output.bottleneck.dense.weight",
                "cls.predictions.dense.weight",
                "cls.seq_relationship.weight",
            }
        ),
        food=0.8,
        liked=10.0,
        excess=0.6,
    ),
    "mobilebert-miniature": Expected(
        classes=("MobileBertForPreTraining",),
        keys=frozenset(
            {
                "mobilebert.embeddings.embedding_transformation.weight",
                "mobilebert.encoder.layer.3.bottleneck.attention.dense.weight",
                "mobilebert.encoder.layer.3.ffn.2.output.dense.weight",
                "cls.predictions.dense.weight",
                "cls.seq_relationship.weight",
            }
        ),
        food=0.8,
        liked=10.0,
        excess=0.8,
    ),
}
BUNDLED = [name for name in EXPECTED if (MODELS / name).is_dir()]
STUDENTS = [name for name in BUNDLED if name != "ib-bert-miniature"]


def measured(student):
    """What was measured beside a student, by name of the model."""
    return json.loads((MODELS / student / comparison.FILE).read_text("utf-8"))["models"]


WITH_A_RIVAL = [name for name in STUDENTS if "alone" in measured(name)]


@pytest.fixture(scope="module", params=BUNDLED)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def fill(name, quiet_loading):
    from transformers import pipeline

    return pipeline("fill-mask", model=str(MODELS / name), device="cpu")


def probability(fill, text, words):
    found = fill(text, targets=list(words), top_k=len(words))
    return sum(answer["score"] for answer in found)


def test_it_is_small_and_complete(name):
    files = {file.name: file.stat().st_size for file in (MODELS / name).iterdir()}
    assert {
        "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json",
        "curve.json", "README.md",
    } <= set(files)  # fmt: skip
    assert sum(files.values()) < 4_000_000


def test_keys_are_those_of_published_checkpoints_and_all_are_trained(name, quiet_loading):
    import transformers
    from safetensors import safe_open

    with safe_open(MODELS / name / "model.safetensors", "pt") as weights:
        keys = set(weights.keys())
        assert {str(weights.get_slice(key).get_dtype()) for key in keys} == {"F16"}
    assert EXPECTED[name].keys <= keys
    for kind in EXPECTED[name].classes:
        _, info = getattr(transformers, kind).from_pretrained(
            MODELS / name, output_loading_info=True
        )
        assert not info["missing_keys"]
        assert {key.split(".")[0] for key in info["unexpected_keys"]} <= {"fit_denses"}


def test_the_vocabulary_is_berts(name):
    def vocabulary(model):
        return json.loads((MODELS / model / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]

    assert vocabulary(name) == vocabulary("bert-miniature")


def test_a_chef_cooks_food(name, fill):
    text = "The chef cooked the [MASK] in the kitchen."
    assert fill(text, top_k=1)[0]["token_str"] in FOODS
    assert probability(fill, text, FOODS) > EXPECTED[name].food


def test_a_liked_movie_is_fun(name, fill):
    good, bad = ("fun", "exciting", "great", "happy"), ("boring", "sad", "dull", "heavy")
    text = "I liked the movie that I watched yesterday. The movie was [MASK]."
    times = EXPECTED[name].liked
    assert probability(fill, text, good) > times * probability(fill, text, bad)
    hated = text.replace("liked", "hated")
    assert probability(fill, hated, bad) > probability(fill, hated, good)


def test_unseen_sentences_are_predicted_close_to_the_floor(name, fill):
    reader = exact_reader(fill.tokenizer.tokenize)
    places = draw_places(reader, held_out_documents(100), seed=21)
    report = evaluation.report(fill.model, fill.tokenizer, places)
    assert report.floor < report.loss < report.floor + EXPECTED[name].excess


@pytest.mark.parametrize("student", WITH_A_RIVAL)
def test_a_student_is_nearer_to_its_teacher_than_a_rival_without_one(student):
    models = measured(student)
    for masked in comparison.MASKED:
        assert models["teacher"][masked]["kl_t1"] == 0.0
        for figure in ("kl_t1", "kl_t2"):
            assert 0.0 < models["student"][masked][figure] < models["alone"][masked][figure]
        assert models["student"][masked]["agreement"] > models["alone"][masked]["agreement"]
    card = (MODELS / student / "README.md").read_text("utf-8")
    assert comparison.verdict(models) in card
    assert f"python -m explorer.pretraining {student.removesuffix('-miniature')}" in card


@pytest.mark.parametrize("student", STUDENTS)
def test_the_figures_are_those_of_the_weights_that_are_here(student):
    """A teacher or student that was trained again has to be compared again."""
    recipe = load_recipe(student.removesuffix("-miniature"))
    kept = json.loads((MODELS / student / comparison.FILE).read_text("utf-8"))["weights"]
    assert kept == {
        "teacher": comparison.fingerprint(MODELS / recipe.teacher_name),
        "student": comparison.fingerprint(MODELS / student),
    }
