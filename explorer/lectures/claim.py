"""Claims: what must hold of an answer, as an inequality over its cells."""

import ast
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from explorer.api import UserMistake
from explorer.lectures.expression import Names, Refused, parsed, source_of, value_of
from explorer.text import N_

WIDEST = 80
"""Characters of a value that is told."""


@dataclass(frozen=True)
class Side:
    """A side of an inequality.

    Attributes:
        source: As it is written.
        value: What it is, for people.
    """

    source: str
    value: str


@dataclass(frozen=True)
class Judged:
    """A claim, and whether it holds.

    Attributes:
        claim: As it is written.
        holds: Whether it does.
        sides: What its inequalities compare; numbers that are written in it are left out.
    """

    claim: str
    holds: bool
    sides: tuple[Side, ...]


def judge(claim: str, names: Names) -> Judged:
    """Whether a claim holds.

    Args:
        claim: An expression.
        names: What names in it stand for.

    Raises:
        UserMistake: It is no claim, or names what there is not.
    """
    try:
        tree = parsed(claim)
        held = value_of(tree, names)
        if not isinstance(held, bool):
            raise Refused(N_("it is neither true nor false, but {value}"), value=_told(held))
    except Refused as error:
        raise UserMistake(
            N_("The claim {claim} can't be judged: {problem}."),
            N_("docs/lectures.md says what a claim is made of."),
            claim=claim,
            problem=error.problem,
        ) from error
    sides: dict[str, Side] = {}
    for part in _sides(tree):
        # What stands behind an `and` that is false already may have no value.
        with suppress(Refused, RecursionError):
            source = source_of(part)
            sides[source] = Side(source, _told(value_of(part, names)))
    return Judged(claim, held, tuple(sides.values()))


def _sides(tree: ast.expr) -> Iterator[ast.expr]:
    """What the inequalities of a claim compare, and no constants."""
    if isinstance(tree, ast.BoolOp):
        for one in tree.values:
            yield from _sides(one)
    elif isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        yield from _sides(tree.operand)
    elif isinstance(tree, ast.Compare):
        for one in (tree.left, *tree.comparators):
            if any(isinstance(part, ast.Name) for part in ast.walk(one)):
                yield one


def _told(value: object) -> str:
    """A value on a line."""
    told = f"{value:.6g}" if isinstance(value, float) else repr(value)
    return told if len(told) <= WIDEST else f"{told[: WIDEST - 4]} ..."
