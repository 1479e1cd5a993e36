"""Weights by their dotted names as a tree, in which layers that are alike are one node."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from explorer.api.family import Role
from explorer.architecture.weights import (
    Weight,
    kind_of,
    section_of,
)


@dataclass(frozen=True)
class Named:
    """A weight as a module has it.

    Attributes:
        name: Dotted.
        shape: Its sizes.
        module: Class of the module that holds it.
        role: What it is for.
        tied: The name of an earlier weight that is the same tensor, or "".
    """

    name: str
    shape: tuple[int, ...]
    module: str
    role: Role = Role.OTHER
    tied: str = ""


@dataclass(frozen=True)
class TreeNode:
    """A node: a module, or several alike.

    Attributes:
        name: The last part of its path: "query", "layer.*" for all layers, "layer.1-11" for some.
        path: Dotted, from the model down.
        module: The class of the module, where it holds weights itself.
        kind: What all its weights are for; "" where they are for several things.
        section: Where all its weights stand; "" where they stand in several.
        copies: How many there are of it, each with weights of its own.
        places: How often they are used in one forward pass.
        parameters: Stored in all copies, tied ones not counted.
        total: Counted at every place.
        multiply_adds: For one token, all its calls together; 0 where nothing was counted.
        weights: Its own.
        parts: What it consists of.
    """

    name: str
    path: str
    module: str
    kind: str
    section: str
    copies: int
    places: int
    parameters: int
    total: int
    multiply_adds: int
    weights: tuple[Weight, ...] = ()
    parts: tuple["TreeNode", ...] = ()


@dataclass
class _Node:
    """A node before layers that are alike are put together; its work is that of a whole text."""

    weights: dict[str, Named] = field(default_factory=dict)
    children: dict[str, "_Node"] = field(default_factory=dict)
    work: int = 0

    def whole_work(self) -> int:
        return self.work + sum(child.whole_work() for child in self.children.values())


def tree_of(
    named: Iterable[Named], reuse: int = 1, work: Mapping[str, int] | None = None, length: int = 1
) -> tuple[TreeNode, ...]:
    """The tree of a model's weights.

    Args:
        named: In the module's order.
        reuse: How often each weight of the backbone is used in one forward pass, for families
            whose layers share one set.
        work: Multiply-adds of a whole text, by the path of the module that does them itself.
        length: Tokens of that text.
    """
    root = _Node()
    named = tuple(named)
    # A table that encoder and decoder both look up under names of their own is used under those.
    aliased = frozenset(one.tied for one in named if one.tied and one.module == "Embedding")
    for one in named:
        *path, leaf = one.name.split(".")
        node = root
        for segment in path:
            node = node.children.setdefault(segment, _Node())
        node.weights[leaf] = one
    for where, amount in (work or {}).items():
        node = root
        for segment in where.split("."):
            # A module without weights has no node: its work is that of the one around it.
            if segment not in node.children:
                break
            node = node.children[segment]
        node.work += amount
    return _Folding(reuse, aliased, length).parts(root, "", 1)


def flat(parts: Iterable[TreeNode]) -> tuple[Weight, ...]:
    """Every weight of a tree."""
    found: list[Weight] = []
    for part in parts:
        found += part.weights
        found += flat(part.parts)
    return tuple(found)


def find(parts: Iterable[TreeNode], path: str) -> TreeNode | None:
    """The node of a path, or None."""
    for part in parts:
        if part.path == path:
            return part
        if path.startswith(f"{part.path}."):
            return find(part.parts, path)
    return None


class _Folding:
    """Makes parts of nodes."""

    def __init__(self, reuse: int, aliased: frozenset[str], length: int) -> None:
        self._reuse = reuse
        self._aliased = aliased
        self._length = length

    def parts(self, node: _Node, path: str, copies: int) -> tuple[TreeNode, ...]:
        found: list[TreeNode] = []
        for name, child in node.children.items():
            where = f"{path}.{name}" if path else name
            if child.children and not child.weights and _numbered(child.children):
                found += self._layers(child, name, where, copies)
            else:
                found.append(self._part(child, name, where, copies))
        return tuple(found)

    def _layers(self, node: _Node, name: str, path: str, copies: int) -> Iterable[TreeNode]:
        """Runs of numbered children that are alike, each as one part."""
        members = list(node.children.items())
        start = 0
        while start < len(members):
            form = _form(members[start][1])
            end = start + 1
            while end < len(members) and _form(members[end][1]) == form:
                end += 1
            span = _span(members, start, end)
            count = end - start
            whole = _together([member for _, member in members[start:end]])
            yield self._part(whole, f"{name}.{span}", f"{path}.{span}", copies * count, count)
            start = end

    def _part(self, node: _Node, name: str, path: str, copies: int, own: int = 1) -> TreeNode:
        weights = tuple(self._weight(w, leaf, path, copies) for leaf, w in node.weights.items())
        parts = self.parts(node, path, copies)
        inside = (*weights, *flat(parts))
        kinds = {weight.kind for weight in inside}
        sections = {weight.section for weight in inside}
        modules = {weight.module for weight in node.weights.values()}
        return TreeNode(
            name=name,
            path=path,
            module=modules.pop() if len(modules) == 1 else "",
            kind=kinds.pop() if len(kinds) == 1 else "",
            section=sections.pop() if len(sections) == 1 else "",
            copies=own,
            places=own * max((w.places // w.copies for w in inside), default=1),
            parameters=sum(weight.stored for weight in inside),
            total=sum(weight.counted_everywhere for weight in inside),
            multiply_adds=round(node.whole_work() / self._length),
            weights=weights,
            parts=parts,
        )

    def _weight(self, one: Named, leaf: str, path: str, copies: int) -> Weight:
        section = section_of(one.role, one.module)
        # A head's bias under two names is one bias, not one that is used twice.
        second_name = bool(one.tied) and len(one.shape) < 2 and section == "head"
        used = 0 if second_name or one.name in self._aliased else copies
        return Weight(
            name=f"{path}.{leaf}" if path else leaf,
            shape=one.shape,
            kind=kind_of(one.role, one.module),
            section=section,
            copies=copies,
            places=used * (self._reuse if section == "backbone" else 1),
            tied=one.tied,
            role=one.role.value,
        )


def _together(members: Sequence[_Node]) -> _Node:
    """Nodes that are alike as one, which does the work of all."""
    first = members[0]
    children = {
        name: _together([member.children[name] for member in members]) for name in first.children
    }
    return _Node(first.weights, children, sum(member.work for member in members))


def _numbered(children: Mapping[str, _Node]) -> bool:
    return all(name.isdecimal() for name in children)


def _span(members: Sequence[tuple[str, _Node]], start: int, end: int) -> str:
    if end - start == 1:
        return members[start][0]
    if end - start == len(members):
        return "*"
    return f"{members[start][0]}-{members[end - 1][0]}"


def _form(node: _Node) -> tuple[object, ...]:
    """What two layers must have in common to be drawn as one."""
    weights = tuple((leaf, w.shape, w.module, bool(w.tied)) for leaf, w in node.weights.items())
    return weights, tuple((name, _form(child)) for name, child in node.children.items())
