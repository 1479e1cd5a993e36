"""XLM against transformers' own forward and tokenizer, from the published layout."""

import json
import sys

import numpy as np
import pytest

from explorer.api.family import CheckpointFault, Context, UserMistake
from explorer.document import Mask
from explorer.engine.plugins.plugin import MODULE_PREFIX
from explorer.questions import answered_with
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests.hf import tiny

SPECIAL = ["<s>", "</s>", "<pad>", "<unk>", *(f"<special{i}>" for i in range(10))]
LETTERS = [chr(n) for n in range(ord("a"), ord("z") + 1)] + list(".,!?\"'-")
# The third column of the published merges is how often a pair was seen.
MERGES = ["t h 90", "th e</w> 80", "c a 70", "ca t</w> 60", "o n</w> 50", "l e</w> 40", "q u 3"]
MERGED = ["th", "the</w>", "ca", "cat</w>", "on</w>", "le</w>"]
VOCABULARY = [*SPECIAL, *LETTERS, *(f"{letter}</w>" for letter in LETTERS), *MERGED]
MASK = VOCABULARY.index("<special1>")


def save(folder, name="XLMWithLMHeadModel", vocabulary=VOCABULARY, **values):
    """vocab.json and merges.txt, one merge's piece not in the vocabulary, beside the weights."""
    import torch
    import transformers
    from safetensors.torch import save_file

    settings = {"n_langs": 2, "use_lang_emb": True, "lang2id": {"en": 0, "fr": 1}, "lang_id": 0}
    config = transformers.XLMConfig(
        n_words=len(vocabulary),
        emb_dim=32,
        n_layers=3,
        n_heads=4,
        max_position_embeddings=32,
        init_std=0.3,
        embed_init_std=0.3,
        **{**settings, **values},
    )
    torch.manual_seed(0)
    module = getattr(transformers, name)(config).eval()
    folder.mkdir(parents=True)
    values = config.to_dict()
    values["n_words"] = values.pop("vocab_size")
    (folder / "config.json").write_text(json.dumps(values))
    (folder / "vocab.json").write_text(json.dumps({p: i for i, p in enumerate(vocabulary)}))
    (folder / "merges.txt").write_text("\n".join([*MERGES, ""]))
    save_file(tiny.weights_of(module), folder / "model.safetensors")
    return module


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "xlm-mlm-enfr-1024"
    return folder, save(folder)


@pytest.fixture(scope="module")
def model(saved):
    return tiny.load(saved[0])


@pytest.fixture(scope="module")
def slow(saved):
    """transformers' own tokenizer, which knows no offsets."""
    from transformers import XLMTokenizer

    return XLMTokenizer(str(saved[0] / "vocab.json"), str(saved[0] / "merges.txt"))


def ask(model, text, masks=(), top_k=5, **options):
    return tiny.ask(
        model, MaskedTokensRequest(text, masks=tuple(masks), top_k=top_k, **options), Context()
    )


def agrees(mask, row):
    for one in mask.predictions:
        assert one.probability == pytest.approx(row[one.id], abs=1e-4)
    assert mask.predictions[0].id == int(row.argmax())
    assert mask.entropy == pytest.approx(-(row * np.log(row)).sum(), abs=1e-4)


def softmax(module, position, **inputs):
    import torch

    with torch.no_grad():
        tensors = {name: torch.tensor([values]) for name, values in inputs.items()}
        return module(**tensors).logits[0, position].double().softmax(-1).numpy()


@pytest.mark.parametrize(
    "text",
    [
        "The cat sat on… a “mat”, l'été don't.",
        "Élan ÉTÉ naïve",
        '"Next". The (cat) — 10 %',
        "the<special1>cat <special1> on",
        "😀 the cat\u200d quite",
        "A\u0301b — “c”. «d».",
        "one\n\ntwo\tthree  ",
        "Mr. Smith's U.S. cat...",
        "the cat. the q.u. Cat etc. Été.",
    ],
)
def test_pieces_equal_transformers_tokenizer(model, slow, text):
    encoded = model.encode(text)
    assert encoded.input_ids[0].tolist() == slow(text)["input_ids"]
    places = [(t.start, t.end) for t in encoded.tokens if not t.special]
    assert all(0 <= start < end <= len(text) for start, end in places)
    assert [start for start, _ in places] == sorted(start for start, _ in places)


def test_every_piece_knows_its_characters(model):
    text = "The été… thx"
    tokens = [t for t in model.encode(text).tokens if not t.special]
    assert [(t.text, text[t.start : t.end], t.joined) for t in tokens] == [
        ("the</w>", "The", False),
        ("e", "é", False),
        ("t", "t", True),
        ("e</w>", "é", True),
        (".", "…", False),
        (".", "…", True),
        (".</w>", "…", True),
        ("th", "th", False),
        ("x</w>", "x", True),
    ]


def both_moses(language):
    """This program's, and sacremoses' own."""
    import sacremoses

    quick_moses = sys.modules[f"{MODULE_PREFIX}bundled_xlm.tokenizer"].quick_moses
    return quick_moses(sacremoses, language), sacremoses.MosesTokenizer(lang=language)


@pytest.mark.parametrize("language", ["en", "fr", "de", "el"])
def test_words_end_at_full_stops_where_moses_ends_them(model, language):
    own, theirs = both_moses(language)
    text = "q.u. the a. The e. été i. Été Nr. 3 z.B. so. ж. я Ж. α. β Ω. 1. the no. 7 p. x … a.b. c"
    assert own.tokenize(text) == theirs.tokenize(text)
    assert own.IsLower is theirs.IsLower, "small letters are the same ones in every language"


def test_letters_are_small_where_moses_says_so(model):
    """sacremoses makes a set of them all each time, so that one language is enough."""
    own, theirs = both_moses("en")
    letters = map(chr, range(0x20, 0x3000))
    assert all(own.islower(one) == theirs.islower(one) for one in (*letters, "", "aé", "aÉ"))


def test_a_long_text_is_laid_out_quickly(model):
    text = "“the” cat — on… " * 2000
    encoded = model.encode(text)
    assert len(encoded.tokens) == 32
    assert encoded.left_out.tokens > 10_000


def test_equals_transformers_forward(saved, model, slow):
    text = "the cat <special1> on"
    ids = slow(text)["input_ids"]
    result = ask(model, "the cat [MASK] on", top_k=500)
    assert result.tokens[3].text == "<special1>"
    (mask,) = result.masks
    assert mask.position == 3
    agrees(mask, softmax(saved[1], 3, input_ids=ids, langs=[0] * len(ids)))
    assert "The languages given to the model: English (en)." in result.note


def test_the_language_that_was_asked_for(saved, model, slow):
    ids = slow("le <special1>")["input_ids"]
    result = ask(model, "le [MASK]", languages=("fr",))
    agrees(result.masks[0], softmax(saved[1], 2, input_ids=ids, langs=[1] * len(ids)))
    assert "The languages given to the model: French (fr)." in result.note
    with pytest.raises(UserMistake, match='language "xx"'):
        ask(model, "le [MASK]", languages=("xx",))


def test_two_languages_as_in_translation(saved, model, slow):
    """Each token in its language, and positions from the start again with the second text."""
    result = ask(model, "the cat [MASK]", [Mask(0, 2, 1)], pair="le cat")
    ids = slow("the cat <special1>", "<special1> cat")["input_ids"]
    langs = [0] * 5 + [1] * 3
    places = [*range(5), *range(3)]
    inputs = {"input_ids": ids, "langs": langs, "position_ids": places}
    assert [mask.position for mask in result.masks] == [3, 5]
    for mask in result.masks:
        agrees(mask, softmax(saved[1], mask.position, **inputs))
    assert result.masks[1].original.token == "le</w>"
    assert "The languages given to the model: English (en) and French (fr)." in result.note
    one = model.encode("the cat", "the cat")
    assert one.inputs["langs"].tolist() == [[0] * 4 + [1] * 3]


def test_several_masks_are_independent(saved, model, slow):
    result = ask(model, "[MASK] cat [MASK]")
    ids = slow("<special1> cat <special1>")["input_ids"]
    assert [mask.position for mask in result.masks] == [1, 3]
    for mask in result.masks:
        agrees(mask, softmax(saved[1], mask.position, input_ids=ids, langs=[0] * len(ids)))


def test_a_causal_checkpoint_is_known_by_its_name(tmp_path, slow):
    """The published config of xlm-clm-enfr-1024 says causal: false."""
    folder = tmp_path / "xlm-clm-enfr-1024"
    module = save(folder)
    model = tiny.load(folder)
    assert model.config.causal
    result = ask(model, "the cat [MASK] on [MASK]", top_k=3)
    module.transformer.causal = True
    ids = slow("the cat")["input_ids"][:-1]
    for mask in result.masks:
        agrees(mask, softmax(module, -1, input_ids=ids, langs=[0] * len(ids)))
        ids = [*ids, mask.predictions[0].id, VOCABULARY.index("on</w>")]
    assert "only what comes before" in result.note
    assert [t.text for t in result.tokens][3] == "[MASK]"


def test_one_language_needs_none(tmp_path, slow):
    folder = tmp_path / "xlm-mlm-en-2048"
    module = save(folder, n_langs=1, lang2id=None, lang_id=0)
    model = tiny.load(folder)
    assert "langs" not in model.encode("the cat").inputs
    result = ask(model, "the [MASK] on")
    agrees(result.masks[0], softmax(module, 2, input_ids=slow("the <special1> on")["input_ids"]))
    assert result.note == ""


def test_capital_letters_where_the_vocabulary_has_them(tmp_path):
    folder = tmp_path / "xlm-mlm-100-1280"
    save(folder, vocabulary=[*VOCABULARY, "T", "É</w>", "T</w>"], use_lang_emb=False)
    model = tiny.load(folder)
    assert [t.text for t in model.encode("T É").tokens][1:-1] == ["T</w>", "É</w>"]
    assert "langs" not in model.encode("T").inputs


def test_no_head_no_answer(tmp_path):
    save(tmp_path / "xlm", "XLMModel")
    model = tiny.load(tmp_path / "xlm")
    assert not tiny.answers(model, MaskedTokensRequest)
    assert "pred_layer.proj.bias is missing" in tiny.why_not(model, MaskedTokensRequest)
    assert tiny.answers(model, TokensRequest)


def test_missing_files_are_named(tmp_path):
    save(tmp_path / "xlm")
    (tmp_path / "xlm" / "merges.txt").unlink()
    with pytest.raises(CheckpointFault, match=r"no merges\.txt"):
        tiny.load(tmp_path / "xlm")


def test_files_and_parameters(saved, model):
    from explorer.engine.library.inspection import inspect_folder

    files = inspect_folder(saved[0])
    family, _ = tiny.families().family_of(files)
    weights = {p.data_ptr(): p.numel() for p in model.module.parameters()}
    assert family.parameters(files) == sum(weights.values())
    assert family.architecture(files.config) == "XLM · 3 layers × 32 wide × 4 heads · 86 pieces"
    assert family.architecture({**files.config, "n_words": 7}).endswith("· 7 pieces")
    assert family.architecture({"vocab_size": 8}).endswith("· 8 pieces")
    assert {"joint_decoding", "masked_tokens", "candidate_words", "tokens"} <= set(
        answered_with(family.offers(files))
    )


def test_too_long(model):
    result = ask(model, "[MASK]" + " the" * 40, top_k=1)
    assert len(result.tokens) == 32
    assert result.left_out.tokens == 11
    with pytest.raises(UserMistake, match="does not fit"):
        ask(model, "the " * 40 + "[MASK]")


@pytest.mark.parametrize(
    ("texts", "known", "default", "expected"),
    [
        (["여기 고양이 cat"], {"en": 2, "ko": 8}, 2, ("ko",)),
        (["これは猫"], {"en": 2, "ja": 7, "zh": 9}, 2, ("ja",)),
        (["Кот"], {"en": 4, "bg": 1, "ru": 8}, 0, ("ru",)),
        (["Кот"], {"en": 4, "bg": 1}, 0, ("bg",)),
        (["cat"], {"ar": 0, "en": 4}, 0, ("en",)),
        (["Katze"], {"de": 0, "fr": 1}, 1, ("fr",)),
        (["cat", "Katze"], {"de": 0, "en": 1}, 1, ("en", "de")),
        (["cat", "dog"], {"de": 0, "en": 1, "fr": 2}, 1, ("en", "en")),
        (["Кот", "cat"], {"ru": 0, "en": 1, "fr": 2}, 1, ("ru", "en")),
    ],
)
def test_languages(texts, known, default, expected):
    from plugins.xlm.languages import languages_of

    assert languages_of(texts, known, default) == expected
