"""Claims: what must hold of an answer, as an inequality over its cells."""

import ast
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from explorer.api.question import ExplorerError, UserMistake
from explorer.lectures.claims.expression import Evaluation, Names, parsed, source_of
from explorer.lectures.claims.work import NoValue
from explorer.text import N_, Phrase

WIDEST = 80
"""Characters of a value that is told."""


@dataclass(frozen=True)
class ClaimSide:
    """A side of an inequality.

    Attributes:
        source: As it is written.
        value: What it is, for people.
    """

    source: str
    value: str


@dataclass(frozen=True)
class JudgedClaim:
    """A claim, and whether it holds.

    Attributes:
        claim: As it is written.
        holds: Whether it does.
        sides: What its inequalities compare; numbers that are written in it are left out.
    """

    claim: str
    holds: bool
    sides: tuple[ClaimSide, ...]


def judge(claim: str, names: Names) -> JudgedClaim:
    """Whether a claim holds.

    Args:
        claim: An expression.
        names: What names in it stand for.

    Raises:
        UserMistake: It is no claim, or names what there is not.
    """
    try:
        return _judged(claim, names)
    except NoValue as error:
        raise _not_judged(claim, error.problem) from error
    except ExplorerError:
        raise
    except Exception as error:
        # Whoever wrote the claim is somebody else: whatever it brings about is one sentence.
        problem = Phrase(N_("it has no value ({problem})"), problem=repr(error))
        raise _not_judged(claim, problem) from error


def value_of(expression: str, names: Names) -> object:
    """What an expression is, written as claims are.

    Args:
        expression: What is asked for.
        names: What names in it stand for.

    Raises:
        UserMistake: It is none, or names what there is not.
    """
    try:
        value: object = Evaluation(names).value(parsed(expression))
    except NoValue as error:
        raise _no_answer(expression, error.problem) from error
    except ExplorerError:
        raise
    except Exception as error:
        problem = Phrase(N_("it has no value ({problem})"), problem=repr(error))
        raise _no_answer(expression, problem) from error
    return value


def _no_answer(expression: str, problem: Phrase) -> UserMistake:
    return UserMistake(
        N_("The answer {answer} can't be worked out: {problem}."),
        N_("docs/lectures.md says what a claim is made of."),
        answer=expression,
        problem=problem,
    )


def _judged(claim: str, names: Names) -> JudgedClaim:
    tree = parsed(claim)
    evaluation = Evaluation(names)
    held = evaluation.value(tree)
    if not isinstance(held, bool):
        raise NoValue(N_("it is neither true nor false, but {value}"), value=_told(held))
    sides: dict[str, ClaimSide] = {}
    for part in _sides(tree):
        # What stands behind an `and` that is false already may have no value.
        with suppress(NoValue, RecursionError):
            source = source_of(part)
            sides[source] = ClaimSide(source, _told(evaluation.value(part)))
    return JudgedClaim(claim, held, tuple(sides.values()))


def _not_judged(claim: str, problem: Phrase) -> UserMistake:
    return UserMistake(
        N_("The claim {claim} can't be judged: {problem}."),
        N_("docs/lectures.md says what a claim is made of."),
        claim=claim,
        problem=problem,
    )


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
    """A value on a line; of a long one no more is written than is told."""
    told = ""
    for piece in _written(value):
        told += piece
        if len(told) > WIDEST:
            return f"{told[: WIDEST - 4]} ..."
    return told


def _written(value: object) -> Iterator[str]:
    """A value as Python writes it, piece by piece; a float by itself in six digits."""
    if isinstance(value, float):
        yield f"{value:.6g}"
    else:
        yield from _pieces(value)


def _pieces(value: object) -> Iterator[str]:
    if isinstance(value, list | tuple):
        yield "[" if isinstance(value, list) else "("
        for number, one in enumerate(value):
            yield ", " if number else ""
            yield from _pieces(one)
        yield "]" if isinstance(value, list) else ",)" if len(value) == 1 else ")"
    elif isinstance(value, Mapping):
        yield "{"
        for number, (key, one) in enumerate(value.items()):
            yield f"{', ' if number else ''}{key!r}: "
            yield from _pieces(one)
        yield "}"
    else:
        yield repr(value[: WIDEST + 1] if isinstance(value, str) else value)
