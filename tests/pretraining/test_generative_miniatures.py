"""The bundled miniatures of GPT-1, GPT-2, T5 and XLM, where built, by transformers alone."""

import json
from dataclasses import dataclass

import pytest

from explorer.paths import Paths
from explorer.world.corpus import held_out_documents

MODELS = Paths.standard().bundled_models
FOODS = {"meal", "soup", "dinner", "fish", "rice", "bread", "cake", "lunch", "sauce", "pie"}
GOOD, BAD = ("fun", "exciting", "great", "happy"), ("boring", "sad", "dull", "heavy")


@dataclass(frozen=True)
class Expected:
    """What a miniature has to be."""

    model: str
    tokenizer: str
    files: frozenset[str]
    keys: frozenset[str]
    loss: str
    last_loss: float


EXPECTED = {
    "gpt2-miniature": Expected(
        "GPT2LMHeadModel",
        "AutoTokenizer",
        frozenset({"tokenizer.json"}),
        frozenset(
            {"transformer.wte.weight", "transformer.wpe.weight", "transformer.ln_f.weight",
             "transformer.h.0.attn.c_attn.weight", "transformer.h.0.mlp.c_proj.bias"}
        ),
        "loss_next",
        1.2,
    ),
    "gpt1-miniature": Expected(
        "OpenAIGPTLMHeadModel",
        "AutoTokenizer",
        frozenset({"tokenizer.json"}),
        frozenset(
            {"transformer.tokens_embed.weight", "transformer.positions_embed.weight",
             "transformer.h.0.attn.c_attn.weight", "transformer.h.0.ln_2.weight"}
        ),
        "loss_next",
        1.5,
    ),
    "t5-miniature": Expected(
        "T5ForConditionalGeneration",
        "AutoTokenizer",
        frozenset({"tokenizer.json", "spiece.model"}),
        frozenset(
            {"shared.weight", "encoder.final_layer_norm.weight",
             "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
             "decoder.block.0.layer.1.EncDecAttention.q.weight"}
        ),
        "loss_spans",
        1.0,
    ),
    "xlm-miniature": Expected(
        "XLMWithLMHeadModel",
        "XLMTokenizer",
        frozenset({"vocab.json", "merges.txt"}),
        frozenset(
            {"transformer.embeddings.weight", "transformer.lang_embeddings.weight",
             "transformer.attentions.0.q_lin.weight", "pred_layer.proj.bias"}
        ),
        "loss_mlm",
        1.5,
    ),
}  # fmt: skip
LEFT = [name for name in EXPECTED if name.startswith("gpt")]


@pytest.fixture(scope="module")
def load(quiet_loading):
    import transformers

    known = {}

    def loaded(name):
        if name not in known:
            expected = EXPECTED[name]
            model, info = getattr(transformers, expected.model).from_pretrained(
                MODELS / name, output_loading_info=True
            )
            assert not info["missing_keys"]
            assert not info["unexpected_keys"]
            tokenizer = getattr(transformers, expected.tokenizer).from_pretrained(MODELS / name)
            known[name] = model.eval(), tokenizer
        return known[name]

    return loaded


@pytest.mark.parametrize("name", EXPECTED)
def test_it_is_small_and_in_the_published_layout(name):
    from safetensors import safe_open

    folder, expected = MODELS / name, EXPECTED[name]
    files = {file.name: file.stat().st_size for file in folder.iterdir()}
    common = {"config.json", "model.safetensors", "tokenizer_config.json", "curve.json"}
    assert common | {"README.md"} | expected.files <= set(files)
    assert sum(files.values()) < 4_000_000
    with safe_open(folder / "model.safetensors", "pt") as weights:
        keys = set(weights.keys())
        assert {str(weights.get_slice(key).get_dtype()) for key in keys} == {"F16"}
    assert expected.keys <= keys


@pytest.mark.parametrize("name", EXPECTED)
def test_the_curve_falls_and_the_card_says_how_to_rebuild(name):
    curve = json.loads((MODELS / name / "curve.json").read_text("utf-8"))
    first, last = curve["rows"][0], curve["rows"][-1]
    assert last["step"] == curve["steps"]
    assert last[EXPECTED[name].loss] < EXPECTED[name].last_loss < first[EXPECTED[name].loss]
    card = (MODELS / name / "README.md").read_text("utf-8")
    assert "Loss beside the floor" in card
    assert f"python -m explorer.pretraining {name.removesuffix('-miniature')}" in card


def next_words(loaded, text):
    import torch

    model, tokenizer = loaded
    tokens = torch.tensor([tokenizer(text)["input_ids"]])
    with torch.inference_mode():
        found = torch.softmax(model(input_ids=tokens).logits[0, -1], dim=-1).tolist()
    pieces = tokenizer.convert_ids_to_tokens(range(len(found)))
    return {
        piece.removeprefix("Ġ").removesuffix("</w>"): p
        for piece, p in zip(pieces, found, strict=True)
        if piece[0] == "Ġ" or piece.endswith("</w>")
    }


@pytest.mark.parametrize("name", LEFT)
def test_what_comes_next_is_known(load, name):
    loaded = load(name)
    food = next_words(loaded, "The chef cooked the")
    assert sum(food.get(word, 0.0) for word in FOODS) > 0.7
    liked = next_words(loaded, "I liked the movie that I watched yesterday. The movie was")
    hated = next_words(loaded, "I hated the movie that I watched yesterday. The movie was")
    for one in GOOD:
        for other in BAD:
            assert liked[one] > liked[other] > 0.0
            assert hated[one] < hated[other]
    day = next_words(loaded, "Today is Friday. Tomorrow is")
    assert max(day, key=day.__getitem__).lower() == "saturday"


@pytest.mark.parametrize("name", LEFT)
def test_unseen_sentences_are_predicted_close_to_the_floor(load, name):
    from explorer.learning.measured.floors import compare
    from explorer.learning.measured.predictions import predict_next
    from explorer.pretraining.measures.next_place import draw_next_places
    from explorer.world.exact.readers import exact_reader, spelled_reader

    model, tokenizer = load(name)
    make = spelled_reader if name == "gpt2-miniature" else exact_reader
    reader = make(tokenizer.tokenize)
    places = draw_next_places(reader, held_out_documents(40), seed=3, space="Ġ")
    found = compare(tokenizer, places, predict_next(model, tokenizer, places))
    assert found.floor < found.loss < found.floor + 0.3


@pytest.mark.parametrize("name", LEFT)
def test_the_card_tells_what_really_stands_there_too(name):
    card = (MODELS / name / "README.md").read_text("utf-8")
    rows = {
        cells[1].strip(): [cell.strip() for cell in cells[2:-1]]
        for line in card.splitlines()
        if len(cells := line.split("|")) == 7 and "±" in line
    }
    assert list(rows) == ["next piece", "the piece that stands there"]
    for loss, floor, right, best in rows.values():
        mean, error = map(float, loss.split("±"))
        assert 0.03 < error < 0.1
        assert float(floor) < mean
        assert 0 < float(right.strip("%")) <= 100
        assert 0 < float(best.strip("%")) <= 100


def test_gpt2_has_the_pieces_and_merges_of_roberta(load):
    roberta = MODELS / "roberta-miniature" / "tokenizer.json"
    own = MODELS / "gpt2-miniature" / "tokenizer.json"
    theirs, ours = (json.loads(file.read_text("utf-8"))["model"] for file in (roberta, own))
    special = {"<s>", "<pad>", "</s>", "<unk>", "<mask>"}
    assert ours["merges"] == theirs["merges"]
    assert set(ours["vocab"]) - {"<|endoftext|>"} == set(theirs["vocab"]) - special


def test_gpt2_ends_a_story(load):
    from explorer.pretraining.measures.next_place import go_on

    model, tokenizer = load("gpt2-miniature")
    story = go_on(model, tokenizer, "The gardener planted", pieces=60)
    assert story.endswith(".")
    assert len(tokenizer(story)["input_ids"]) < 40


def test_t5_fills_spans(load):
    from explorer.pretraining.cards.spans import fill_spans

    model, tokenizer = load("t5-miniature")
    spans = dict(fill_spans(model, tokenizer, "The chef cooked [MASK] in the kitchen."))
    food = sum(p for span, p in spans.items() if set(span.split()) & FOODS)
    assert 0.3 < food <= sum(spans.values()) <= 1.0 + 1e-6
    (day, _), *_ = fill_spans(model, tokenizer, "Today is Friday. Tomorrow is [MASK].")
    assert day.startswith("Saturday")


def test_xlm_reads_the_translation(load):
    import math

    from explorer.learning.batches.translations import ENGLISH, KOREAN
    from explorer.pretraining.cards.translations import pieces_of, predict_masked

    model, tokenizer = load("xlm-miniature")
    english = [*pieces_of(tokenizer, "The gardener planted the"), None, ".</w>"]

    def probability(word, translation):
        texts = [(english, ENGLISH)]
        if translation:
            texts.append((pieces_of(tokenizer, translation), KOREAN))
        (row,) = predict_masked(model, tokenizer, [(texts, english.index(None))])
        return math.exp(row[tokenizer.convert_tokens_to_ids(f"{word}</w>")])

    for word, told in (("rose", "정원사는 장미를 심었다."), ("tree", "정원사는 나무를 심었다.")):
        assert probability(word, told) > 0.4
        assert probability(word, told) > 1.5 * probability(word, "")


def test_xlm_fills_both_languages(load):
    import numpy as np

    from explorer.learning.batches.translations import ENGLISH, KOREAN
    from explorer.pretraining.cards.translations import pieces_of, predict_masked

    model, tokenizer = load("xlm-miniature")

    def best(before, behind, language, count):
        pieces = [*pieces_of(tokenizer, before), None, *pieces_of(tokenizer, behind)]
        (row,) = predict_masked(model, tokenizer, [([(pieces, language)], pieces.index(None))])
        likeliest = np.argsort(-row)[:count].tolist()
        found = tokenizer.convert_ids_to_tokens(likeliest)
        return {piece.removesuffix("</w>") for piece in found}

    assert best("The chef cooked the", "in the kitchen.", ENGLISH, 3) <= FOODS | {"fishes"}
    assert best("요리사는", "식사를 요리했다.", KOREAN, 3) & {"부엌에서", "식당에서"}
