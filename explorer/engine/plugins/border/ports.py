"""Ports of somebody else's plugin: what they give is looked at where it arrives."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from explorer.api.family import (
    BidirectionalPredictor,
    Context,
    Discriminator,
    Encoded,
    LoadedModel,
    Predictor,
    Query,
    SpanPredictor,
)

Run = Callable[[Callable[[], Any]], Any]
"""Runs the plugin's code; its faults are told as its own."""

Refuse = Callable[[str], NoReturn]
"""Tells what is wrong as the plugin's fault."""

ABOVE_ONE = 1e-3
"""How far a log-probability may be above zero."""


def check_ports(model: LoadedModel, run: Run, refuse: Refuse) -> None:
    """Put a watch in front of the ports whose answers are numbers."""
    checked: dict[int, Any] = {}
    for kind in (Predictor, BidirectionalPredictor, SpanPredictor, Discriminator):
        port = model.ports.get(kind)
        if port is None:
            continue
        made = WatchedDiscriminator if kind is Discriminator else WatchedPredictor
        model.ports[kind] = checked.setdefault(id(port), made(port, run, refuse))


class _WatchedPorts:
    """Everything else is the plugin's own."""

    def __init__(self, port: Any, run: Run, refuse: Refuse) -> None:
        self._port, self._run, self._refuse = port, run, refuse

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._port, name)
        if not callable(member):
            return member
        return lambda *args, **kwargs: self._run(lambda: member(*args, **kwargs))


class WatchedPredictor(_WatchedPorts):
    """A predictor whose rows are looked at."""

    def log_probabilities(self, queries: Sequence[Query], context: Context) -> list[Any]:
        """As `Predictor.log_probabilities`.

        Raises:
            PluginFault: It failed, or gives no log-probabilities.
        """
        found = self._run(lambda: self._port.log_probabilities(queries, context))
        what = "log_probabilities()"
        if not isinstance(found, list) or len(found) != len(queries):
            self._refuse(f"{what} gives no list of {len(queries)} tensors")
        for query, rows in zip(queries, found, strict=True):
            wrong = _wrong_tensor(rows, (len(query.asked), None))
            if not wrong and not bool((rows <= ABOVE_ONE).all()):  # a NaN is no less wrong
                wrong = "numbers that are no logarithms of probabilities"
            if wrong:
                self._refuse(f"{what} gives {wrong}")
        return found


class WatchedDiscriminator(_WatchedPorts):
    """A discriminator whose logits are looked at."""

    def logits(self, encoded: Encoded, context: Context) -> Any:
        """As `Discriminator.logits`.

        Raises:
            PluginFault: It failed, or gives no logit a token.
        """
        found = self._run(lambda: self._port.logits(encoded, context))
        wrong = _wrong_tensor(found, (len(encoded.tokens),))
        if not wrong and bool(found.isnan().any()):
            wrong = "numbers that are none"
        if wrong:
            self._refuse(f"logits() gives {wrong}")
        return found


def _wrong_tensor(value: Any, shape: tuple[int | None, ...]) -> str:
    """What is wrong with a tensor that should be float32 and of a shape; "" where nothing is."""
    import torch

    if type(value) is not torch.Tensor:
        return "something that is no tensor"
    if value.dtype != torch.float32:
        return f"numbers of the type {value.dtype}"
    fits = len(value.shape) == len(shape) and all(
        wanted in (None, size) for wanted, size in zip(shape, value.shape, strict=True)
    )
    return "" if fits else f"a tensor of the shape {tuple(value.shape)}"
