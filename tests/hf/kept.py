"""Bundled models, each loaded once a worker, for tests that only read them."""

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from explorer.engine.library.inspection import inspect_folder
from tests.hf import tiny

MODELS = Path(__file__).resolve().parents[2] / "resources" / "models"
ACTIVATIONS = {"transformers.activations", "torch.nn.modules.activation"}
_KEPT: dict[str, tuple[Any, tuple[Any, ...]]] = {}
_LENT: set[str] = set()
"""Since the file of the running test began: its fixtures may hold them."""


def miniature(name: str) -> Any:
    """The loaded model; every test is checked to leave it as it was."""
    if name not in _KEPT:
        model = tiny.load(MODELS / name)
        _KEPT[name] = model, tuple(state_of(model))
    _LENT.add(name)
    return _KEPT[name][0]


@cache
def bundled(port: type) -> tuple[str, ...]:
    """Names of the bundled models that have a port."""
    host = tiny.families()
    found = []
    for folder in sorted(MODELS.iterdir()):
        if (folder / "model.safetensors").is_file():
            files = inspect_folder(folder)
            if port in host.family_of(files)[0].offers(files):
                found.append(folder.name)
    return tuple(found)


def begin_file() -> None:
    """What was lent to the files before this one is back."""
    _LENT.clear()


def changed() -> list[str]:
    """What the running test did to the models it may hold; those are not lent again."""
    problems = []
    for name in sorted(_LENT):
        model, before = _KEPT[name]
        different = sorted({one[0] for one in set(before) ^ set(state_of(model))})
        if different:
            problems.append(f"{name}: {', '.join(different[:5])}")
            _LENT.discard(name)
            del _KEPT[name]
    return problems


def state_of(model: Any) -> Iterator[tuple[Any, ...]]:
    """What a reader has no business to change, each after the name of its part."""
    module = model.module
    for name, part in module.named_modules():
        if type(part).__module__ in ACTIVATIONS:
            # GPT-1 and XLM share theirs with every other model of their class, whose it is too.
            continue
        hooks = (part._forward_hooks, part._forward_pre_hooks, part._backward_hooks)
        counts = (sum(not _is_transformers_own(hook) for hook in some.values()) for some in hooks)
        yield f"part {name}", part.training, *counts, "forward" in vars(part)
    for name, tensor in chain(module.named_parameters(), module.named_buffers()):
        known = (id(tensor), tensor._version, tensor.dtype, tensor.requires_grad)
        yield f"tensor {name}", *known, tensor.grad is None
    yield "ports", *((kind, id(port)) for kind, port in model.ports.items())
    yield from ((one.name, id(getattr(model, one.name))) for one in fields(model))
    yield "attention implementation", getattr(model.config, "_attn_implementation", None)


def _is_transformers_own(hook: Any) -> bool:
    """Whether it collects the layers' states: transformers puts these in when first asked."""
    return getattr(hook, "__module__", "") == "transformers.utils.output_capturing"
