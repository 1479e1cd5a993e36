"""Loads a transformers model from a folder, and says which weights came from the files.

Weights are read here and handed to transformers as tensors, so that it never looks for a file by
itself: nothing reaches the network, no code of a checkpoint runs, and a pickle is opened only
after the user agreed and then as weights only.
"""

import logging
import re
import warnings
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from explorer.api.errors import is_out_of_memory
from explorer.api.family import (
    Cancelled,
    CheckpointFault,
    ExplorerError,
    Files,
    LoadOptions,
    LoadReport,
    MachineFault,
    NeedsConsent,
    Tensor,
)
from explorer.hf.cancelling import check_current
from explorer.hf.loading.building import limits_of, unfilled, watched
from explorer.hf.loading.config import unbuildable
from explorer.hf.loading.config_fields import own_fields
from explorer.hf.loading.memory.offloading import (
    fetch_when_at_work,
    folder_for,
    places_of,
    refuse_without_disk,
    told,
)
from explorer.hf.loading.memory.placement import Placement
from explorer.hf.loading.memory.quantising import quantised, quietly
from explorer.hf.loading.stored import AGAIN, StoredTensor, in_memory, read_stored
from explorer.text import N_
from explorer.text.printable import first_line

LARGEST_PIECE_NUMBER = 10_000_000
"""Ten times that of the largest vocabularies; tables of pieces are as long as this."""

RARE = "\N{SNOWMAN}\N{LINEAR B SYLLABLE B008 A}"
"""Some tokenizers only fail at a text that they have no piece for."""

SHOWN = 3
"""Names of tensors that a message shows; the details have the rest."""


@dataclass(frozen=True)
class LoadedModule:
    """A module with weights.

    Attributes:
        module: In eval mode, on its device.
        report: Which weights came from the files.
        where: On which devices, as a caption says it: "cpu", "cpu + disk".
    """

    module: Any
    report: LoadReport
    where: str


def quiet_transformers() -> None:
    """Keep transformers from writing to the terminal; this program says what it found itself.

    It also keeps it from importing scipy, where that is installed: only losses of object detection
    need it, and it would be a tenth of the time until the first answer.
    """
    from transformers import utils
    from transformers.utils import logging as transformers_logging

    utils.is_scipy_available = lambda: False
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    for name in ("transformers", "accelerate"):
        logging.getLogger(name).setLevel(logging.ERROR)


def read_weights(files: Files, options: LoadOptions) -> dict[str, Any]:
    """All tensors of a checkpoint by name, in memory and in the type they are stored in.

    Args:
        files: The checkpoint.
        options: Whether a pickle may be read.

    Raises:
        NeedsConsent: They are a pickle and the options do not allow one.
        CheckpointFault: A file is damaged, or is a pickle that holds more than weights.
    """
    stored = stored_weights(files, options)
    return {name: in_memory(tensor) for name, tensor in stored.items()}


def check_loadable(files: Files, options: LoadOptions, title: str) -> None:
    """Refuse a checkpoint without weights, and a pickle that nobody agreed to.

    Raises:
        NeedsConsent: The weights are a pickle and the options do not allow one.
        CheckpointFault: There are no weights.
    """
    if not files.weight_files:
        raise CheckpointFault(
            N_("{title} has no weights to load, only a config."),
            N_("Choose a folder that holds model.safetensors too."),
            title=title,
        )
    if files.pickled and not options.allow_pickle:
        raise NeedsConsent(
            N_(
                "The weights of {title} are a pickle, a kind of file that can hold more than "
                "weights."
            ),
            N_("Open it only if you trust where it comes from; it is then read as weights only."),
            title=title,
        )


def stored_weights(files: Files, options: LoadOptions) -> dict[str, Any]:
    """All tensors of a checkpoint by name, in the type they are stored in.

    Those of safetensors are still in their files (`StoredTensor`): each is read when it is wanted.
    Those of a pickle are on the CPU.

    Args:
        files: The checkpoint.
        options: Whether a pickle may be read.

    Raises:
        NeedsConsent: They are a pickle and the options do not allow one.
        CheckpointFault: A file is damaged, or is a pickle that holds more than weights.
    """
    check_loadable(files, options, files.name)
    weights: dict[str, Any] = {}
    for name in files.weight_files:
        read = _read_pickle if files.pickled else read_stored
        weights.update(read(files.folder / name))
    return weights


def _read_pickle(path: Path) -> dict[str, Any]:
    import pickle

    import torch

    try:
        with warnings.catch_warnings(action="ignore"):  # of unusual pickles, told below
            content = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        named = re.search(r"GLOBAL ([\w.]+)", str(error))
        if named is None:
            raise CheckpointFault(N_("{name} is damaged."), AGAIN, name=path.name) from error
        raise CheckpointFault(
            N_("{name} holds more than weights: opening it would run {group}."),
            N_("It was not opened. Get the checkpoint as safetensors, from a source you trust."),
            name=path.name,
            group=named.group(1),
        ) from error
    except Exception as error:
        # What a pickle says is done, and anything may come of it.
        if is_out_of_memory(error):
            raise
        raise CheckpointFault(N_("{name} is damaged."), AGAIN, name=path.name) from error
    if isinstance(content, Mapping) and isinstance(content.get("state_dict"), Mapping):
        content = content["state_dict"]
    if not isinstance(content, Mapping):
        raise CheckpointFault(N_("{name} holds no weights by name."), AGAIN, name=path.name)
    return {
        name: value
        for name, value in content.items()
        if isinstance(name, str) and isinstance(value, torch.Tensor)
    }


def load_module(
    model_class: Any, config: Any, weights: dict[str, Any], placement: Placement, name: str
) -> LoadedModule:
    """Make a transformers model and fill it with weights.

    Weights that the class has and the files lack are in the report as missing; transformers gives
    them random values, so whatever needs them must not be offered.

    Args:
        model_class: Of transformers, or made as its classes are.
        config: Of the checkpoint.
        weights: As `read_weights` gives them.
        placement: Where they go, and which numbers they become.
        name: Of the checkpoint, for what is told.

    Raises:
        CheckpointFault: A tensor's shape is not the one the config asks for, or that asks for a
            model far too large for them.
        Cancelled: The run that wants the model was cancelled.
        MachineFault: There is not enough memory, or room on the disk.
    """
    quiet_transformers()
    if placement.plain:
        return _filled(model_class, config, weights, placement, {}, placement.device)
    limits = limits_of(tuple(tensor.shape) for tensor in weights.values())
    try:
        skeleton = unfilled(model_class, deepcopy(config), limits)
    except (ExplorerError, Cancelled, MemoryError):
        raise
    except Exception as error:
        raise unbuildable(model_class, config, error) from error
    if placement.bits:
        with quietly():
            how = quantised(skeleton, placement)
            return _filled(model_class, config, weights, placement, how, placement.device)
    with folder_for(name, placement.cache) as folder:
        places = places_of(skeleton, placement)
        refuse_without_disk(name, skeleton, places, folder, placement.dtype)
        del skeleton
        how = {"device_map": places, "offload_folder": str(folder)}
        loaded = _filled(model_class, config, weights, placement, how, told(places, placement))
        fetch_when_at_work(loaded.module, places, placement, folder)
        return loaded


def _filled(
    model_class: Any,
    config: Any,
    weights: dict[str, Any],
    placement: Placement,
    how: Mapping[str, Any],
    where: str,
) -> LoadedModule:
    """As `load_module`, with what transformers is told besides."""
    try:
        with (
            warnings.catch_warnings(action="ignore"),  # of tensors without numbers
            watched(config, limits_of(tuple(tensor.shape) for tensor in weights.values())),
        ):
            module, found = model_class.from_pretrained(
                None,
                config=config,
                state_dict=weights,
                dtype=placement.dtype,
                local_files_only=True,
                ignore_mismatched_sizes=True,
                output_loading_info=True,
                **how,
            )
    except (ExplorerError, Cancelled, MemoryError):
        raise
    except Exception as error:
        check_current()
        _raise_faults(weights)
        if is_out_of_memory(error):
            raise
        raise unbuildable(model_class, config, error) from error
    _raise_faults(weights)
    if found["mismatched_keys"]:
        name, stored, expected = min(found["mismatched_keys"])
        raise CheckpointFault(
            N_(
                "The weights do not fit the config: {name} is {shape} in the files and "
                "{expected} by config.json."
            ),
            N_("config.json and the weights belong to different models: copy them again."),
            name=name,
            shape=_shape(stored),
            expected=_shape(expected),
        )
    try:
        if placement.plain:
            module.to(placement.device)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        raise MachineFault(
            N_("{device} has not enough free memory for this model."),
            N_("Unload another model, choose float16, or run on the CPU."),
            device=placement.device,
        ) from error
    module.eval()
    refuse_nan(dict(module.named_parameters()))
    return LoadedModule(module, _report(module, found), where)


def refuse_nan(tensors: Mapping[str, Any]) -> None:
    """Tell of a tensor with a NaN in it: attention may hide that, and answer all the same.

    Raises:
        CheckpointFault: There is one.
    """
    import torch

    for name, tensor in tensors.items():
        if tensor.is_meta or not tensor.is_floating_point():
            continue
        # One pass without a copy; only where its sum is none are single numbers looked at.
        if not torch.isfinite(tensor.sum(dtype=torch.float32)) and tensor.isnan().any():
            raise CheckpointFault(
                N_("The tensor {name} holds what is no number (NaN)."),
                N_("Its training went wrong, or the file is damaged: take an earlier checkpoint."),
                name=name,
            )


def _raise_faults(weights: Mapping[str, Any]) -> None:
    """Tell what went wrong with reading a tensor, which the libraries may have caught."""
    for tensor in weights.values():
        if isinstance(tensor, StoredTensor) and tensor.fault is not None:
            raise tensor.fault


def _report(module: Any, found: Mapping[str, Any]) -> LoadReport:
    """Count what came from the files; tensors that share memory are one, the first is its name."""
    missing = set(found["missing_keys"])
    first: dict[tuple[int, tuple[int, ...]], str] = {}
    tied: list[tuple[str, str]] = []
    names = 0
    declared = getattr(module, "all_tied_weights_keys", {}) or {}
    state = module.state_dict()
    for name in sorted(state, key=lambda one: one in declared):
        tensor = state[name]
        if tensor.is_meta:  # on the disk: it has no address
            other = declared.get(name, name)
        else:
            key = (tensor.data_ptr(), tuple(tensor.shape))
            other = first.setdefault(key, name) if tensor.numel() else name
        if other != name:
            tied.append((name, other))
        elif name not in missing:
            names += 1
    shared = {name for name, other in tied if other not in missing}
    return LoadReport(
        found=names,
        missing=tuple(sorted(missing - shared)),
        unexpected=tuple(sorted(found["unexpected_keys"])),
        tied=tuple(sorted(tied)),
    )


def missing_weights(names: tuple[str, ...], unexpected: tuple[str, ...] = ()) -> CheckpointFault:
    """The fault of a checkpoint that lacks weights of the model itself.

    Args:
        names: Those that are missing.
        unexpected: Those of the files that the model has no place for: the same ones, maybe, as a
            training loop names them that wraps the model.
    """
    remedy = N_(
        "config.json and the weights belong to different models, or the file is incomplete."
    )
    first = unexpected[0].partition(".")[0] if unexpected else ""
    inner = {one.removeprefix(f"{first}.") for one in unexpected}
    inner |= {one.partition(".")[2] for one in inner}
    if inner.issuperset(names) and all(one.startswith(f"{first}.") for one in unexpected):
        remedy = N_("In the files all names begin with “{first}”: save the weights without it.")
    message = N_("The weights do not fit the config: {count} tensors are missing, {shown}.")
    if len(names) == 1:
        message = N_("The weights do not fit the config: the tensor {shown} is missing.")
    elif len(names) > SHOWN:
        message = N_(
            "The weights do not fit the config: {count} tensors are missing, {shown} and others."
        )
    return CheckpointFault(
        message,
        remedy,
        count=len(names),
        first=f"{first}.",
        shown=", ".join(names[:SHOWN]),
    )


def load_tokenizer(files: Files, *, has_offsets: bool = True, **options: Any) -> Any:
    """The checkpoint's tokenizer, from its own files and never by its own code.

    Args:
        files: The checkpoint.
        has_offsets: One that can't tell where tokens lie is refused.
        **options: What its files leave unsaid, as AutoTokenizer takes it (do_lower_case).

    Raises:
        CheckpointFault: Its files are missing or damaged, or it can't tell where tokens lie.
    """
    if not files.has_tokenizer:
        raise CheckpointFault(
            N_("{name} has no tokenizer files."),
            N_("Copy tokenizer.json (or vocab.txt) from the checkpoint into the folder."),
            name=files.name,
        )
    quiet_transformers()
    try:
        tokenizer = _tokenizer(files, options)
        if getattr(tokenizer, "is_fast", False):
            # A tokenizer.json keeps the length that it was last asked for: a text would end there
            # unsaid, or become as long, which may be a thousand million pieces.
            tokenizer.backend_tokenizer.no_truncation()
            tokenizer.backend_tokenizer.no_padding()
            tokenizer.backend_tokenizer.encode(RARE, add_special_tokens=False)
    except Exception as error:
        if is_out_of_memory(error):
            raise
        raise CheckpointFault(
            N_("The tokenizer of {name} can't be read ({first_line})."),
            N_("Copy the tokenizer's files again."),
            name=files.name,
            first_line=first_line(error),
        ) from error
    if has_offsets and not getattr(tokenizer, "is_fast", False):
        raise CheckpointFault(
            N_("The tokenizer of {name} can't tell which characters a token stands for."),
            N_("Add the tokenizer.json that goes with it."),
            name=files.name,
        )
    return tokenizer


def _tokenizer(files: Files, options: Mapping[str, Any]) -> Any:
    """As AutoTokenizer reads it, which reads config.json as well."""
    from transformers import CONFIG_MAPPING, AutoTokenizer

    how: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False, "use_fast": True}
    read = partial(AutoTokenizer.from_pretrained, str(files.tokenizer_folder), **{**how, **options})
    own, kind = own_fields(files.config), files.config.get("model_type")
    if files.shared is None or kind not in CONFIG_MAPPING:
        try:
            return read()
        except Exception:
            if len(own) == len(files.config) or kind not in CONFIG_MAPPING:
                raise
    # Beside a tokenizer that all frames share there is no config.json.
    return read(config=CONFIG_MAPPING[kind].from_dict(own))


def refuse_far_numbers(tokenizer: Any, files: Files) -> None:
    """Refuse a vocabulary whose numbers leave room for pieces that no vocabulary could have.

    Raises:
        CheckpointFault: It has such a number.
    """
    vocabulary: dict[str, int] = tokenizer.get_vocab()
    piece = max(vocabulary, key=lambda one: vocabulary[one], default="")
    number = vocabulary.get(piece, 0)
    if number > LARGEST_PIECE_NUMBER:
        raise CheckpointFault(
            N_("The tokenizer of {name} numbers a piece {number}, and has {count} pieces."),
            N_("Copy the tokenizer's files again."),
            name=files.name,
            number=number,
            count=len(vocabulary),
        )


def tell_segments_apart(tokenizer: Any, config: Any) -> None:
    """Let the tokenizer give token types exactly where the model has an embedding for two.

    Its own files can't be trusted in this: ALBERT's name no token types though it was trained with
    them, and a WordPiece tokenizer beside a RoBERTa gives a type that the model does not have.
    """
    types = getattr(config, "type_vocab_size", None)
    names = [name for name in tokenizer.model_input_names if name != "token_type_ids"]
    if isinstance(types, int) and types > 1:
        names.insert(1, "token_type_ids")
    tokenizer.model_input_names = names


def longest_input(config_limit: int | None, tokenizer: Any) -> int | None:
    """Tokens a model takes: the smaller of what its config and its tokenizer say.

    Args:
        config_limit: What the config says, in tokens with the special ones; None for no limit.
        tokenizer: A transformers tokenizer.
    """
    stated = getattr(tokenizer, "model_max_length", None)
    # Tokenizers without a limit state a number of 31 digits.
    limits = [n for n in (config_limit, stated) if isinstance(n, int) and 0 < n < 10**9]
    return min(limits, default=None)


def _shape(shape: Any) -> str:
    return " x ".join(str(n) for n in shape) or "a single number"


def described(weights: Mapping[str, Any]) -> dict[str, Tensor]:
    """Tensors by name, for files that could not be read before they were loaded."""
    names = {"torch.float32": "F32", "torch.float16": "F16", "torch.bfloat16": "BF16"}
    return {
        name: Tensor(
            tuple(tensor.shape),
            names.get(str(tensor.dtype), "F64" if tensor.is_floating_point() else "I64"),
            "",
        )
        for name, tensor in weights.items()
    }
