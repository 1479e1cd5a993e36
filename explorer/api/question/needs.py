"""Which ports a question needs of the models that it is asked of, and what is missing."""

from collections.abc import Container, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class AnyOf:
    """One of several ports is enough.

    Attributes:
        ports: The usual one first: where all are missing, its absence is told of.
    """

    ports: tuple[type, ...]


Need = type | AnyOf
"""A port, or several of which one is enough."""


def any_of(*ports: type) -> AnyOf:
    """One of these ports is enough."""
    return AnyOf(ports)


def ports_of(need: Need) -> tuple[type, ...]:
    """The ports of which one is enough."""
    return need.ports if isinstance(need, AnyOf) else (need,)


def are_met(needs: Iterable[Need], names: Container[str]) -> bool:
    """Whether a model that will have the ports of these names has what is needed."""
    return all(any(port.__name__ in names for port in ports_of(need)) for need in needs)


def missing_port(needs: Iterable[Need], ports: Container[type]) -> type | None:
    """The first port that is needed and not there; None where nothing is missing."""
    for need in needs:
        choices = ports_of(need)
        if not any(port in ports for port in choices):
            return choices[0]
    return None
