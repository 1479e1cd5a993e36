"""Where a model attends: by the names of known classes where these are right, else by a run."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from explorer.api.family import Cancelled, Unavailable
from explorer.hf import AttentionLayout, find_attentions, found_layout, shows_right
from explorer.text import N_

NOT_ALL = N_("Not all of its attentions, of whichever stacks it has, can be seen in a run.")
READS, WRITES = 13, 7
"""Pieces of the texts that are read and written: as many as no attention has heads."""


def right_layout(module: Any, named: AttentionLayout) -> AttentionLayout:
    """A layout that two short runs of a module show to be right; one that says why not without.

    Args:
        module: With its weights.
        named: By the names of known classes; it may refuse.
    """
    first = next(module.parameters())
    if first.is_meta:
        return named  # its layers are fetched from a disk for every run
    dtype = str(first.dtype).rpartition(".")[2]
    try:
        if not named.refusal and _is_right(module, named, dtype):
            return named
        found = found_layout(module, [_run(module, seed) for seed in (0, 1)], dtype)
        if len(found.stacks) != (3 if getattr(module.config, "is_encoder_decoder", False) else 1):
            raise Unavailable(NOT_ALL)
        return replace(found, layers_key=named.layers_key, heads_key=named.heads_key)
    except Cancelled:
        raise
    except Unavailable as error:
        return replace(named, refusal=error.problem)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RuntimeError):
        return named


def _is_right(module: Any, named: AttentionLayout, dtype: str) -> bool:
    try:
        return shows_right(module, find_attentions(module, named), _run(module, 0), dtype)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RuntimeError):
        return False


def _run(module: Any, seed: int) -> Callable[[], Any]:
    """A run on pieces that are drawn."""
    import torch

    drawn = torch.Generator().manual_seed(seed)
    config = module.config
    device = next(module.parameters()).device
    rows = module.get_input_embeddings().weight.shape[0]
    special = {getattr(config, f"{one}_token_id", None) for one in ("pad", "bos", "eos", "mask")}
    pieces = torch.tensor([one for one in range(min(rows, 4096)) if one not in special])

    def ids(count: int) -> Any:
        return pieces[torch.randperm(len(pieces), generator=drawn)[:count]][None].to(device)

    inputs = {"input_ids": ids(READS)}
    if getattr(config, "is_encoder_decoder", False):
        inputs["decoder_input_ids"] = ids(WRITES)
    return lambda: module(**inputs)
