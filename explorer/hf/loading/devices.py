"""Which device and which number type a model is loaded with."""

import re
from collections.abc import Iterable
from math import prod
from typing import Any

from explorer.api.family import LoadOptions, Tensor, UserMistake
from explorer.api.family.load_options import BITS, OFFLOAD
from explorer.text import N_

FLOATS = frozenset({"F64", "F32", "F16", "BF16", "F8_E4M3", "F8_E5M2"})
"""Safetensors' names of the number types that weights have."""

DTYPES = ("float32", "float16", "bfloat16")
STORED = {"F16": "float16", "BF16": "bfloat16"}
"""Safetensors' names of number types a model can run in; everything else runs as float32."""

SMALL = 1 << 30
"""Bytes that a model takes at most as float32 to be loaded so on every device. To halve so few
wins nothing, and gradients are too coarse in the half types."""


def resolve_device(name: str) -> str:
    """The device a user means: "cpu", "cuda:0", "mps".

    "auto" takes the first CUDA device, else Apple's, else the CPU.

    Raises:
        UserMistake: There is no such device here.
    """
    import torch

    wanted = name.strip().lower()
    cuda = torch.cuda.device_count() if torch.cuda.is_available() else 0
    mps = torch.backends.mps.is_available()
    if wanted == "auto":
        return "cuda:0" if cuda else "mps" if mps else "cpu"
    if wanted == "cpu":
        return wanted
    if wanted == OFFLOAD:
        raise UserMistake(
            N_("Models of this family can't lie on the disk."), N_("Choose auto or cpu.")
        )
    if wanted == "mps":
        if mps:
            return wanted
        raise UserMistake(N_("This machine has no Apple GPU (mps)."), N_("Choose auto or cpu."))
    match = re.fullmatch(r"cuda(?::(\d+))?", wanted)
    if match is None:
        raise UserMistake(
            N_('"{name}" is not a device.'),
            N_("Choose auto, cpu, cuda, cuda:1 (and so on), mps or offload."),
            name=name,
        )
    number = int(match.group(1) or 0)
    if not cuda:
        raise UserMistake(
            N_("No CUDA device can be used here."),
            N_("Choose auto or cpu; a CUDA device needs its driver and PyTorch's CUDA build."),
        )
    if number >= cuda:
        raise UserMistake(
            N_("There is no cuda:{number}; this machine's CUDA devices end at cuda:{cuda}."),
            N_("Choose cuda:0 to cuda:{cuda}, or auto.")
            if cuda > 1
            else N_("Choose cuda:0, or auto."),
            number=number,
            cuda=cuda - 1,
        )
    return f"cuda:{number}"


def resolve_dtype(options: LoadOptions, device: str, tensors: Iterable[Tensor]) -> Any:
    """The torch number type of a model.

    "auto" is float32 on a CPU and for a small model; elsewhere the one most weights are stored in.

    Args:
        options: What the user chose.
        device: As `resolve_device` gives it.
        tensors: Those in the files.

    Raises:
        UserMistake: The options name another type.
    """
    import torch

    if options.dtype in BITS:
        raise UserMistake(
            N_("Models of this family can't be held in 8 or 4 bit."),
            N_("Choose another number type."),
        )
    if options.dtype != "auto":
        if options.dtype not in DTYPES:
            raise UserMistake(
                N_('"{dtype}" is not a number type for models.'),
                N_("Choose auto, {dtypes}."),
                dtype=options.dtype,
                dtypes=", ".join((*DTYPES, *BITS)),
            )
        return getattr(torch, options.dtype)
    if device == "cpu":
        return torch.float32
    weights = list(tensors)
    if 4 * sum(prod(tensor.shape) for tensor in weights) <= SMALL:
        return torch.float32
    stored = [STORED.get(tensor.dtype, "float32") for tensor in weights]
    return getattr(torch, max(set(stored), key=stored.count))
