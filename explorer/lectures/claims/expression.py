"""Expressions over plain values, evaluated safely: Python's own grammar, and little of it.

Values are what JSON holds. Nothing can be called but the functions below, nothing is imported,
assigned or looked up in an object, and there is an end to how long it takes and how large what
it makes becomes (work.py).
"""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from explorer.lectures.claims.functions import FUNCTIONS
from explorer.lectures.claims.work import PART, EvaluationBudget, NoValue, bounded
from explorer.text import N_

LONGEST = 2000
"""Characters of an expression."""
NAMES_SHOWN = 40

Names = Mapping[str, object]


def parsed(text: str) -> ast.expr:
    """An expression's tree.

    Raises:
        Refused: It is none.
    """
    if len(text) > LONGEST:
        raise NoValue(N_("it is longer than {most} characters"), most=LONGEST)
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        raise NoValue(N_("it is no expression ({problem})"), problem=said) from error
    except (RecursionError, MemoryError) as error:
        raise NoValue(N_("it is nested too deeply")) from error


COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
    # The only thing that JSON has one of.
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
_CALCULATED: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    # Of whole numbers it might go on for hours.
    ast.Pow: lambda base, power: float(base) ** float(power),
}
_SIGNS: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}


class Evaluation:
    """What an expression and its parts are; together they may cost what an expression may.

    Args:
        names: What names stand for.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._bound: dict[str, object] = {}
        self._work = EvaluationBudget()
        self._kept: dict[ast.AST, Any] = {}

    def value(self, node: ast.expr) -> Any:
        """What an expression is; a part that was compared already is not evaluated again.

        Raises:
            Refused: A name is unknown, something in it has no value, or it costs too much.
        """
        if node in self._kept:
            return self._kept[node]
        try:
            return self.of(node)
        except RecursionError as error:
            raise NoValue(N_("it is nested too deeply")) from error
        except MemoryError as error:
            raise NoValue(N_("it takes more memory than there is")) from error

    def of(self, node: ast.AST) -> Any:
        """The value of a part, where it stands: names of a loop around it are bound."""
        self._work.take(PART)
        evaluate = self._KINDS.get(type(node))
        if evaluate is None:
            raise NoValue(N_("{source} is more than a claim may say"), source=source_of(node))
        try:
            return evaluate(self, node)
        except (TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise NoValue(
                N_("{source} has no value ({problem})"), source=source_of(node), problem=error
            ) from error

    def _constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, str | int | float | None):
            return bounded(node.value)
        raise NoValue(N_("{source} is more than a claim may say"), source=source_of(node))

    def _name(self, node: ast.Name) -> Any:
        for known in (self._bound, self._names):
            if node.id in known:
                return known[node.id]
        raise NoValue(
            N_("there is no {name}; there are {names}"),
            name=node.id,
            names=_listed((*self._bound, *self._names)),
        )

    def _attribute(self, node: ast.Attribute) -> Any:
        held = self.of(node.value)
        if not isinstance(held, Mapping):
            raise NoValue(
                N_("there is no {name} in {where}, which has no fields"),
                name=node.attr,
                where=source_of(node.value),
            )
        return self._field(held, node.attr, node.value)

    def _field(self, held: Mapping[Any, Any], key: Any, where: ast.AST) -> Any:
        if not isinstance(key, str | int | float | None):
            raise NoValue(N_("{source} is more than a claim may say"), source=source_of(where))
        self._work.take(len(held))
        # JSON knows no other keys than texts.
        found = next((one for one in held if one == key or str(one) == str(key)), None)
        if found is None:
            raise NoValue(
                N_("there is no {name} in {where}; there are {names}"),
                name=key,
                where=source_of(where),
                names=_listed(held),
            )
        return held[found]

    def _subscript(self, node: ast.Subscript) -> Any:
        held = self.of(node.value)
        if isinstance(node.slice, ast.Slice):
            ends = (node.slice.lower, node.slice.upper, node.slice.step)
            part = slice(*(None if end is None else self.of(end) for end in ends))
            self._work.take(len(range(*part.indices(len(held)))))
            return held[part]
        key = self.of(node.slice)
        if isinstance(held, Mapping):
            return self._field(held, key, node.value)
        if (
            isinstance(key, int)
            and isinstance(held, Sequence)
            and not -len(held) <= key < len(held)
        ):
            raise NoValue(
                N_("there is no {key} in {where}, which has {count}"),
                key=f"[{key}]",
                where=source_of(node.value),
                count=len(held),
            )
        return held[key]

    def _all_of(self, node: ast.List | ast.Tuple) -> Any:
        return [self.of(one) for one in node.elts]

    def _signed(self, node: ast.UnaryOp) -> Any:
        if type(node.op) not in _SIGNS:
            raise NoValue(N_("{source} is more than a claim may say"), source=source_of(node))
        return _SIGNS[type(node.op)](self.of(node.operand))

    def _calculated(self, node: ast.BinOp) -> Any:
        kind = type(node.op)
        one, other = self.of(node.left), self.of(node.right)
        if kind not in _CALCULATED:
            raise NoValue(N_("{source} is more than a claim may say"), source=source_of(node))
        if kind is not ast.Add and not (_is_number(one) and _is_number(other)):
            # "a" * 10 ** 9 and "%999999999d" % 1 are Python too.
            raise NoValue(N_("{source} does not reckon with numbers"), source=source_of(node))
        if isinstance(one, list | tuple) and isinstance(other, list | tuple):
            self._work.take(len(one) + len(other))
            return [*one, *other]
        if isinstance(one, str) and isinstance(other, str):
            self._work.take_characters(len(one) + len(other))
        return bounded(_CALCULATED[kind](one, other))

    def _either(self, node: ast.BoolOp) -> Any:
        wanted = isinstance(node.op, ast.Or)
        value: Any = not wanted
        for one in node.values:
            value = self.of(one)
            if bool(value) is wanted:
                break
        return value

    def _compared(self, node: ast.Compare) -> Any:
        left = self.of(node.left)
        self._keep(node.left, left)
        for kind, one in zip(node.ops, node.comparators, strict=True):
            right = self.of(one)
            self._keep(one, right)
            self._work.take_whole(left, right)
            if not COMPARED[type(kind)](_comparable(left), _comparable(right)):
                return False
            left = right
        return True

    def _keep(self, node: ast.AST, value: Any) -> None:
        """In a loop it has another value each time."""
        if not self._bound:
            self._kept[node] = value

    def _called(self, node: ast.Call) -> Any:
        name = node.func.id if isinstance(node.func, ast.Name) else source_of(node.func)
        if name not in FUNCTIONS:
            raise NoValue(
                N_("there is no function {name}; there are {names}"),
                name=name,
                names=_listed(FUNCTIONS),
            )
        if node.keywords:
            raise NoValue(N_("{source} is more than a claim may say"), source=source_of(node))
        return FUNCTIONS[name](self._work, *[self.of(one) for one in node.args])

    def _looped(self, node: ast.ListComp | ast.GeneratorExp) -> Any:
        if len(node.generators) != 1:
            raise NoValue(N_("{source} has more than one loop"), source=source_of(node))
        (loop,) = node.generators
        before = dict(self._bound)
        found = []
        try:
            for item in _items(self.of(loop.iter)):
                self._bind(loop.target, item)
                if all(self.of(condition) for condition in loop.ifs):
                    found.append(self.of(node.elt))
        finally:
            self._bound = before
        return found

    def _bind(self, target: ast.expr, item: Any) -> None:
        if isinstance(target, ast.Name):
            self._bound[target.id] = item
        elif isinstance(target, ast.Tuple):
            for one, part in zip(target.elts, item, strict=True):
                self._bind(one, part)
        else:
            raise NoValue(N_("{source} is more than a claim may say"), source=source_of(target))

    _KINDS: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Subscript: _subscript,
        ast.List: _all_of,
        ast.Tuple: _all_of,
        ast.UnaryOp: _signed,
        ast.BinOp: _calculated,
        ast.BoolOp: _either,
        ast.Compare: _compared,
        ast.Call: _called,
        ast.ListComp: _looped,
        ast.GeneratorExp: _looped,
    }


def source_of(node: ast.AST) -> str:
    """A part of an expression as it is written."""
    return ast.unparse(node)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _comparable(value: Any) -> Any:
    """Lists as JSON has them: a result's own tuples are none the less equal to them."""
    return [_comparable(one) for one in value] if isinstance(value, list | tuple) else value


def _items(value: Any) -> Iterator[Any]:
    return iter(value)


def _listed(names: Any) -> str:
    every = sorted(map(str, names))
    more = " ..." if len(every) > NAMES_SHOWN else ""
    return ", ".join(every[:NAMES_SHOWN]) + more
