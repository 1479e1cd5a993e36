"""A torch module's weights by name; works on the meta device, where there are no numbers."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from explorer.api.family import Role
from explorer.architecture.tree import Named


def named_weights(
    module: Any, role_of: Callable[[str], Role], again: Mapping[str, str] | None = None
) -> Iterator[Named]:
    """Every weight under every name it has, in the module's order.

    Args:
        module: A torch module; its weights may be on the meta device.
        role_of: What a weight of this family is for, by its name.
        again: Uses of a weight that the module has no name for, as {name for it: the weight's}.
    """
    classes = {name: type(inner).__name__ for name, inner in module.named_modules()}
    seen: dict[int, str] = {}
    for name, weight in module.named_parameters(remove_duplicate=False):
        first = seen.setdefault(id(weight), name)
        yield Named(
            name=name,
            shape=tuple(int(size) for size in weight.shape),
            module=classes[name.rpartition(".")[0]],
            role=role_of(name),
            tied="" if first == name else first,
        )
    shapes = {name: tuple(weight.shape) for name, weight in module.named_parameters()}
    for name, other in (again or {}).items():
        if other in shapes:
            shape = tuple(int(size) for size in shapes[other])
            yield Named(name, shape, "Linear", role_of(name), other)
