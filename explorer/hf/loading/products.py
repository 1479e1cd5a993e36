"""Matrix products on a CPU by the library that is quicker there; the weights stay as they are.

PyTorch leaves float32 products to MKL, which on AMD's processors takes half of their registers.
oneDNN, which PyTorch brings too, takes all of them: measured at BERT base size and 128 tokens, a
product takes less than half the time, from the same weights and without a copy of them.
"""

import platform
from functools import cache, partial
from pathlib import Path
from typing import Any

WORTH = 1 << 20
"""Multiplications of a product below which finding the way to oneDNN takes longer than it saves."""


HOOKED = "_old_forward"
"""Where accelerate keeps the forward of a module that it has put a hook on."""


def quicken(module: Any) -> None:
    """Let a model on a CPU multiply by oneDNN, where that is quicker on this machine."""
    if is_quicker():
        use_onednn(module)


@cache
def is_quicker() -> bool:
    """Whether oneDNN is: by what the processor is, so that the same one gives the same numbers."""
    import torch

    return (
        _vendor() == "AuthenticAMD"
        and torch.backends.cpu.get_cpu_capability() == "AVX512"
        and bool(torch.backends.mkl.is_available())  # type: ignore[no-untyped-call]
        and has_onednn()
    )


def has_onednn() -> bool:
    """Whether this PyTorch brings it; that for Apple's processors doesn't."""
    import torch

    return bool(torch.backends.mkldnn.is_available()) and hasattr(  # type: ignore[no-untyped-call]
        torch.ops.mkldnn, "_linear_pointwise"
    )


def use_onednn(module: Any) -> None:
    """Let the linear layers of a model multiply by oneDNN, where no gradient is asked for."""
    import torch
    from transformers.pytorch_utils import Conv1D

    for part in module.modules():
        quicker = _linear if type(part) is torch.nn.Linear else _turned
        if type(part) in (torch.nn.Linear, Conv1D) and not hasattr(part, HOOKED):
            part.forward = partial(quicker, part)
        elif type(part) in (torch.nn.Linear, Conv1D):  # its forward fetches its weights first
            setattr(part, HOOKED, partial(quicker, part))


def _linear(layer: Any, states: Any) -> Any:
    import torch

    if not _fits(states, layer.weight):
        return torch.nn.functional.linear(states, layer.weight, layer.bias)
    return _product(states, layer.weight, layer.bias)


def _turned(layer: Any, states: Any) -> Any:
    """GPT's, whose weights lie the other way round."""
    if not _fits(states, layer.weight):
        return type(layer).forward(layer, states)
    return _product(states, layer.weight.t(), layer.bias)


def _product(states: Any, weight: Any, bias: Any) -> Any:
    """States times weights (out x in) plus the bias; "none" stands for nothing behind it."""
    import torch

    # It has no public name; torch's own compiler calls it by this one.
    return torch.ops.mkldnn._linear_pointwise(states, weight, bias, "none", [], "")  # noqa: SLF001


def _fits(states: Any, weight: Any) -> bool:
    import torch

    return (
        states.dtype == weight.dtype == torch.float32
        and states.device.type == weight.device.type == "cpu"
        and not torch.is_grad_enabled()
        and states.numel() // states.shape[-1] * weight.numel() >= WORTH
    )


def _vendor() -> str:
    """Of the processor: "AuthenticAMD", "GenuineIntel"; "" where nobody says."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor().rpartition(", ")[2]
    found = (line.partition(":")[2].strip() for line in lines if line.startswith("vendor_id"))
    return next(found, "")
