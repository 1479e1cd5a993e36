"""Weights of 8 and 4 bit, by bitsandbytes: those of the products in a model's layers.

Embeddings, norms and heads stay as they are, so that tied weights stay tied, vectors of pieces are
the checkpoint's own, and what a head reads in a state is as exact as before.
"""

import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from explorer.api.family import UserMistake
from explorer.hf.loading.memory.offloading import layers_of, outside_of
from explorer.hf.loading.memory.placement import Placement
from explorer.text import N_

BLOCK = 64
"""Weights that share a scale; bitsandbytes' product of 4 bits on a CPU takes no part of a block."""


@contextmanager
def quietly() -> Iterator[None]:
    """Keep bitsandbytes from writing which of its kernels it takes, and to what it casts."""
    logger = logging.getLogger("bitsandbytes")
    before = logger.level
    logger.setLevel(logging.ERROR)
    with warnings.catch_warnings(action="ignore"):
        try:
            yield
        finally:
            logger.setLevel(max(before, logging.ERROR))


def quantised(skeleton: Any, placement: Placement) -> Mapping[str, Any]:
    """What transformers is told so that it quantises a model as it loads it.

    Args:
        skeleton: The model on the meta device.
        placement: With the bits.

    Raises:
        UserMistake: The model has nothing that could be quantised.
    """
    from transformers import BitsAndBytesConfig

    exact = [*outside_of(skeleton)]
    odd = _odd(skeleton) if placement.bits == 4 else []
    if len(odd) == len(_products(skeleton)):
        raise UserMistake(
            N_("No layer of this model can be held in {bits} bit: its products are too small."),
            N_("Choose another number type."),
            bits=placement.bits,
        )
    if placement.bits == 8:
        config = BitsAndBytesConfig(load_in_8bit=True, llm_int8_skip_modules=exact)
    else:
        config = BitsAndBytesConfig(
            load_in_4bit=True,
            llm_int8_skip_modules=[*exact, *odd],
            bnb_4bit_quant_type="nf4",
            bnb_4bit_compute_dtype=placement.dtype,
        )
    return {"quantization_config": config, "device_map": {"": placement.device}}


def _odd(skeleton: Any) -> list[str]:
    """Products of the layers whose shapes are no whole blocks, of which 4 bit make no product."""
    found = _products(skeleton).items()
    return [path for path, part in found if any(size % BLOCK for size in part.weight.shape)]


def _products(skeleton: Any) -> dict[str, Any]:
    """Modules of the layers that multiply by a matrix, by their paths."""
    from torch.nn import Linear
    from transformers.pytorch_utils import Conv1D

    return {
        f"{path}.{below}" if below else path: part
        for path, layer in layers_of(skeleton).items()
        for below, part in layer.named_modules()
        if isinstance(part, Linear | Conv1D)
    }
