"""GPT-2 and KoGPT-2 against transformers' own forward, from the published layout."""

import json

import numpy as np
import pytest

from explorer.api.family import Cancelled, Context, Predictor, Query, UserMistake
from explorer.document import Mask
from explorer.questions import answered_with
from explorer.questions.masking.masked_tokens.question import QUESTION, MaskedTokensRequest
from explorer.questions.tokenizers.tokens.question import TokensRequest
from tests.hf import tiny

END = "<|endoftext|>"
MERGES = ["Ġ t", "h e", "Ġt he", "Ġ c", "a t", "Ġc at", "Ġ s", "Ġs at", "o n", "Ġ on"]


def vocabulary():
    from tokenizers.pre_tokenizers import ByteLevel

    merged = [merge.replace(" ", "") for merge in MERGES]
    return [*sorted(ByteLevel.alphabet()), *merged, END]


def save(folder, module_name="GPT2LMHeadModel", change=lambda weights: weights, **values):
    """vocab.json and merges.txt beside weights without a prefix, as the first files have them."""
    import torch
    import transformers
    from safetensors.torch import save_file

    pieces = vocabulary()
    torch.manual_seed(1)
    settings = {"n_embd": 32, "n_layer": 3, "n_head": 4, "n_positions": 24, **values}
    config = transformers.GPT2Config(
        vocab_size=len(pieces),
        initializer_range=0.3,
        bos_token_id=len(pieces) - 1,
        eos_token_id=len(pieces) - 1,
        **settings,
    )
    module = getattr(transformers, module_name)(config).eval()
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config.to_dict()))
    (folder / "vocab.json").write_text(json.dumps({p: i for i, p in enumerate(pieces)}))
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *MERGES, ""]))
    weights = {
        name.removeprefix("transformer."): tensor
        for name, tensor in tiny.weights_of(module).items()
    }
    weights["h.0.attn.bias"] = torch.ones(1, 1, 24, 24).tril()
    save_file(change(weights), folder / "model.safetensors")
    return module


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "gpt2"
    return folder, save(folder)


@pytest.fixture(scope="module")
def model(saved):
    return tiny.load(saved[0])


def ask(model, text, masks=(), top_k=5, **options):
    return tiny.ask(
        model, MaskedTokensRequest(text, masks=tuple(masks), top_k=top_k, **options), Context()
    )


def after(module, pieces):
    """transformers' distribution of what comes next, float64."""
    import torch

    ids = [vocabulary().index(piece) for piece in pieces]
    with torch.no_grad():
        return module(input_ids=torch.tensor([ids])).logits[0, -1].double().softmax(-1).numpy()


def agrees(mask, row):
    for one in mask.predictions:
        assert one.probability == pytest.approx(row[one.id], abs=1e-4)
    assert mask.predictions[0].id == int(row.argmax())
    assert mask.entropy == pytest.approx(-(row * np.log(row)).sum(), abs=1e-4)


def test_what_comes_next_at_the_end(saved, model):
    """The space before a typed mask is the predicted piece's, not the text's."""
    result = ask(model, "on the cat [MASK]", top_k=500)
    assert [t.text for t in result.tokens] == ["on", "Ġthe", "Ġcat", "[MASK]"]
    agrees(result.masks[0], after(saved[1], ["on", "Ġthe", "Ġcat"]))
    assert result.masks[0].original is None
    assert result.tokens[3].id == -1
    assert (result.tokens[3].start, result.tokens[3].end) == (11, 17)


def test_a_hidden_word_is_not_seen(saved, model):
    result = ask(model, "on the cat sat", [Mask(7, 10)], top_k=3)
    row = after(saved[1], ["on", "Ġthe"])
    (mask,) = result.masks
    agrees(mask, row)
    assert mask.original.token == "Ġcat"
    assert mask.original.rank == 1 + (row > row[mask.original.id]).sum()
    assert mask.original.probability == pytest.approx(row[mask.original.id], abs=1e-4)
    elsewhere = ask(model, "on the sat sat", [Mask(7, 10)], top_k=3)
    assert elsewhere.masks[0].predictions == mask.predictions


def test_later_masks_see_guesses_for_earlier_ones(saved, model):
    result = ask(model, "on [MASK] cat [MASK] the", [Mask(10, 13)], top_k=4)
    pieces = ["on"]
    for mask in result.masks:
        agrees(mask, after(saved[1], pieces))
        pieces.append(mask.predictions[0].token)
    assert [mask.position for mask in result.masks] == [1, 2, 3]
    assert "best guess" in result.note
    assert "best guess" not in ask(model, "on [MASK]").note


def test_the_first_token_comes_after_the_end_of_a_text(saved, model):
    result = ask(model, "[MASK] the cat", top_k=3)
    assert [t.text for t in result.tokens] == [END, "[MASK]", "Ġthe", "Ġcat"]
    assert result.tokens[0].special
    agrees(result.masks[0], after(saved[1], [END]))
    assert END in result.note


def test_the_head_runs_once_a_mask(model, monkeypatch):
    shapes = []
    predictor = model.port(Predictor)
    head = predictor.head
    monkeypatch.setattr(
        predictor, "head", lambda hidden: (shapes.append(tuple(hidden.shape)), head(hidden))[1]
    )
    ask(model, "on the [MASK] cat [MASK] sat")
    assert shapes == [(1, 32), (1, 32)]


def test_tokenize_and_table(model):
    from explorer.questions.tokenizers.tokens import question as tokenize

    tokens = tokenize.run(
        model, TokensRequest("on [MASK] cat", masks=(Mask(10, 13),)), Context()
    ).tokens
    assert [(t.text, t.masked) for t in tokens] == [
        ("on", False),
        ("[MASK]", True),
        ("[MASK]", True),
    ]
    rows = QUESTION.table(ask(model, "on the cat", [Mask(7, 10)], top_k=2)).rows
    assert rows[-1][6] is True


def test_a_typed_end_of_text_is_a_token_and_no_mask(model):
    tokens = model.encode(f"on{END} the").tokens
    assert [(t.text, t.reserved, t.masked) for t in tokens] == [
        ("on", False, False),
        (END, True, False),
        ("Ġthe", False, False),
    ]


def test_one_text_only(model):
    with pytest.raises(UserMistake, match="reads one text"):
        ask(model, "on the [MASK]", pair="cat")


def test_too_long(model):
    result = ask(model, "[MASK]" + " the" * 30)
    assert len(result.tokens) == 24
    assert result.left_out.tokens == 8
    with pytest.raises(UserMistake, match="does not fit"):
        ask(model, "on" + " the" * 30 + " [MASK]")


def test_no_head_no_answer(tmp_path):
    save(tmp_path / "gpt2", "GPT2Model", tie_word_embeddings=False)
    model = tiny.load(tmp_path / "gpt2")
    assert not tiny.answers(model, MaskedTokensRequest)
    assert "lm_head.weight is missing" in tiny.why_not(model, MaskedTokensRequest)
    assert tiny.answers(model, TokensRequest)


def test_files_and_parameters(saved, model):
    from explorer.engine.library.inspection import inspect_folder

    files = inspect_folder(saved[0])
    family, _ = tiny.families().family_of(files)
    weights = {p.data_ptr(): p.numel() for p in model.module.parameters()}
    assert family.parameters(files) == sum(weights.values())
    assert {"joint_decoding", "masked_tokens", "candidate_words", "tokens"} <= set(
        answered_with(family.offers(files))
    )
    assert family.max_length(files.config) == 24


def test_kogpt2_keeps_its_own_cutting(tmp_path):
    """A tokenizer.json alone, cut at spaces as SentencePiece does, under model_type gpt2."""
    from tokenizers import Tokenizer, decoders, pre_tokenizers
    from tokenizers.models import BPE

    letters = [chr(n) for n in range(ord("a"), ord("z") + 1)]
    merges = [("▁", "t"), ("h", "e"), ("▁t", "he")]
    pieces = ["<s>", "</s>", "<unk>", "<mask>", "▁", *letters, *("".join(m) for m in merges)]
    backend = Tokenizer(
        BPE({p: i for i, p in enumerate(pieces)}, merges, unk_token="<unk>", fuse_unk=True)
    )
    backend.pre_tokenizer = pre_tokenizers.Metaspace()
    backend.decoder = decoders.Metaspace()
    backend.add_special_tokens(["<s>", "</s>", "<unk>", "<mask>"])
    folder = tmp_path / "kogpt2"
    save(folder)
    for name in ("vocab.json", "merges.txt"):
        (folder / name).unlink()
    backend.save(str(folder / "tokenizer.json"))
    model = tiny.load(folder)
    result = ask(model, "[MASK] the 가", top_k=2)
    assert [t.text for t in result.tokens] == ["</s>", "[MASK]", "▁the", "▁", "<unk>"]
    assert [t.unknown for t in result.tokens][-1]


def test_masks_of_one_text_share_what_was_read_before_them(saved):
    import torch

    from explorer.hf.predict.guessing import rows_at_masks
    from explorer.hf.predict.passes.prefix import one_text

    folder, module = saved
    model = tiny.load(folder)
    text = "the cat sat on the cat on"
    masks = tuple(Mask(start, start + 3) for start in (4, 8, 19))
    encoded = model.encode(text, None, masks)
    predictor = model.port(Predictor)
    read = []
    layer = model.module.transformer.h[0]
    handle = layer.register_forward_pre_hook(lambda _layer, given: read.append(given[0].shape[1]))
    try:
        rows = rows_at_masks(predictor, encoded, Context())
    finally:
        handle.remove()
    places = encoded.mask_positions
    # No token is read twice, but for the one before each mask.
    assert sum(read) <= max(places) + len(places)
    ids = [token.id for token in encoded.tokens]
    with torch.inference_mode():
        for row, place in zip(rows, places, strict=True):
            whole = module(input_ids=torch.tensor([ids[:place]])).logits[0, -1].log_softmax(-1)
            torch.testing.assert_close(row, whole, atol=1e-5, rtol=0)
            ids[place] = int(whole.argmax())
        # Another text in the same block, shorter and with another beginning, is read for itself.
        with one_text(predictor):
            for other in ("on the cat sat on", "on the sat", "the cat", "on the sat on the"):
                given = model.encode(other)
                asked = len(given.tokens) - 1
                (found,) = predictor.log_probabilities([Query(given, (asked,))], Context())
                before = torch.tensor([[token.id for token in given.tokens[:asked]]])
                whole = module(input_ids=before).logits[0, -1].log_softmax(-1)
                torch.testing.assert_close(found[0], whole, atol=1e-5, rtol=0)
    # What was read is forgotten with the block: the model may be another one then.
    with torch.no_grad():
        kept = model.module.transformer.h[0].mlp.c_fc.weight.clone()
        model.module.transformer.h[0].mlp.c_fc.weight.zero_()
    try:
        changed = rows_at_masks(predictor, encoded, Context())
    finally:
        with torch.no_grad():
            model.module.transformer.h[0].mlp.c_fc.weight.copy_(kept)
    assert not torch.allclose(changed[0], rows[0], atol=1e-3)


def test_a_pass_that_is_cancelled_leaves_nothing_half_read(saved):
    import torch

    from explorer.hf.predict.passes.prefix import one_text

    folder, _ = saved
    model = tiny.load(folder)
    predictor = model.port(Predictor)
    given = model.encode("the cat sat on the cat on")
    (alone,) = predictor.log_probabilities([Query(given, (5,))], Context())
    looked = []

    def second() -> bool:
        looked.append(True)
        return len(looked) > 3

    with one_text(predictor):
        predictor.log_probabilities([Query(given, (3,))], Context())
        with pytest.raises(Cancelled):
            predictor.log_probabilities([Query(given, (5,))], Context(is_cancelled=second))
        (again,) = predictor.log_probabilities([Query(given, (5,))], Context())
    torch.testing.assert_close(again, alone, atol=1e-5, rtol=0)
