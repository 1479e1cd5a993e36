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
_PROVED: dict[tuple[int, bool], tuple[Any, Any]] = {}
"""What came of the proof of a kept model, beside it; by its identity, and whether it is guessed."""
_LENT: set[str] = set()
"""Since the file of the running test began: its fixtures may hold them."""
_BORROWED: set[str] = set()
"""Since the running test began: nobody holds them behind its end."""


def miniature(name: str) -> Any:
    """The loaded model; every test is checked to leave it as it was."""
    if name not in _KEPT:
        model = tiny.load(MODELS / name)
        _KEPT[name] = model, tuple(state_of(model))
    _LENT.add(name)
    return _KEPT[name][0]


def lend_to_commands(patch: Any) -> None:
    """Let whatever loads a bundled model in a test get the one that was loaded so before.

    For tests of what is asked of a model by the program's own commands, which load it each time.
    It is the program that loads it, once a worker for each way to.

    Args:
        patch: The test's monkeypatch.
    """
    from explorer.engine.runner import Runner  # not while conftest.py is imported
    from explorer.hf.proving.gate import keep_proved

    whole = Runner.load

    def proved(model: Any, *, guessed: bool = False) -> Any:
        if not any(model is one for one, _ in _KEPT.values()):
            return keep_proved(model, guessed=guessed)
        key = id(model), guessed
        if key not in _PROVED:
            _PROVED[key] = model, keep_proved(model, guessed=guessed)
        return _PROVED[key][1]

    def load(self: Any, slot: str, checkpoint_id: str, options: Any, context: Any) -> Any:
        host = self._host
        self._host = _LendingHost(host)
        try:
            card = whole(self, slot, checkpoint_id, options, context)
        finally:
            self._host = host
        # Who looks at the answers is asked as ever; with another frame it is who was there.
        family = self._families[slot]
        self._families[slot] = family.family if isinstance(family, _LendingFamily) else family
        return card

    patch.setattr(Runner, "load", load)
    # It is the same model, of which the same is so.
    patch.setattr("explorer.engine.runner.keep_proved", proved)


class _LendingHost:
    """A host of plugins whose families give out what they loaded before."""

    def __init__(self, host: Any) -> None:
        self._host = host

    def family(self, name: str) -> Any:
        return _LendingFamily(self._host.family(name))

    def family_of(self, files: Any) -> Any:
        family, recognition = self._host.family_of(files)
        return _LendingFamily(family), recognition


class _LendingFamily:
    def __init__(self, family: Any) -> None:
        self.family = family

    def __getattr__(self, name: str) -> Any:
        return getattr(self.family, name)

    def load(self, checkpoint_id: str, files: Any, options: Any, context: Any) -> Any:
        if files.folder.parent != MODELS:
            return self.family.load(checkpoint_id, files, options, context)
        name = f"{checkpoint_id} as {self.family.id} with {options}"
        if name not in _KEPT:
            model = self.family.load(checkpoint_id, files, options, context)
            _KEPT[name] = model, tuple(state_of(model))
        _BORROWED.add(name)
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
    for name in sorted(_LENT | _BORROWED):
        model, before = _KEPT[name]
        if before != (now := tuple(state_of(model))):
            different = sorted({one[0] for one in set(before) ^ set(now)})
            problems.append(f"{name}: {', '.join(different[:5])}")
            _LENT.discard(name)
            for key in [key for key, (one, _) in _PROVED.items() if one is model]:
                del _PROVED[key]
            del _KEPT[name]
    _BORROWED.clear()
    return problems


def state_of(model: Any) -> Iterator[tuple[Any, ...]]:
    """What a reader has no business to change, each after the name of its part."""
    for name, part in model.module.named_modules():
        if type(part).__module__ in ACTIVATIONS:
            # GPT-1 and XLM share theirs with every other model of their class, whose it is too.
            continue
        hooks = (part._forward_hooks, part._forward_pre_hooks, part._backward_hooks)
        counts = (
            sum(not _is_transformers_own(hook) for hook in some.values()) if some else 0
            for some in hooks
        )
        yield f"part {name}", part.training, *counts, "forward" in vars(part)
        for key, tensor in chain(part._parameters.items(), part._buffers.items()):
            if tensor is not None:
                known = (id(tensor), tensor._version, tensor.dtype, tensor.requires_grad)
                yield f"tensor {name}.{key}", *known, tensor.grad is None
    yield "ports", *((kind, id(port)) for kind, port in model.ports.items())
    yield from ((one.name, id(getattr(model, one.name))) for one in fields(model))
    yield "attention implementation", getattr(model.config, "_attn_implementation", None)


def _is_transformers_own(hook: Any) -> bool:
    """Whether it collects the layers' states: transformers puts these in when first asked."""
    return getattr(hook, "__module__", "") == "transformers.utils.output_capturing"
