"""Watches a model while it is built: it can be stopped, and does not outgrow its files.

Some configs describe a model that takes hours to build and more memory than there is. A mode of
torch sees every tensor that is made meanwhile, on this thread alone.
"""

import warnings
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any

from explorer.api.family import CheckpointFault
from explorer.hf.cancelling import check_current
from explorer.text import N_, NN_, Phrase


@dataclass(frozen=True)
class Limits:
    """How much may be made.

    Attributes:
        tensors: How many.
        numbers: In all of them; None for any number.
        told: What the files hold, for a person: "the files hold 71 tensors".
    """

    tensors: int
    numbers: int | None
    told: Phrase


ALONE = Limits(50_000, None, Phrase(N_("no published model of this kind has this many weights")))
"""For a config without weights: several times what the deepest of these models have."""

_TIMES, _TENSORS_MORE, _NUMBERS_MORE = 8, 1_000, 100_000_000
"""Heads that the files lack and matrices that are tied later are made as well, so that a model
may be some times larger at first than its files."""


def limits_of(shapes: Iterable[tuple[int, ...]]) -> Limits:
    """Limits for a model that files with tensors of these shapes are to fill."""
    sizes = [prod(shape) for shape in shapes]
    return Limits(
        _TIMES * len(sizes) + _TENSORS_MORE,
        _TIMES * sum(sizes) + _NUMBERS_MORE,
        Phrase(
            NN_("the files hold {count} tensor", "the files hold {count} tensors"),
            count=len(sizes),
        ),
    )


def watched(config: Any, limits: Limits) -> AbstractContextManager[Any]:
    """Build a model inside this.

    Args:
        config: The transformers config it is built from.
        limits: What is refused.

    Raises:
        CheckpointFault: The model outgrows the limits.
        Cancelled: The run that it is built for was cancelled.
    """
    import torch
    from torch.overrides import TorchFunctionMode

    factories = {torch.empty, torch.zeros, torch.ones, torch.full, torch.rand, torch.randn}

    class Watching(TorchFunctionMode):
        tensors = 0
        numbers = 0

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            check_current()
            made = func(*args, **(kwargs or {}))
            # Models are built on the meta device: what is made elsewhere is filled already.
            if func in factories and made.is_meta:
                self.tensors += 1
                self.numbers += made.numel()
                too_many = limits.numbers is not None and self.numbers > limits.numbers
                if too_many or self.tensors > limits.tensors:
                    raise _outgrown(config, limits)
            return made

    return Watching()


def unfilled(model_class: Any, config: Any, limits: Limits) -> Any:
    """A model without weights, on the meta device.

    Raises:
        CheckpointFault: It outgrows the limits.
        Cancelled: The run that it is built for was cancelled.
    """
    import torch

    with (
        warnings.catch_warnings(action="ignore"),  # of tensors without numbers, told elsewhere
        watched(config, limits),
        torch.device("meta"),
        _without_random_numbers(),
    ):
        module = model_class(config)
    module.tie_weights()
    return module


@contextmanager
def _without_random_numbers() -> Iterator[None]:
    """Make a model without drawing its first weights, which takes most of the time.

    Weights are not tied meanwhile either. Where transformers has no such thing, they are drawn.
    """
    try:
        from transformers.initialization import no_init_weights
    except ImportError:
        yield
        return
    with no_init_weights():
        yield


def _outgrown(config: Any, limits: Limits) -> CheckpointFault:
    layers = getattr(config, "num_hidden_layers", None)
    told = limits.told
    if isinstance(layers, int):
        told = Phrase(N_("{layers} layers, and {limit}"), layers=layers, limit=limits.told)
    return CheckpointFault(
        N_("config.json describes a model that is far too large: {told}."),
        N_("Correct the numbers in config.json, or copy the checkpoint again."),
        told=told,
    )
