"""Rows of a head's last matrix where no module has it: what a logit depends on, by its gradient."""

from collections.abc import Callable, Sequence
from typing import Any


def rows_by_gradient(
    head: Callable[[Any], Any], module: Any, states: Any, ids: Sequence[int]
) -> Any:
    """The gradients of some logits by the vector that the last module of the head gives.

    Behind that module a logit is a row times the vector, and a number: its gradient is the row.

    Args:
        head: From states (n x width) to logits (n x vocabulary).
        module: The last one with a vector of its own.
        states: What the head reads, 1 x width.
        ids: Of the pieces.

    Returns:
        numpy, float32, pieces x width; None where the head does without the module.
    """
    import torch

    given: list[Any] = []

    def stop(_module: Any, _inputs: Any, output: Any) -> Any:
        given.append(output.detach().clone().requires_grad_())
        return given[-1]

    handle = module.register_forward_hook(stop)
    try:
        with torch.inference_mode(mode=False), torch.enable_grad():
            logits = head(states.clone())[0]
            if not given:
                return None
            rows = [torch.autograd.grad(logits[n], given[-1], retain_graph=True)[0] for n in ids]
    finally:
        handle.remove()
    return torch.stack(rows).reshape(len(rows), -1).float().cpu().numpy()
