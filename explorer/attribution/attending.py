"""The attention that a model multiplies values by, taken while it runs: with gradients, or changed.

Every family's attention ends in a softmax inside a module that its layout names, so that is where
it is taken. What comes of it there is what values are weighed with, whatever a model returns.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from explorer.api.family import LoadedModel, Unavailable
from explorer.api.ports.attention import AttentionModules
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.modules import AttentionModule
from explorer.hf.attention.weights import eager_attention
from explorer.text import N_

NOT_SEEN = N_("This model's attention can't be followed while it runs.")


@dataclass(frozen=True)
class AttendedLayer:
    """One layer's attention in one pass.

    Attributes:
        kind: Who attends to whom.
        layer: Its number within the kind, from 0; a decoder that runs the last layer again has
            that number again.
        module: Where it was made.
        weights: Tensor (copies x heads x queries x keys), as values are multiplied by it.
    """

    kind: AttentionKind
    layer: int
    module: AttentionModule
    weights: Any


Change = Callable[[int, Any], Any]
"""From the number of a layer, in the order of the pass, and its weights to those that are used."""


@contextmanager
def attending(model: LoadedModel, change: Change | None = None) -> Iterator[list[AttendedLayer]]:
    """Collect the attention of whatever the model runs inside the block, in that order.

    Args:
        model: Who attends.
        change: What is used in the place of the weights; None for the weights themselves.

    Raises:
        Unavailable: The model's attention can't be taken apart.
    """
    import torch
    from torch.overrides import TorchFunctionMode

    softmaxes = {torch.softmax, torch.nn.functional.softmax, torch.Tensor.softmax}
    running: list[AttentionModule] = []
    calls: Counter[int] = Counter()
    found: list[AttendedLayer] = []

    class Softmaxes(TorchFunctionMode):
        def __torch_function__(
            self, function: Any, _types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            weights = function(*args, **(kwargs or {}))
            if not running or function not in softmaxes or weights.dim() != 4:
                return weights
            one = running[-1]
            layer = one.layers[calls[id(one)] % len(one.layers)]
            calls[id(one)] += 1
            if change is not None:
                weights = change(len(found), weights)
            found.append(AttendedLayer(one.kind, layer, one, weights))
            return weights

    def begin(one: AttentionModule) -> Callable[..., None]:
        return lambda *_given: running.append(one)

    def end(*_given: Any) -> None:
        running.pop()

    with ExitStack() as around:
        for one in model.port(AttentionModules).modules():
            around.callback(one.module.register_forward_pre_hook(begin(one)).remove)
            around.callback(one.module.register_forward_hook(end).remove)
        around.enter_context(eager_attention(model.module))
        around.enter_context(Softmaxes())
        yield found
    if not found:
        raise Unavailable(NOT_SEEN)


def chain_of(layers: list[AttendedLayer], passes: int) -> list[AttendedLayer]:
    """The layers of an encoder, or of a decoder alone, that a prediction goes through, in order.

    A decoder that runs the last layer again (He et al. 2021, section 3.2) does so in the place of
    that layer's own run, whether or not it ran.

    Args:
        layers: As `attending` collects them, of one stack.
        passes: How often that decoder runs the last layer.
    """
    if not passes:
        return layers
    below = [one for one in layers[:-passes] if one.layer < layers[-1].layer]
    return [*below, *layers[-passes:]]
