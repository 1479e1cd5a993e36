"""The bundled miniatures of RoBERTa, ALBERT, SpanBERT and ERNIE, loaded by transformers alone."""

import json
from dataclasses import dataclass

import pytest

from explorer.learning.measured.places import draw_places, reads
from explorer.paths import Paths
from explorer.pretraining.measures import evaluation
from explorer.world.corpus import held_out_documents
from explorer.world.exact.readers import exact_reader, spelled_reader

MODELS = Paths.standard().bundled_models
FOODS = ("meal", "soup", "dinner", "fish", "rice", "bread", "cake", "lunch", "sauce", "pie")
GOOD, BAD = ("fun", "exciting", "great", "happy"), ("boring", "sad", "dull", "heavy")


@dataclass(frozen=True)
class Expected:
    """What a miniature has to be.

    Attributes:
        model: the class of transformers that loads it.
        keys: some names of the published layout.
        extra: names that the class does not know.
        food: least probability of food where a chef cooks.
        excess: most nats above the floor.
        spelled: whether its pieces know spaces or capitals.
        warm: whether it started from BERT's weights.
    """

    model: str
    keys: frozenset[str]
    extra: str = "nothing else"
    food: float = 0.8
    excess: float = 0.5
    spelled: bool = False
    warm: bool = False


EXPECTED = {
    "roberta-miniature": Expected(
        "RobertaForMaskedLM",
        frozenset(
            {
                "roberta.embeddings.word_embeddings.weight",
                "roberta.encoder.layer.3.output.LayerNorm.bias",
                "lm_head.dense.weight",
                "lm_head.layer_norm.weight",
                "lm_head.bias",
            }
        ),
        spelled=True,
    ),
    "albert-miniature": Expected(
        "AlbertForPreTraining",
        frozenset(
            {
                "albert.embeddings.word_embeddings.weight",
                "albert.encoder.embedding_hidden_mapping_in.weight",
                "albert.encoder.albert_layer_groups.0.albert_layers.0.ffn.weight",
                "albert.pooler.weight",
                "predictions.dense.weight",
                "predictions.bias",
                "sop_classifier.classifier.weight",
            }
        ),
        spelled=True,
    ),
    "spanbert-miniature": Expected(
        "BertForMaskedLM",
        frozenset(
            {
                "bert.embeddings.word_embeddings.weight",
                "cls.predictions.transform.dense.weight",
                "cls.predictions.bias",
                "sbo.position_embeddings.weight",
                "sbo.dense1.weight",
                "sbo.layer_norm2.bias",
                "sbo.bias",
            }
        ),
        extra="sbo.",
        excess=0.2,
        warm=True,
    ),
    "ernie-miniature": Expected(
        "ErnieForMaskedLM",
        frozenset(
            {
                "ernie.embeddings.word_embeddings.weight",
                "ernie.encoder.layer.3.intermediate.dense.weight",
                "cls.predictions.transform.LayerNorm.weight",
                "cls.predictions.bias",
            }
        ),
        excess=0.2,
        warm=True,
    ),
}


@pytest.fixture(scope="module", params=EXPECTED)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def loaded(name, quiet_loading):
    import transformers

    model_class = getattr(transformers, EXPECTED[name].model)
    model, info = model_class.from_pretrained(MODELS / name, output_loading_info=True)
    tokenizer = transformers.AutoTokenizer.from_pretrained(MODELS / name)
    return model.eval(), tokenizer, info


def answers(loaded, text):
    """Probability of each piece at the one [MASK], by how the piece is read."""
    model, tokenizer, _ = loaded
    (likeliest,) = evaluation.fill(
        model, tokenizer, text.replace("[MASK]", tokenizer.mask_token), count=len(tokenizer)
    )
    found = {}
    for piece, probability in likeliest:
        read = piece.lstrip("Ġ▁")
        found[read] = found.get(read, 0.0) + probability
    return found


def test_the_folder_is_small_and_complete(name):
    files = {file.name: file.stat().st_size for file in (MODELS / name).iterdir()}
    assert {
        "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json",
        "curve.json", "README.md",
    } <= set(files)  # fmt: skip
    assert sum(files.values()) < 4_000_000
    card = (MODELS / name / "README.md").read_text("utf-8")
    assert "Loss beside the floor" in card
    assert f"python -m explorer.pretraining {name.removesuffix('-miniature')}" in card


def test_the_published_layout(name):
    from safetensors import safe_open

    with safe_open(MODELS / name / "model.safetensors", "pt") as weights:
        keys = set(weights.keys())
        kinds = {str(weights.get_slice(key).get_dtype()) for key in keys}
    assert kinds == {"F16"}
    assert EXPECTED[name].keys <= keys
    config = json.loads((MODELS / name / "config.json").read_text("utf-8"))
    assert config["architectures"] == [EXPECTED[name].model]


def test_transformers_finds_every_weight(name, loaded):
    model, _, info = loaded
    assert not info["missing_keys"]
    assert all(key.startswith(EXPECTED[name].extra) for key in info["unexpected_keys"])
    assert {str(p.dtype) for p in model.parameters()} == {"torch.float32"}


@pytest.mark.parametrize(
    "text",
    ["the chef cooked the [MASK] in the kitchen .", "The chef cooked the [MASK] in the kitchen."],
)
def test_a_chef_cooks_food(name, loaded, text):
    found = answers(loaded, text)
    assert sum(found.get(food, 0.0) for food in FOODS) > EXPECTED[name].food


@pytest.mark.parametrize("verdict", ["liked", "hated"])
@pytest.mark.parametrize("end", [".", " ."])
def test_a_verdict_tells_what_the_film_was(loaded, verdict, end):
    text = f"I {verdict} the movie that I watched yesterday{end} The movie was [MASK]{end}"
    found = answers(loaded, text)
    expected, other = (GOOD, BAD) if verdict == "liked" else (BAD, GOOD)
    likely = sum(found[word] for word in expected)
    assert likely > 0.5
    assert likely > 4 * sum(found[word] for word in other)


def test_the_tool_fits_the_purpose(loaded):
    plants = answers(loaded, "I will plant flowers, so I dug the ground. I used a [MASK].")
    assert plants["trowel"] + plants["spade"] > 0.8
    build = answers(loaded, "I will build a house, so I dug the ground. I used an [MASK].")
    assert build["excavator"] > 0.8


def test_unseen_sentences_are_predicted_near_the_floor(name, loaded):
    model, tokenizer, _ = loaded
    make = spelled_reader if EXPECTED[name].spelled else exact_reader
    places = draw_places(make(tokenizer.tokenize), held_out_documents(40), seed=21)
    report = evaluation.report(model, tokenizer, places)
    assert report.floor < report.loss < report.floor + EXPECTED[name].excess
    assert report.accuracy > report.best_accuracy - 0.2


def test_the_curve_falls(name):
    curve = json.loads((MODELS / name / "curve.json").read_text("utf-8"))
    rows = curve["rows"]
    assert rows[-1]["step"] == curve["steps"]
    losses = [row["loss_mlm"] for row in rows]
    first, last = sum(losses[:4]) / 4, sum(losses[-4:]) / 4
    assert last < first
    # SpanBERT and ERNIE start from BERT's weights.
    assert EXPECTED[name].warm or losses[0] > 5.5
    assert last < 1.7


@pytest.mark.parametrize("family", ["spanbert", "ernie"])
def test_vocabularies_are_berts_very_own(family):
    own, bert = (
        json.loads((MODELS / f"{one}-miniature" / "tokenizer.json").read_text("utf-8"))
        for one in (family, "bert")
    )
    assert own["model"] == bert["model"]


def test_pieces_read_a_spelled_text_as_the_tokenizer_does(name, loaded):
    _, tokenizer, _ = loaded
    if not EXPECTED[name].spelled:
        return
    reader = spelled_reader(tokenizer.tokenize)
    for document in held_out_documents(60):
        read = [piece for _, pieces in reads(reader, document) for piece in pieces]
        assert read == tokenizer.tokenize(document.text)


def test_albert_tells_the_order_of_sentences(quiet_loading):
    from transformers import AlbertForPreTraining, AutoTokenizer

    folder = MODELS / "albert-miniature"
    model = AlbertForPreTraining.from_pretrained(folder).eval()
    assert len(model.albert.encoder.albert_layer_groups) == 1
    assert model.config.embedding_size < model.config.hidden_size
    tokenizer = AutoTokenizer.from_pretrained(folder)
    found = evaluation.sentence_order_accuracy(model, tokenizer, held_out_documents(150), seed=2)
    assert found > 0.9


def test_alberts_own_file_reads_texts_as_its_tokenizer_does():
    import sentencepiece
    from transformers import AutoTokenizer

    folder = MODELS / "albert-miniature"
    own = sentencepiece.SentencePieceProcessor(model_file=str(folder / "spiece.model"))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    for document in held_out_documents(60):
        numbers = tokenizer(document.text, add_special_tokens=False)["input_ids"]
        assert own.encode(document.text.lower()) == numbers


def test_spanbert_tells_a_span_from_its_boundaries(quiet_loading):
    import torch
    from transformers import AutoTokenizer

    from explorer.learning.models.span_boundary import SpanBertForPreTraining

    folder = MODELS / "spanbert-miniature"
    model, info = SpanBertForPreTraining.from_pretrained(folder, output_loading_info=True)
    assert not info["missing_keys"]
    assert not info["unexpected_keys"]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    text = "the chef cooked the [MASK] [MASK] [MASK] . it was delicious ."
    encoded = tokenizer(text, return_tensors="pt")
    with torch.inference_mode():
        states = model.eval().bert(**encoded)[0]
        # [CLS] the chef cooked the _ _ _ .
        left, right = states[0, [4, 4, 4]], states[0, [8, 8, 8]]
        logits = model.sbo(left, right, torch.arange(3), model.get_input_embeddings().weight)
        beside = torch.softmax(logits, dim=-1)
    first = {food: float(beside[0, tokenizer.convert_tokens_to_ids(food)]) for food in FOODS}
    assert sum(first.values()) > 0.5
    best = tokenizer.convert_ids_to_tokens(beside.argmax(-1).tolist())
    assert best[1] in {"in", "with", "at"}


def test_the_plugin_reads_the_span_boundary_head_as_it_was_trained():
    import torch
    from safetensors.torch import load_file

    from explorer.learning.models.span_boundary import SpanBertForPreTraining
    from plugins.spanbert.span_boundary import SpanBoundaryHead

    folder = MODELS / "spanbert-miniature"
    model = SpanBertForPreTraining.from_pretrained(folder).eval()
    stored = {
        name.removeprefix("sbo."): tensor.float()
        for name, tensor in load_file(folder / "model.safetensors").items()
        if name.startswith("sbo.")
    }
    head = SpanBoundaryHead.shaped_like(stored, model.config.layer_norm_eps)
    head.load_state_dict(stored)
    width = model.config.hidden_size
    left, right, places = torch.randn(6, width), torch.randn(6, width), torch.arange(6)
    embeddings = model.get_input_embeddings().weight
    with torch.inference_mode():
        own = model.sbo(left, right, places, embeddings)
        torch.testing.assert_close(head(left, right, places, embeddings), own)
