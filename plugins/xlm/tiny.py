"""A tiny random XLM of two languages, to check the plugin with."""

import json
from collections.abc import Sequence
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from explorer.hf import TransformersFamily, write_tiny

MERGES = ("t h", "th e</w>", "c a", "ca t</w>", "o n</w>")


def write(
    family: TransformersFamily,
    folder: Path,
    model_class: str = "XLMWithLMHeadModel",
    **config: Any,
) -> None:
    """Write one with language embeddings into a folder, with the head that a class has."""
    tokenizer = tiny_xlm_tokenizer(folder)
    write_tiny(
        family,
        folder,
        model_class=model_class,
        tokenizer=tokenizer,
        config={"n_langs": 2, "lang2id": {"en": 0, "fr": 1}, "lang_id": 0, **config},
    )


def tiny_xlm_tokenizer(folder: Path) -> Any:
    """XLM's tokenizer with a few pieces, whose files it writes into a folder."""
    from transformers import XLMTokenizer

    pieces = ["<s>", "</s>", "<pad>", "<unk>", *(f"<special{i}>" for i in range(10))]
    for character in (*ascii_lowercase, *".,!?'"):
        pieces += [character, f"{character}</w>"]
    pieces += [merge.replace(" ", "") for merge in MERGES]
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary, merges = folder / "vocab.json", folder / "merges.txt"
    vocabulary.write_text(json.dumps({p: i for i, p in enumerate(pieces)}), encoding="utf-8")
    merges.write_text("\n".join([*MERGES, ""]), encoding="utf-8")
    return XLMTokenizer(str(vocabulary), str(merges))


def plain_logits(folder: Path, input_ids: Sequence[int]) -> Any:
    """Transformers' own logits (tokens x vocabulary) of an English text, float32."""
    import torch
    from transformers import XLMWithLMHeadModel

    module = XLMWithLMHeadModel.from_pretrained(folder).eval()
    ids = torch.tensor([list(input_ids)])
    with torch.inference_mode():
        return module(input_ids=ids, langs=torch.zeros_like(ids)).logits[0].float().numpy()
