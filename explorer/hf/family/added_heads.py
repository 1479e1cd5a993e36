"""Heads that transformers' classes lack, added to a loaded model from its files."""

from dataclasses import replace
from typing import Any

from explorer.api.family import CheckpointFault, Files, LoadedModel, LoadOptions
from explorer.hf.loading.checkpoint import stored_weights
from explorer.hf.loading.stored import in_memory
from explorer.text import N_


def head_weights(files: Files, options: LoadOptions, prefix: str) -> dict[str, Any]:
    """A head's tensors, by their names behind the prefix ("sbo." of "sbo.dense1.weight").

    Args:
        files: The checkpoint.
        options: Whether a pickle may be read.
        prefix: Beginning of the names of its tensors, with the dot: "sbo.".

    Raises:
        CheckpointFault: The files are damaged.
    """
    return {
        name.removeprefix(prefix): in_memory(tensor)
        for name, tensor in stored_weights(files, options).items()
        if name.startswith(prefix)
    }


def described_weights(files: Files, prefix: str) -> dict[str, Any]:
    """What the files say of a head's tensors, by their names behind the prefix: their shapes.

    Args:
        files: The checkpoint.
        prefix: Beginning of the names of its tensors, with the dot: "sbo.".
    """
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in files.tensors.items()
        if name.startswith(prefix)
    }


def add_head(model: LoadedModel, prefix: str, module: Any, weights: dict[str, Any]) -> None:
    """Fill a head with weights and make it part of a model's module.

    Args:
        model: Loaded without the head, which its report calls unexpected.
        prefix: Beginning of its tensors' names in the files; also its attribute in the module.
        module: The head, with the shapes of the weights.
        weights: Its tensors, by their names behind the prefix.

    Raises:
        CheckpointFault: The weights do not fit each other.
    """
    try:
        module.load_state_dict(weights)
    except RuntimeError as error:
        raise CheckpointFault(
            N_("The tensors {prefix}* do not fit each other or the encoder."),
            N_("The file is incomplete, or was changed: copy the checkpoint again."),
            prefix=prefix,
        ) from error
    some = next(model.module.parameters())
    module.to(device=some.device, dtype=some.dtype).eval()
    model.module.add_module(prefix.rstrip("."), module)
    added = {prefix + tensor for tensor in weights}
    model.report = replace(
        model.report,
        found=model.report.found + len(added),
        unexpected=tuple(one for one in model.report.unexpected if one not in added),
    )
