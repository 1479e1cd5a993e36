"""Every question a user can ask of a model: one file each, registered by being here."""

import importlib
import pkgutil
from collections.abc import Container, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from explorer.api import Operation, missing_port


@cache
def all_operations() -> Mapping[str, Operation[Any, Any]]:
    """The operations by name, found as the modules of this folder that hold an OPERATION."""
    found: dict[str, Operation[Any, Any]] = {}
    for module_info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{module_info.name}")
        operation = getattr(module, "OPERATION", None)
        if isinstance(operation, Operation):
            found[operation.name] = operation
    return MappingProxyType(found)


def answered_with(ports: Container[type]) -> tuple[str, ...]:
    """Names of the questions that a model with some ports answers, when it plays the first role."""
    return tuple(
        name
        for name, operation in all_operations().items()
        if missing_port(operation.first_needs, ports) is None
    )


def operation_of(request: object) -> Operation[Any, Any]:
    """The operation a request belongs to.

    Raises:
        KeyError: No operation takes such a request.
    """
    for operation in all_operations().values():
        if operation.request is type(request):
            return operation
    raise KeyError(type(request).__name__)
