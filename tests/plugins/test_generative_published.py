"""What plugin.toml says of published checkpoints, counted on the meta device."""

import pytest

from tests.hf import tiny

CLASSES = {
    "gpt1": ("OpenAIGPTConfig", "OpenAIGPTLMHeadModel"),
    "gpt2": ("GPT2Config", "GPT2LMHeadModel"),
    "t5": ("T5Config", "T5ForConditionalGeneration"),
    "xlm": ("XLMConfig", "XLMWithLMHeadModel"),
}
PUBLISHED = [(family, one) for family, one in tiny.families().published if family in CLASSES]


@pytest.mark.parametrize(("family", "one"), PUBLISHED, ids=lambda one: getattr(one, "id", ""))
def test_parameters(family, one):
    import torch
    import transformers

    config_name, class_name = CLASSES[family]
    with torch.device("meta"):
        config = getattr(transformers, config_name).from_dict(dict(one.config))
        module = getattr(transformers, class_name)(config)
    tied = dict(module.all_tied_weights_keys)
    if one.config.get("tie_word_embeddings") is False:
        tied.pop("lm_head.weight")
    total = sum(
        parameter.numel()
        for name, parameter in module.named_parameters(remove_duplicate=False)
        if name not in tied
    )
    assert one.parameters == total
    buffers = 0
    if family in ("gpt1", "gpt2"):  # a triangle of float32 in every layer's file, or of bytes
        buffers = one.config["n_layer"] * one.config["n_positions"] ** 2
    assert 4 * total <= one.size_bytes <= 1.001 * (4 * total + 4 * buffers)


def test_the_list():
    assert len(PUBLISHED) == 24
    assert all(one.heads for _, one in PUBLISHED)
