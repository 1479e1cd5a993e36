"""GGUF files, written with its own writer, made into folders that answer as the file says."""

import json

import numpy as np
import pytest

from explorer.api.family import CheckpointFault, UserMistake
from explorer.engine.library import gguf_files
from explorer.engine.library.gguf_files import folder_of_gguf
from explorer.engine.library.inspection import inspect_folder
from tests.hf import tiny
from tests.hf.kept import MODELS

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

GPT2 = MODELS / "gpt2-miniature"
IN_BLOCK = {
    "ln_1": "attn_norm",
    "ln_2": "ffn_norm",
    "attn.c_attn": "attn_qkv",
    "attn.c_proj": "attn_output",
    "mlp.c_fc": "ffn_up",
    "mlp.c_proj": "ffn_down",
}
LLAMA_BLOCK = {
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.up_proj": "ffn_up",
    "mlp.gate_proj": "ffn_gate",
    "mlp.down_proj": "ffn_down",
}


@pytest.fixture(scope="module")
def gguf():
    return pytest.importorskip("gguf")


def write_words(writer, tokenizer, kind="gpt2"):
    """The pieces and merges of a tokenizer of bytes."""
    merges = json.loads((GPT2 / "tokenizer.json").read_text("utf-8"))["model"]["merges"]
    writer.add_tokenizer_model(kind)
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokenizer.convert_ids_to_tokens(range(len(tokenizer))))
    writer.add_token_types([1] * len(tokenizer))
    writer.add_token_merges([one if isinstance(one, str) else " ".join(one) for one in merges])
    writer.add_bos_token_id(tokenizer.bos_token_id)
    writer.add_eos_token_id(tokenizer.eos_token_id)


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def rounded(gguf, values):
    """A matrix as Q8_0 has it, and what that stands for."""
    kind = gguf.GGMLQuantizationType.Q8_0
    packed = gguf.quants.quantize(values, kind)
    return packed, gguf.quants.dequantize(packed, kind), kind


@pytest.fixture(scope="module")
def gpt2_file(gguf, tmp_path_factory):
    """The bundled GPT-2 in Q8_0, and its weights as they are then."""
    model = transformers.AutoModelForCausalLM.from_pretrained(GPT2)
    config, weights = model.config, model.state_dict()
    path = tmp_path_factory.mktemp("gguf") / "gpt2-q8.gguf"
    writer = gguf.GGUFWriter(str(path), "gpt2")
    writer.add_context_length(config.n_positions)
    writer.add_embedding_length(config.n_embd)
    writer.add_feed_forward_length(4 * config.n_embd)
    writer.add_block_count(config.n_layer)
    writer.add_head_count(config.n_head)
    writer.add_layer_norm_eps(config.layer_norm_epsilon)
    write_words(writer, transformers.AutoTokenizer.from_pretrained(GPT2))
    names = {
        "transformer.wte.weight": "token_embd.weight",
        "transformer.wpe.weight": "position_embd.weight",
        "transformer.ln_f.weight": "output_norm.weight",
        "transformer.ln_f.bias": "output_norm.bias",
    }
    for layer in range(config.n_layer):
        for own, there in IN_BLOCK.items():
            for end in ("weight", "bias"):
                names[f"transformer.h.{layer}.{own}.{end}"] = f"blk.{layer}.{there}.{end}"
    for own, there in names.items():
        values = weights[own].numpy()
        turned = own.endswith(("c_attn.weight", "c_proj.weight", "c_fc.weight"))
        values = np.ascontiguousarray(values.T if turned else values)
        if turned or own.endswith("wte.weight"):
            packed, back, kind = rounded(gguf, values)
            writer.add_tensor(there, packed, raw_dtype=kind)
            weights[own].copy_(torch.from_numpy(back.T.copy() if turned else back))
        else:
            writer.add_tensor(there, values)
    finish(writer)
    return path, model


def test_what_was_rounded_stays_rounded_and_answers_to_the_digit(gpt2_file, tmp_path):
    path, as_rounded = gpt2_file
    folder = folder_of_gguf(path, tmp_path / "made")
    assert {one.name for one in folder.iterdir()} >= {"config.json", "model.safetensors"}
    model = tiny.load(folder)
    assert model.stamp.family == "gpt2"
    tokenizer = transformers.AutoTokenizer.from_pretrained(GPT2)
    text = "The chef cooked the noodles for the guests."
    ids = tokenizer(text, return_tensors="pt").input_ids
    assert model.tokenizer(text).input_ids == ids[0].tolist()
    with torch.inference_mode():
        expected, found = as_rounded(ids).logits, model.module(ids).logits
    assert (expected - found).abs().max() < 1e-4
    plain = transformers.AutoModelForCausalLM.from_pretrained(GPT2)
    with torch.inference_mode():
        assert (plain(ids).logits - found).abs().max() > 1e-3, "else nothing was rounded"


def test_a_llama_is_opened_too(gguf, tmp_path):
    tokenizer = transformers.AutoTokenizer.from_pretrained(GPT2)
    config = transformers.LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=64,
        tie_word_embeddings=False,
    )
    torch.manual_seed(1)
    model = transformers.LlamaForCausalLM(config).eval()
    path = tmp_path / "llama.gguf"
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(64)
    writer.add_embedding_length(64)
    writer.add_feed_forward_length(96)
    writer.add_block_count(2)
    writer.add_head_count(4)
    writer.add_head_count_kv(4)
    writer.add_vocab_size(len(tokenizer))
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    write_words(writer, tokenizer)
    names = {
        "model.embed_tokens": "token_embd",
        "model.norm": "output_norm",
        "lm_head": "output",
    }
    for layer in range(2):
        for own, there in LLAMA_BLOCK.items():
            names[f"model.layers.{layer}.{own}"] = f"blk.{layer}.{there}"
    for own, there in names.items():
        values = model.state_dict()[f"{own}.weight"].numpy()
        if there.endswith(("attn_q", "attn_k")):
            # llama.cpp turns pairs of dimensions in another order than transformers.
            halves = values.reshape(4, 2, 8, 64)
            values = np.ascontiguousarray(halves.swapaxes(1, 2).reshape(64, 64))
        writer.add_tensor(f"{there}.weight", values)
    finish(writer)
    opened = tiny.load(folder_of_gguf(path, tmp_path / "made"))
    ids = torch.tensor([[5, 9, 100, 42]])
    with torch.inference_mode():
        assert (model(ids).logits - opened.module(ids).logits).abs().max() < 1e-4


def test_a_damaged_file_gets_one_sentence_and_leaves_no_folder(gguf, tmp_path):
    path = tmp_path / "odd.gguf"
    path.write_bytes(b"GGUF" + b"\xff" * 60)
    with pytest.raises(CheckpointFault, match=r"transformers can't read odd\.gguf"):
        folder_of_gguf(path, tmp_path / "made")
    assert [one.name for one in tmp_path.iterdir()] == ["odd.gguf"]


def test_there_must_be_room(gpt2_file, tmp_path, monkeypatch):
    monkeypatch.setattr(gguf_files, "free_memory", lambda: 1000)
    with pytest.raises(Exception, match="are free"):
        folder_of_gguf(gpt2_file[0], tmp_path / "made")
    assert not (tmp_path / "made").exists()


def test_without_the_package_it_is_said_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(gguf_files, "find_spec", lambda _name: None)
    path = tmp_path / "a.gguf"
    path.touch()
    with pytest.raises(UserMistake) as raised:
        folder_of_gguf(path, tmp_path / "made")
    assert "plm-explorer[gguf]" in raised.value.advice


@pytest.mark.parametrize("opened", ["a.gguf", ""])
def test_a_file_that_is_opened_as_it_is_says_how_to_make_a_folder(tmp_path, opened):
    (tmp_path / "a.gguf").touch()
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises((UserMistake, CheckpointFault)) as raised:
        inspect_folder(tmp_path / opened)
    assert "GGUF's format" in raised.value.said
    assert "plm-explorer convert" in raised.value.advice


def test_no_folder_is_written_over(tmp_path):
    path = tmp_path / "a.gguf"
    path.touch()
    with pytest.raises(UserMistake, match="is there already"):
        folder_of_gguf(path, tmp_path)
