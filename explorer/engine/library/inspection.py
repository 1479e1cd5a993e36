"""What a checkpoint's folder holds, found without loading weights and without running anything.

Only headers are read: config.json, the JSON header of safetensors files, the index of sharded
files, and the list of tensors in a zipped PyTorch file (see `pickle_index`).
"""

import os
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.family import CheckpointFault, Files, Tensor, UserMistake
from explorer.engine.library.file_limits import (
    AGAIN,
    LARGEST_CONFIG,
    LARGEST_INDEX,
    LARGEST_NUMBER,
    LARGEST_TOKENIZER_FILE,
    Allowance,
    checked_shape,
    read_json,
    refuse_large,
    refuse_special,
    shown,
)
from explorer.engine.library.pairing import GENERATOR_CONFIG, GENERATOR_FILE
from explorer.engine.library.pickle_index import read_pickle_index
from explorer.files.foreign import clause_of, json_of
from explorer.files.typed_paths import typed_path
from explorer.hf.loading.config_fields import CORRECT_IT, value_of
from explorer.series import row_scales
from explorer.series.tokenizer_files import TOKENIZER_FILES, shared_tokenizer, tokenizer_files
from explorer.text import N_

CONFIG = "config.json"
OTHER_CONFIGS = ("ernie_config.json",)
"""What configs are called in folders that were published before transformers' layout."""

SAFETENSORS = "model.safetensors"
PICKLE = "pytorch_model.bin"
PICKLE_SUFFIXES = frozenset({".bin", ".pt", ".pth", ".ckpt"})
GGUF = ".gguf"
IS_GGUF = N_("The weights in {name} are in GGUF's format, which is opened as a folder made of it.")
MAKE_FOLDER = N_("Make that folder with: plm-explorer convert FILE.gguf FOLDER")
FOREIGN_WEIGHTS = (
    ("tf_model.h5", "TensorFlow"),
    ("flax_model.msgpack", "Flax"),
    ("model.ckpt.index", "TensorFlow"),
    ("*.ckpt.index", "TensorFlow"),
    ("*.onnx", "ONNX"),
)

MOST_SHARDS = 10_000
LONGEST_HEADER = 100_000_000
"""The safetensors format allows no longer header, in bytes."""


def inspect_folder(path: Path, *, weights: bool = True) -> Files:
    """Read what a checkpoint holds.

    Args:
        path: Its folder, its config.json, or one of its weight files.
        weights: False leaves the weight files alone, as if only config.json were there.

    Raises:
        UserMistake: There is no checkpoint at this path.
        CheckpointFault: There is one, and it is damaged.
    """
    path = typed_path(path)
    if not path.exists():
        raise UserMistake(
            N_("There is nothing at {path}."), N_("Check the path, or pick a folder."), path=path
        )
    refuse_special(path)
    chosen: Path | None = None
    folder = path
    if path.is_file():
        folder = path.parent
        if path.suffix == ".safetensors" or path.suffix in PICKLE_SUFFIXES:
            chosen = path
        elif path.suffix.lower() == GGUF:
            raise UserMistake(IS_GGUF, MAKE_FOLDER, name=path.name)
        elif path.name not in (CONFIG, *OTHER_CONFIGS) and not path.name.endswith(".index.json"):
            raise UserMistake(
                N_("{name} is not part of a checkpoint that can be opened."),
                N_("Choose the folder, its config.json, or a .safetensors file."),
                name=path.name,
            )
    found = _Weights({}, (), pickled=False)
    if weights:
        found = _read_weights(folder, chosen)
    config = _read_config(folder, found)
    if chosen is not None and chosen.name == GENERATOR_FILE:
        config = {**config, **_generators_config(folder)}
    shared = shared_tokenizer(folder)
    named = shared or folder
    if weights:
        for name in TOKENIZER_FILES:
            refuse_large(named / name, LARGEST_TOKENIZER_FILE)
    return Files(
        folder=folder,
        name=_name_of(folder),
        config=config,
        tensors=found.tensors,
        weight_files=found.files,
        pickled=found.pickled,
        tokenizer_files=tokenizer_files(named),
        size_bytes=sum((folder / name).stat().st_size for name in found.files),
        shared=shared,
    )


@dataclass(frozen=True)
class _Weights:
    tensors: Mapping[str, Tensor]
    files: tuple[str, ...]
    pickled: bool


def _read_config(folder: Path, found: _Weights) -> Mapping[str, Any]:
    named = (folder / name for name in (CONFIG, *OTHER_CONFIGS))
    path = next((path for path in named if os.path.lexists(path)), folder / CONFIG)
    refuse_special(path)
    if not path.is_file():
        if found.files:
            raise CheckpointFault(
                N_("{name} has weights but no config.json, so their layout is unknown."),
                N_("Copy the checkpoint's config.json into the folder."),
                name=folder.name,
            )
        raise UserMistake(
            N_("{name} holds no checkpoint: there is no config.json in it."),
            N_("Choose a folder as transformers' save_pretrained writes it."),
            name=folder.name or folder,
        )
    try:
        config = read_json(path, LARGEST_CONFIG)
    except ValueError as error:
        raise CheckpointFault(
            N_("{name} is not valid JSON ({error})."),
            AGAIN,
            name=path.name,
            error=clause_of(error),
        ) from error
    except OSError as error:
        raise CheckpointFault(
            N_("{name} can't be read ({strerror})."), AGAIN, name=path.name, strerror=error.strerror
        ) from error
    if not isinstance(config, dict):
        raise CheckpointFault(N_("config.json does not describe a model."), AGAIN)
    _refuse_odd_names(config)
    return config


def _refuse_odd_names(config: Mapping[str, Any]) -> None:
    """Refuse what could not be looked at: everything else is for those who know the family.

    Raises:
        CheckpointFault: The kind of model, or its classes, are no names.
    """
    kind, classes = config.get("model_type"), config.get("architectures")
    if kind is not None and not isinstance(kind, str):
        wrong = f"model_type is {value_of(kind)}"
    elif classes is not None and not (
        isinstance(classes, list) and all(isinstance(one, str) for one in classes)
    ):
        wrong = f"architectures is {value_of(classes)}"
    else:
        return
    raise CheckpointFault(
        N_("config.json describes no model: {fields}."),
        CORRECT_IT,
        fields=wrong,
    )


def _generators_config(folder: Path) -> Mapping[str, Any]:
    """How a generator differs that lies beside its discriminator, with a config of its own."""
    path = folder / GENERATOR_CONFIG
    try:
        config = read_json(path, LARGEST_CONFIG)
    except (ValueError, OSError) as error:
        raise CheckpointFault(
            N_(
                "{generator_file} needs {generator_config} next to it, which can't be read "
                "({error})."
            ),
            N_("Copy it from the repository the weights are from."),
            generator_file=GENERATOR_FILE,
            generator_config=GENERATOR_CONFIG,
            error=clause_of(error) if isinstance(error, ValueError) else error,
        ) from error
    if not isinstance(config, dict):
        raise CheckpointFault(
            N_("{generator_config} does not describe a model."),
            AGAIN,
            generator_config=GENERATOR_CONFIG,
        )
    return config


def _read_weights(folder: Path, chosen: Path | None) -> _Weights:
    """Of the file the user chose, or else of safetensors before pickles."""
    if chosen is not None:
        return _of_files(folder, (chosen.name,), pickled=chosen.suffix != ".safetensors")
    for name, pickled in ((SAFETENSORS, False), (PICKLE, True)):
        refuse_special(folder / name)
        if (folder / name).is_file():
            return _of_files(folder, (name,), pickled=pickled)
        index = folder / f"{name}.index.json"
        refuse_special(index)
        if index.is_file():
            return _of_files(folder, _shards(index), pickled=pickled)
    refuse_special(folder / row_scales.FILE)
    if (folder / row_scales.FILE).is_file():
        return _of_files(folder, (row_scales.FILE,), pickled=False)
    if any(folder.glob(f"*{GGUF}")):
        raise CheckpointFault(IS_GGUF, MAKE_FOLDER, name=folder.name)
    for pattern, kind in FOREIGN_WEIGHTS:
        if any(folder.glob(pattern)):
            raise CheckpointFault(
                N_("The weights in {name} are in {kind}'s format, which can't be opened."),
                N_("Convert them to safetensors with transformers' save_pretrained."),
                name=folder.name,
                kind=kind,
            )
    return _Weights({}, (), pickled=False)


def _shards(index: Path) -> tuple[str, ...]:
    try:
        weight_map = read_json(index, LARGEST_INDEX)["weight_map"]
        names = tuple(sorted(set(weight_map.values())))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointFault(N_("{name} is damaged."), AGAIN, name=index.name) from error
    except OSError as error:
        raise CheckpointFault(
            N_("{name} can't be read ({strerror})."),
            AGAIN,
            name=index.name,
            strerror=error.strerror,
        ) from error
    if len(names) > MOST_SHARDS:
        raise CheckpointFault(
            N_("{name} names {count} files, which is absurd."),
            AGAIN,
            name=index.name,
            count=len(names),
        )
    for name in names:
        if not isinstance(name, str) or Path(name).name != name:
            raise CheckpointFault(
                N_("{name} names a file outside its folder."), AGAIN, name=index.name
            )
    # os.path says no of names that no file can have, where Path raises.
    missing = [name for name in names if not os.path.isfile(index.parent / name)]  # noqa: PTH113
    if missing:
        raise CheckpointFault(
            N_("{count} of {all} weight files are missing, {first} first."),
            N_("Finish the download, or copy the missing files into the folder."),
            count=len(missing),
            all=len(names),
            first=shown(missing[0]),
        )
    if not all(map(_is_text, names)):
        raise CheckpointFault(
            N_("{name} names a file whose name is no text in UTF-8."),
            N_("Give the file another name, in the index as well."),
            name=index.name,
        )
    return names


def _is_text(name: str) -> bool:
    """Whether a name can be written: the bytes of files' names need be no text on Linux."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _of_files(folder: Path, names: tuple[str, ...], *, pickled: bool) -> _Weights:
    tensors: dict[str, Tensor] = {}
    allowance = Allowance()
    for name in () if pickled else names:
        _charge(folder / name, allowance)
    for name in names:
        path = folder / name
        try:
            tensors.update(
                read_pickle_index(path, allowance) if pickled else read_safetensors_header(path)
            )
        except OSError as error:
            raise CheckpointFault(
                N_("{name} can't be read ({strerror})."), AGAIN, name=name, strerror=error.strerror
            ) from error
    return _Weights(tensors, names, pickled)


def _charge(path: Path, allowance: Allowance) -> None:
    """Count what the header of a safetensors file takes, before any of a checkpoint's is read.

    What else is wrong with the file is told where it is read.

    Raises:
        CheckpointFault: It takes more than one file, or all together, may have.
    """
    refuse_special(path)
    try:
        with path.open("rb") as file:
            start = file.read(8)
    except OSError:
        return
    length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
    if 2 <= length <= LONGEST_HEADER:
        allowance.take_bytes(length, path)


def read_safetensors_header(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file: 8 bytes of length, then JSON, then the data.

    Args:
        path: The file.

    Raises:
        CheckpointFault: It is not such a file, or shorter than its header says, or its header is
            longer than any checkpoint's.
    """
    refuse_special(path)
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        if start.startswith(b"version https://git-lfs"[:8]):
            raise CheckpointFault(
                N_("{name} is only a pointer to the weights (Git LFS), not the weights."),
                N_("Fetch the file itself with `git lfs pull`, or download it."),
                name=path.name,
            )
        if not 2 <= length <= LONGEST_HEADER:
            raise CheckpointFault(N_("{name} is not a safetensors file."), AGAIN, name=path.name)
        if length + 8 > size:
            raise _cut_short(path, length + 8, size)
        Allowance().take_bytes(length, path)
        raw = file.read(length)
    try:
        header = json_of(raw)
        header.pop("__metadata__", None)
        tensors = {
            name: Tensor(checked_shape(entry["shape"], path), str(entry["dtype"]), path.name)
            for name, entry in header.items()
        }
        end = max((int(entry["data_offsets"][1]) for entry in header.values()), default=0)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        IndexError,
        OverflowError,
    ) as error:
        raise CheckpointFault(N_("{name} has a damaged header."), AGAIN, name=path.name) from error
    if path.name == row_scales.FILE:
        tensors, scales = row_scales.apart(tensors)
        # They are read as what their scales are.
        tensors |= {name: replace(tensors[name], dtype=one.dtype) for name, one in scales.items()}
    if end > LARGEST_NUMBER:
        raise CheckpointFault(N_("{name} has a damaged header."), AGAIN, name=path.name)
    if end + 8 + length > size:
        raise _cut_short(path, end + 8 + length, size)
    return tensors


def _cut_short(path: Path, expected: int, size: int) -> CheckpointFault:
    return CheckpointFault(
        N_("{name} is cut short: it should hold {expected} bytes and holds {size}."),
        N_("Finish the download, or copy the file again."),
        name=path.name,
        expected=expected,
        size=size,
    )


def _name_of(folder: Path) -> str:
    """The hub's name for a folder of its cache, else the folder's own."""
    resolved = folder.resolve()
    for part in (resolved, *resolved.parents):
        match = re.fullmatch(r"models--(?:.+--)?(.+)", part.name)
        if match:
            return match.group(1)
    return resolved.name
