"""A model counted: its parameters, its memory and its work, and the tree of its parts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.family import Blueprint
from explorer.architecture.cost import Work, memory_of, work_of
from explorer.architecture.named_weights import named_weights
from explorer.architecture.opening import Opened
from explorer.architecture.tree import TreeNode, flat, tree_of
from explorer.architecture.weights import Parameters, parameters_of, stored_by


@dataclass(frozen=True)
class ArchitectureCount:
    """What a model comes to.

    Attributes:
        blueprint: The architecture.
        parameters: How many, and where.
        kinds: How many of each kind.
        memory: Bytes by what and dtype.
        work: Multiply-adds for one token, by part.
    """

    blueprint: Blueprint
    parameters: Parameters
    kinds: Mapping[str, int]
    memory: Mapping[str, Mapping[str, int]]
    work: tuple[Work, ...]

    @property
    def multiply_adds(self) -> int:
        """For one token, of all parts."""
        return sum(one.multiply_adds for one in self.work)


def count(
    opened: Opened, module: Any, blueprint: Blueprint, reuse: int, *, length: int, batch: int
) -> tuple[ArchitectureCount, tuple[TreeNode, ...]]:
    """What a module comes to, and its tree: it runs once, without numbers.

    Args:
        opened: Whose it is.
        module: The torch module, its own or one with changed numbers.
        blueprint: That module's architecture.
        reuse: How often one set of a layer's weights is used.
        length: Tokens of a text.
        batch: Texts at once.
    """
    from explorer.hf.family.counting import count_pass, without_numbers

    family = opened.family
    again = family.used_again(opened.heads) if family is not None else {}
    named = tuple(named_weights(module, opened.role_of, again))
    counted = None
    if family is not None and not blueprint.has_other_layers:
        bare = without_numbers(module) if opened.loaded and module is opened.module else module
        counted = count_pass(family.run_once, bare, length)
    tree = tree_of(
        named,
        reuse,
        counted.multiply_adds if counted is not None else None,
        length,
    )
    weights = flat(tree)
    parameters = parameters_of(weights)
    results = counted.results if counted is not None else None
    outcome = ArchitectureCount(
        blueprint=blueprint,
        parameters=parameters,
        kinds=stored_by(weights, "kind"),
        memory=memory_of(parameters, blueprint, length, batch, results),
        work=work_of(named, counted) if counted is not None else (),
    )
    return outcome, tree
