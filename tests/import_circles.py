"""Circles of imports among the program's modules: inside functions and for types alone, too."""

from collections.abc import Container, Iterator
from pathlib import Path

from tests.source_facts import facts_of


def circles(root: Path, package: str) -> list[list[str]]:
    """Groups of modules that need each other.

    Args:
        root: Holds the package.
        package: Its folder.
    """
    modules = _modules(root, package)
    imports = {name: set(_needed(path)) for name, path in modules.items()}
    graph = {
        name: {_known(one, imports) for one in found} - {"", name}
        for name, found in imports.items()
    }
    return sorted(sorted(group) for group in _components(graph) if len(group) > 1)


def _modules(root: Path, package: str) -> dict[str, Path]:
    found = {}
    for path in (root / package).rglob("*.py"):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _needed(path: Path) -> Iterator[str]:
    for one in facts_of(path).imports:
        yield from one.names


def _known(name: str, modules: Container[str]) -> str:
    """The module that an imported name is, or is in; "" for another package's."""
    parent = name.rpartition(".")[0]
    return name if name in modules else parent if parent in modules else ""


def _components(graph: dict[str, set[str]]) -> Iterator[list[str]]:
    """Strongly connected components (Tarjan 1972), without recursion."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    for start, first in graph.items():
        if start in number:
            continue
        work = [(start, iter(sorted(first)))]
        number[start] = lowest[start] = len(number)
        stack.append(start)
        while work:
            node, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    above = work[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == number[node]:
                    cut = stack.index(node)
                    yield stack[cut:]
                    del stack[cut:]
            elif following not in number:
                number[following] = lowest[following] = len(number)
                stack.append(following)
                work.append((following, iter(sorted(graph[following]))))
            elif following in stack:
                lowest[node] = min(lowest[node], number[following])
