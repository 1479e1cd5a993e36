"""Stops a model between two layers when the run it works for is cancelled."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from explorer.api.family import Context

_current: ContextVar[Context | None] = ContextVar("run a model works for", default=None)


def install_cancel_hooks(module: Any) -> int:
    """Check for cancelling before every layer, that is every child of a ModuleList.

    Args:
        module: A torch module.

    Returns:
        The number of layers found.
    """
    from torch.nn import ModuleList

    layers = [
        child
        for part in module.modules()
        if isinstance(part, ModuleList)
        for child in part.children()
    ]
    for layer in layers:
        layer.register_forward_pre_hook(_check)
    return len(layers)


@contextmanager
def cancellable(context: Context) -> Iterator[None]:
    """Let models that run inside the block be stopped through this context.

    Raises:
        Cancelled: Out of the model's forward, before the next layer.
    """
    token = _current.set(context)
    try:
        context.check()
        yield
    finally:
        _current.reset(token)


def current() -> Context | None:
    """The context of the run that this thread works for; None outside one."""
    return _current.get()


def check_current() -> None:
    """Stop here if the run that this thread works for was cancelled.

    Raises:
        Cancelled: It was.
    """
    context = _current.get()
    if context is not None:
        context.check()


def _check(_module: Any, _inputs: Any) -> None:
    check_current()
