"""Small random checkpoints of any model type that transformers has, as it saves them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.hf.family.tiny import tiny_tokenizer
from plugins.auto.known import LANGUAGE, MASKED_LM, NEXT_TOKEN, classes_of
from plugins.xlm.tiny import tiny_xlm_tokenizer
from tests.plugins.model_types.sizes import OWN_SIZES, SMALL_SIZES

SPECIALS = ("pad", "bos", "eos", "sep", "cls")


def usual_config(kind: str) -> Any:
    """The config that transformers gives a type of which nothing is said."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING

    return CONFIG_MAPPING[kind]()


def head_of_type(kind: str) -> str:
    """The head that its checkpoint is saved with: the one of `LANGUAGE` that comes first."""
    classes = classes_of(kind)
    return next(head for head in LANGUAGE if head in classes)


def small_config(kind: str, tokenizer: Any) -> Any:
    """A config of a type, small, with the numbers of a tokenizer's special tokens."""
    usual = usual_config(kind)
    own = dict(OWN_SIZES.get(kind, {}))
    whole = usual.to_dict()
    sizes = {name: value for name, value in SMALL_SIZES.items() if whole.get(name) is not None}
    for said, name in getattr(type(usual), "attribute_map", {}).items():
        if said in SMALL_SIZES and name in whole:
            sizes.setdefault(name, SMALL_SIZES[said])
    sizes["vocab_size"] = len(tokenizer)
    for special in SPECIALS:
        if f"{special}_token_id" in whole:
            own_number = getattr(tokenizer, f"{special}_token_id")
            sizes[f"{special}_token_id"] = (
                tokenizer.eos_token_id if own_number is None else own_number
            )
    if whole.get("decoder_start_token_id") is not None or usual.is_encoder_decoder:
        sizes["decoder_start_token_id"] = tokenizer.eos_token_id
    made: Mapping[str, Any] = {**sizes, **own}
    return type(usual)(**{name: value for name, value in made.items() if value is not None})


def save_small(folder: Path, kind: str) -> Any:
    """Write a checkpoint of a type.

    Args:
        folder: Made.
        kind: A model_type.

    Raises:
        Exception: transformers' class is not made of such a config, or does not run.

    Returns:
        The module that was saved, of transformers' class, in float32.
    """
    import torch
    import transformers

    head = head_of_type(kind)
    if kind == "xlm":  # its plugin reads the files of its own tokenizer
        tokenizer = tiny_xlm_tokenizer(folder)
    else:
        tokenizer = tiny_tokenizer({MASKED_LM: "bert", NEXT_TOKEN: "gpt2"}.get(head, "roberta"))
    torch.manual_seed(0)
    module = getattr(transformers, classes_of(kind)[head])(small_config(kind, tokenizer)).eval()
    module = module.float()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() == 1:  # biases and norms are zeros and ones otherwise
                parameter.add_(torch.randn_like(parameter) * 0.1)
    ids = torch.tensor([tokenizer("the cat")["input_ids"]])
    second = {"decoder_input_ids": ids} if module.config.is_encoder_decoder else {}
    with torch.inference_mode():
        module(input_ids=ids, **second)  # what can't run is no model to open
    module.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return module
