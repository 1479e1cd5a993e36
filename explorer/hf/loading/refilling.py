"""Other weights in a module that is loaded: another moment of the same training.

The module stays, with its hooks, its buffers and all that holds it, and its tensors are written to
in place: tied ones once. Which tensor of the files belongs where is told by names, and proved by
the numbers that are there: every tensor must be what the files of now say. Where that is not so,
because a family turns, joins or scales tensors while it reads them, nothing can be filled.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from explorer.hf.loading.checkpoint import refuse_nan
from explorer.hf.loading.stored import in_memory


def names_in_files(
    module: Any,
    weights: Mapping[str, Any],
    plain: Callable[[str], str],
    missing: Collection[str],
) -> dict[str, str] | None:
    """Which tensor of the files each tensor of a module was read from.

    Args:
        module: As it was loaded.
        weights: Of the files that it was loaded from, as a family reads them.
        plain: A tensor's name, whether in the files or in the module, as it is compared.
        missing: Names of the module that the files lacked.

    Returns:
        By names of the module, one of those that share memory; None where some tensor is not
        what the files say, or where nobody can tell.
    """
    files = {plain(name): name for name in weights}
    if len(files) != len(weights):
        return None
    declared = getattr(module, "all_tied_weights_keys", {}) or {}
    state = module.state_dict()
    alike: dict[tuple[int, tuple[int, ...]], list[str]] = {}
    for name in sorted(state, key=lambda one: one in declared):
        alike.setdefault((state[name].data_ptr(), tuple(state[name].shape)), []).append(name)
    buffers = {name for name, _ in module.named_buffers()}
    found: dict[str, str] = {}
    for names in alike.values():
        named = [name for name in names if plain(name) in files]
        if named:
            found[named[0]] = files[plain(named[0])]
        elif not all(name in missing or name in buffers for name in names):
            return None
    is_told = all(_is(state[name], in_memory(weights[file])) for name, file in found.items())
    return found if is_told else None


def refill(module: Any, names: Mapping[str, str], weights: Mapping[str, Any]) -> bool:
    """Write other weights of the same shapes into a module, all or none.

    Args:
        module: As it was loaded.
        names: As `names_in_files` gives them.
        weights: Of another frame's files, as its family reads them.

    Returns:
        Whether that was done: False where one is missing, or has another shape.

    Raises:
        CheckpointFault: The files are damaged, or hold what is no number.
    """
    import torch

    state = module.state_dict()
    if not all(file in weights for file in names.values()):
        return False
    read = {name: in_memory(weights[file]) for name, file in names.items()}
    if any(one.shape != state[name].shape for name, one in read.items()):
        return False
    refuse_nan(read)
    with torch.no_grad():
        for name, tensor in read.items():
            state[name].copy_(tensor)
    return True


def _is(tensor: Any, stored: Any) -> bool:
    """Whether a tensor is what its file holds, in the type that it was loaded as."""
    import torch

    return bool(
        tensor.shape == stored.shape
        and torch.equal(tensor, stored.to(dtype=tensor.dtype, device=tensor.device))
    )
