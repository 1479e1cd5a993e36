"""What differs between two frames beside their weights."""

import filecmp
from collections.abc import Mapping
from typing import Any

from explorer.api.family.checkpoint import Files
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

UNTOLD = frozenset({"_name_or_path", "dtype", "torch_dtype", "transformers_version"})
"""Fields of a config that say how it was written, and nothing of the model."""
SHOWN = 3


def difference(first: Files, other: Files) -> Phrase:
    """In a sentence, what keeps two frames from sharing all but their weights; "" for nothing."""
    found = []
    fields = _fields(first.config, other.config)
    if fields:
        found.append(Phrase(N_("Its config.json differs: {fields}."), fields=_some(fields)))
    files = [name for name in _tokenizers(first, other) if not _alike(first, other, name)]
    if files:
        found.append(Phrase(N_("Its tokenizer differs: {files}."), files=_some(files)))
    if first.tensors and other.tensors:
        tensors = _shapes(first).items() ^ _shapes(other).items()
        if tensors:
            names = sorted({name for name, _ in tensors})
            found.append(Phrase(N_("It has other tensors: {names}."), names=_some(names)))
    return Phrase.joined(found) if found else NOTHING


def _fields(first: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    both = {*first, *other} - UNTOLD
    missing = object()
    return sorted(one for one in both if first.get(one, missing) != other.get(one, missing))


def _tokenizers(first: Files, other: Files) -> list[str]:
    return sorted({*first.tokenizer_files, *other.tokenizer_files})


def _alike(first: Files, other: Files, name: str) -> bool:
    one, two = first.tokenizer_folder / name, other.tokenizer_folder / name
    try:
        return one.samefile(two) or filecmp.cmp(one, two, shallow=False)
    except OSError:
        return False


def _shapes(files: Files) -> dict[str, tuple[int, ...]]:
    return {name: tensor.shape for name, tensor in files.tensors.items()}


def _some(names: list[str]) -> str:
    more = ", …" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
