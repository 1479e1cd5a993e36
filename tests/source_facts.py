"""What tests of the house ask of the source files: read once, whoever asks."""

import ast
import enum
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


class When(enum.Enum):
    """When an import statement runs."""

    AT_IMPORT = enum.auto()
    IN_A_CALL = enum.auto()
    NEVER = enum.auto()
    """It is there for types alone."""


@dataclass(frozen=True)
class Imported:
    """One import statement.

    Attributes:
        line: Where it stands.
        when: When it runs.
        module: What it imports from; "" for `import a, b`.
        names: Full names of what it asks for, the module itself left out.
    """

    line: int
    when: When
    module: str
    names: tuple[str, ...]

    @property
    def asked(self) -> tuple[str, ...]:
        """Full names of all that it asks for."""
        return (self.module, *self.names) if self.module else self.names


@dataclass(frozen=True)
class Facts:
    """What one file holds.

    Attributes:
        imports: Its import statements; those that are relative are left out.
        classes: Names of its classes.
    """

    imports: tuple[Imported, ...]
    classes: tuple[str, ...]


@functools.cache
def facts_of(path: Path) -> Facts:
    """What a file holds."""
    imports, classes = [], []
    for node, when in _statements(ast.parse(path.read_text("utf-8")).body, When.AT_IMPORT):
        if isinstance(node, ast.ClassDef):
            classes.append(node.name)
        elif isinstance(node, ast.Import):
            names = tuple(alias.name for alias in node.names)
            imports.append(Imported(node.lineno, when, "", names))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = tuple(f"{node.module}.{alias.name}" for alias in node.names)
            imports.append(Imported(node.lineno, when, node.module, names))
    return Facts(tuple(imports), tuple(classes))


def _statements(body: list[ast.stmt], when: When) -> Iterator[tuple[ast.stmt, When]]:
    """Every statement and when it runs; expressions hold none, and are most of a tree."""
    for node in body:
        yield node, when
        inner = when
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and when is When.AT_IMPORT:
            inner = When.IN_A_CALL
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from _statements(node.body, When.NEVER)
            yield from _statements(node.orelse, when)
            continue
        for part in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, part, []), inner)
        for part in (*getattr(node, "handlers", []), *getattr(node, "cases", [])):
            yield from _statements(part.body, inner)
