"""Weights that transformers would make up, where a checkpoint's files have none."""

import re
from typing import Any

from explorer.api.family import Files


def made_up(module: Any, files: Files) -> tuple[str, ...]:
    """Weights that are neither in the files nor tied to one that is, though none is missed.

    transformers takes a tied weight, and those that a class says may be missing, for found.
    """
    state = dict(module.named_parameters(remove_duplicate=False))
    tied = dict(getattr(module, "all_tied_weights_keys", None) or {})
    may_miss = getattr(module, "_keys_to_ignore_on_load_missing", None) or ()
    doubted = {name for name in tied if name in state}
    doubted |= {name for name in state if any(re.search(one, name) for one in may_miss)}
    # Sines of positions are computed.
    doubted = {n for n in doubted if not hasattr(_part_of(module, n), "create_weight")}
    stored = {name.rpartition("model.")[2] for name in files.tensors}
    return tuple(
        sorted(
            name
            for name in doubted
            if name.rpartition("model.")[2] not in stored
            and not (name in tied and state[name] is state.get(tied[name]))
        )
    )


def _part_of(module: Any, name: str) -> Any:
    return module.get_submodule(name.rpartition(".")[0])
