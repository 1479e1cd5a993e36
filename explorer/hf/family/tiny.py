"""A tiny random checkpoint of a family, to try its plugin with: no download, no training."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.api.family import PluginFault
from explorer.hf.family.base import TransformersFamily
from explorer.text import N_

WORDS = ("the", "a", "cat", "dog", "run", "sat", "on", "mat", "movie", "was", "great", "it", "i")
MARKS = (".", ",", "!", "?", "'")
LETTERS = "abcdefghijklmnopqrstuvwxyz"

TINY_WIDTH, TINY_LAYERS, HEADS, TINY_LENGTH = 32, 3, 4, 24
"""Of what `write_tiny` writes: width of a state, layers, heads a layer, longest input in tokens."""

SMALL: Mapping[str, int | float] = {
    "hidden_size": TINY_WIDTH,
    "d_model": TINY_WIDTH,
    "dim": TINY_WIDTH,
    "n_embd": TINY_WIDTH,
    "emb_dim": TINY_WIDTH,
    "embedding_size": 16,
    "intermediate_size": 48,
    "hidden_dim": 48,
    "d_ff": 48,
    "intra_bottleneck_size": 16,
    "d_kv": TINY_WIDTH // HEADS,
    "num_hidden_layers": TINY_LAYERS,
    "num_layers": TINY_LAYERS,
    "n_layers": TINY_LAYERS,
    "n_layer": TINY_LAYERS,
    "num_decoder_layers": TINY_LAYERS,
    "num_attention_heads": HEADS,
    "num_heads": HEADS,
    "n_heads": HEADS,
    "n_head": HEADS,
    "n_positions": TINY_LENGTH,
    # Larger than the usual 0.02, so that predictions differ enough to have an order.
    "initializer_range": 0.3,
    "init_std": 0.3,
    "embed_init_std": 0.3,
}
"""Values for whichever of these keys a config class has."""


def write_tiny(
    family: TransformersFamily,
    folder: Path,
    *,
    model_class: Any = None,
    tokenizer: Any = None,
    config: Mapping[str, Any] | None = None,
    added: Mapping[str, tuple[int, ...]] | None = None,
    seed: int = 0,
) -> Path:
    """Write a checkpoint with random weights, in the layout transformers saves.

    Args:
        family: Whose classes are used.
        folder: Made if it is not there.
        model_class: Of transformers, or its name; None for the family's last, which has the most
            heads.
        tokenizer: A transformers tokenizer; None makes a small one of the family's usual kind.
        config: Values other than the small ones.
        added: Shapes of tensors that the class does not have, by name.
        seed: Same seed, same weights.

    Raises:
        PluginFault: The family names no class, or its tokenizer is of no kind that can be made.
    """
    import torch
    import transformers
    from safetensors.torch import save_file

    from explorer.hf.loading.checkpoint import quiet_transformers

    quiet_transformers()
    if model_class is None and not family.classes:
        raise PluginFault(
            N_("{title} names no class of transformers to make a tiny checkpoint with."),
            N_("Let the plugin write its own: def tiny(folder)."),
            title=family.title,
        )
    if not isinstance(model_class, type):
        model_class = getattr(transformers, model_class or family.classes[-1].name)
    if tokenizer is None:
        tokenizer = tiny_tokenizer(model_class.config_class.model_type)
    settings = small_config(family, model_class.config_class, tokenizer)
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        module = model_class(model_class.config_class(**{**settings, **(config or {})})).eval()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.dim() == 1:  # biases and norms are zeros and ones otherwise
                parameter.add_(torch.randn(parameter.shape, generator=generator) * 0.1)
    tied = getattr(module, "all_tied_weights_keys", None) or {}
    weights = {
        name: tensor.detach().clone().contiguous()
        for name, tensor in module.state_dict().items()
        if name not in tied
    }
    for name, shape in (added or {}).items():
        weights[name] = torch.randn(shape, generator=generator) * 0.3
    folder.mkdir(parents=True, exist_ok=True)
    content = {**module.config.to_dict(), "architectures": [model_class.__name__]}
    if content.get("model_type") not in family.model_types:
        content["model_type"] = family.model_types[0]
    (folder / "config.json").write_text(json.dumps(content), encoding="utf-8")
    tokenizer.save_pretrained(folder)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def classes_of_heads(family: TransformersFamily) -> Mapping[str, str]:
    """Names of the classes that have one of a family's heads and no other, by the head's name."""
    import transformers

    named = {
        one.name: f"{family.class_stem}{one.architecture}"
        for one in family.heads_known
        if one.architecture
    }
    return {head: name for head, name in named.items() if hasattr(transformers, name)}


def small_config(family: TransformersFamily, config_class: Any, tokenizer: Any) -> dict[str, Any]:
    """Values that make a config small and fit its tokenizer."""
    usual = config_class()
    settings: dict[str, Any] = {key: value for key, value in SMALL.items() if hasattr(usual, key)}
    settings[family.layers_key] = TINY_LAYERS
    settings[family.width_key] = TINY_WIDTH
    settings[family.attention_heads_key] = HEADS
    settings[family.vocabulary_key] = len(tokenizer)
    padding = tokenizer.pad_token_id
    settings["pad_token_id"] = padding
    if getattr(usual, "is_encoder_decoder", False):
        settings["decoder_start_token_id"] = padding
    if family.length_key:
        settings[family.length_key] = TINY_LENGTH
        # Families that count positions from the padding's number on lose the ones before it.
        lost = TINY_LENGTH - (
            family.max_length({family.length_key: TINY_LENGTH, "pad_token_id": padding}) or 0
        )
        settings[family.length_key] = TINY_LENGTH + lost
    return settings


def tiny_tokenizer(model_type: str) -> Any:
    """A tokenizer of the kind that a model_type has: WordPiece, byte-level BPE or unigram.

    Args:
        model_type: As in config.json: "bert", "roberta", "albert".

    Raises:
        PluginFault: It has none of these.
    """
    import transformers
    from transformers.models.auto.tokenization_auto import TOKENIZER_MAPPING_NAMES

    name = TOKENIZER_MAPPING_NAMES.get(model_type)
    tokenizer_class = getattr(transformers, str(name), None)
    kind = getattr(getattr(tokenizer_class, "model", None), "__name__", "")
    if tokenizer_class is not None and kind == "WordPiece":
        return tokenizer_class(vocab=wordpiece_vocabulary())
    if tokenizer_class is not None and kind == "BPE":
        vocabulary, merges = byte_level_vocabulary()
        made = tokenizer_class(vocab=vocabulary, merges=merges)
        suffix = made.backend_tokenizer.model.end_of_word_suffix
        if not suffix:
            return made
        vocabulary, merges = suffixed_vocabulary(suffix)
        return tokenizer_class(vocab=vocabulary, merges=merges)
    if tokenizer_class is not None and kind == "Unigram":
        usual = tokenizer_class().get_vocab()
        specials = sorted(usual, key=usual.__getitem__)
        return tokenizer_class(vocab=unigram_vocabulary(specials))
    raise PluginFault(
        N_("No tiny tokenizer can be made for models of type {model_type}."),
        N_("Let the plugin write its own tiny checkpoint: def tiny(folder)."),
        model_type=model_type,
    )


def wordpiece_vocabulary() -> dict[str, int]:
    """Special tokens, words, letters alone and inside a word."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, *MARKS, "##s", "##ing"]
    pieces += [*LETTERS, *(f"##{letter}" for letter in LETTERS)]
    return {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}


def byte_level_vocabulary() -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Every byte, and words with and without the space before them; <mask> comes last."""
    from tokenizers.pre_tokenizers import ByteLevel

    pieces = ["<s>", "<pad>", "</s>", "<unk>", *sorted(ByteLevel.alphabet())]
    merges: list[tuple[str, str]] = []
    for word in (*(f"Ġ{word}" for word in WORDS), *WORDS):  # spaces join first
        for end in range(2, len(word) + 1):
            merge = (word[: end - 1], word[end - 1])
            if merge not in merges:
                merges.append(merge)
                pieces.append(word[:end])
    pieces.append("<mask>")
    return {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}, merges


def suffixed_vocabulary(suffix: str) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Words whose last piece says that it is the last, as GPT-1 has them, and all letters."""
    pieces = ["<unk>", *(f"{one}{end}" for one in (*MARKS, *LETTERS) for end in (suffix, ""))]
    merges: list[tuple[str, str]] = []
    for word in WORDS:
        units = [*word[:-1], f"{word[-1]}{suffix}"]
        for end in range(1, len(units)):
            merge = ("".join(units[:end]), units[end])
            if merge not in merges:
                merges.append(merge)
                pieces.append("".join(merge))
    return {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}, merges


def unigram_vocabulary(specials: list[str]) -> list[tuple[str, float]]:
    """Special tokens, then words with SentencePiece's mark, then letters, longest first."""
    pieces = [*(f"▁{word}" for word in WORDS), "▁", *MARKS, *LETTERS]
    scores = {piece: -3.0 if len(piece) > 2 else -8.0 for piece in pieces}
    return [*((token, 0.0) for token in specials), *scores.items()]
