"""The example of a family for another kind of model: what transformers tells of its classes."""

import re
from collections.abc import Mapping, Sequence
from os.path import commonprefix
from typing import Any

from explorer.api.family import UserMistake
from explorer.text import N_

OF_EXAMPLE = "xlm-roberta"
"""The kind of model that the page's example is of."""


def of_type(model_type: str, files: Mapping[str, str]) -> Mapping[str, str]:
    """The files of the example with the classes, the head and the places of a kind of model.

    Args:
        model_type: As in config.json: "mpnet".
        files: Those of the example.

    Raises:
        UserMistake: transformers has no class of the kind that fills masks.
    """
    if model_type == OF_EXAMPLE:
        return files
    module, plain = _module_of(model_type)
    title, prefix = plain.removesuffix("Model"), module.base_model_prefix
    own = [name for name in module.state_dict() if not name.startswith(f"{prefix}.")]
    tied = {
        name: source.removeprefix(f"{prefix}.")
        for name, source in module.all_tied_weights_keys.items()
    }
    path = commonprefix([name.split(".") for name in own])  # noqa: RUF071  of lists of words
    said = {
        r'"""XLM-R \(.*?\)\."""': f'"""{title}."""',
        'title="XLM-R"': f'title="{title}"',
        '"xlm-roberta"': f'"{model_type}"',
        "XLMRoberta": title,
        r"tensors=\(.*?\n            \)": f"tensors={_lines('(', _tensors(own, tied), ')')}",
        r"tied=\{.*?\n            \}": f"tied={_lines('{', _pairs(tied), '}')}",
        'prefix="roberta"': f'prefix="{prefix}"',
        r'\("lm_head\.",\)': str(tuple(_beginnings(own, path))).replace("'", '"'),
        'masked_lm_path="lm_head"': f'masked_lm_path="{".".join(path)}"',
        r"\n    reserved_positions=2(,[^\n]*)": _reserved(module),
    }
    code = files["__init__.py"]
    for pattern, words in said.items():
        code = re.sub(pattern, words, code, flags=re.DOTALL)
    manifest = files["plugin.toml"].partition("\n[[published]]")[0]
    manifest = manifest.replace('"XLM-R', f'"{title}').replace(OF_EXAMPLE, model_type)
    return {**files, "plugin.toml": manifest, "__init__.py": code}


def _module_of(model_type: str) -> tuple[Any, str]:
    """A model without weights that fills masks, and the name of the class without a head."""
    import torch
    import transformers
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_MASKED_LM_MAPPING_NAMES,
        MODEL_MAPPING_NAMES,
    )

    name = MODEL_FOR_MASKED_LM_MAPPING_NAMES.get(model_type)
    plain = MODEL_MAPPING_NAMES.get(model_type)
    if name is None or not isinstance(plain, str):
        raise UserMistake(
            N_("transformers has no class for models of type {model_type} that fills masks."),
            N_("Name the model_type of a config.json: --model-type mpnet."),
            model_type=repr(model_type),
        )
    with torch.device("meta"):
        made = getattr(transformers, name)(transformers.AutoConfig.for_model(model_type))
    return made, plain


def _tensors(own: Sequence[str], tied: Mapping[str, str]) -> list[str]:
    """The head's own tensors; one with two names as "bias|decoder.bias"."""
    other = {source: name for name, source in tied.items() if source in own}
    names = [name for name in own if name not in tied]
    return [f'"{"|".join(filter(None, (name, other.get(name))))}"' for name in names]


def _pairs(tied: Mapping[str, str]) -> list[str]:
    return [f'"{name}": "{source}"' for name, source in tied.items()]


def _lines(opening: str, entries: Sequence[str], closing: str) -> str:
    within = "".join(f"\n                {one}," for one in entries)
    return f"{opening}{within}\n            {closing}"


def _beginnings(own: Sequence[str], path: Sequence[str]) -> list[str]:
    """How names of the head's tensors begin, and no others do."""
    found = [".".join(path)] if path else dict.fromkeys(one.split(".")[0] for one in own)
    return [f"{one}." for one in found]


def _reserved(module: Any) -> str:
    """What stands for the line of the positions that no token can have; "" where all can be had."""
    for name, table in module.named_modules():
        padding = getattr(table, "padding_idx", None)
        if name.endswith("position_embeddings") and padding is not None:
            # They are counted from the padding's number on.
            return rf"\n    reserved_positions={padding + 1}\1"
    return ""
