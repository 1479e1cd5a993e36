"""Expressions over plain values, evaluated safely: Python's own grammar, and little of it.

Values are what JSON holds. Nothing can be called but the functions below, nothing is imported,
assigned or looked up in an object, and there is an end to how long it takes.
"""

import ast
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from explorer.text import N_, Phrase

LONGEST = 2000
"""Characters of an expression."""
LONGEST_RANGE = 100_000
MOST_STEPS = 1_000_000
"""Parts of an expression that are evaluated, those in loops each time."""
NAMES_SHOWN = 40

Names = Mapping[str, object]


class Refused(Exception):
    """An expression has no value.

    Attributes:
        problem: Why not, a clause.
    """

    def __init__(self, sentence: str, **values: object) -> None:
        self.problem = Phrase(sentence, **values)
        super().__init__(self.problem)


def parsed(text: str) -> ast.expr:
    """An expression's tree.

    Raises:
        Refused: It is none.
    """
    if len(text) > LONGEST:
        raise Refused(N_("it is longer than {most} characters"), most=LONGEST)
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        raise Refused(N_("it is no expression ({problem})"), problem=said) from error
    except (RecursionError, MemoryError) as error:
        raise Refused(N_("it is nested too deeply")) from error


def value_of(node: ast.expr, names: Names) -> Any:
    """What an expression is, names standing for values.

    Raises:
        Refused: A name is unknown, or something in it has no value.
    """
    try:
        return _Evaluation(names).of(node)
    except RecursionError as error:
        raise Refused(N_("it is nested too deeply")) from error


def _mean(values: Any) -> float:
    numbers = list(values)
    return float(sum(numbers) / len(numbers))


def _argmax(values: Any) -> int:
    """The place of the greatest, the first of equals."""
    numbers = list(values)
    return numbers.index(max(numbers))


def _range(*ends: int) -> list[int]:
    places = range(*ends)
    if len(places) > LONGEST_RANGE:
        raise Refused(N_("a range has at most {most} numbers"), most=LONGEST_RANGE)
    return list(places)


def _softmax(logits: Any, temperature: float = 1.0) -> list[float]:
    from explorer.numerics.distributions.temperature import softmax

    return list(softmax(logits, temperature).tolist())


def _entropy(logits: Any, temperature: float = 1.0) -> float:
    from explorer.numerics.distributions.temperature import entropy

    return float(entropy(logits, temperature))


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "all": all,
    "any": any,
    "argmax": _argmax,
    "entropy": _entropy,
    "exp": math.exp,
    "len": len,
    "log": math.log,
    "max": max,
    "mean": _mean,
    "min": min,
    "range": _range,
    "round": round,
    "softmax": _softmax,
    "sorted": sorted,
    "sum": sum,
    "zip": lambda *some: list(zip(*some, strict=False)),
}

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


class _Evaluation:
    """One walk through a tree.

    Args:
        names: What names stand for.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._bound: dict[str, object] = {}
        self._steps = 0

    def of(self, node: ast.AST) -> Any:
        """The value of a part."""
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise Refused(N_("it takes too long"))
        evaluate = self._KINDS.get(type(node))
        if evaluate is None:
            raise Refused(N_("{source} is more than a claim may say"), source=source_of(node))
        try:
            return evaluate(self, node)
        except (TypeError, ValueError, ArithmeticError, IndexError, KeyError) as error:
            raise Refused(
                N_("{source} has no value ({problem})"), source=source_of(node), problem=error
            ) from error

    def _constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, str | int | float | None):
            return node.value
        raise Refused(N_("{source} is more than a claim may say"), source=source_of(node))

    def _name(self, node: ast.Name) -> Any:
        for known in (self._bound, self._names):
            if node.id in known:
                return known[node.id]
        raise Refused(
            N_("there is no {name}; there are {names}"),
            name=node.id,
            names=_listed((*self._bound, *self._names)),
        )

    def _attribute(self, node: ast.Attribute) -> Any:
        held = self.of(node.value)
        if not isinstance(held, Mapping):
            raise Refused(
                N_("there is no {name} in {where}, which has no fields"),
                name=node.attr,
                where=source_of(node.value),
            )
        return self._field(held, node.attr, node.value)

    def _field(self, held: Mapping[Any, Any], key: Any, where: ast.AST) -> Any:
        # JSON knows no other keys than texts.
        found = next((one for one in held if one == key or str(one) == str(key)), None)
        if found is None:
            raise Refused(
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
            return held[slice(*(None if end is None else self.of(end) for end in ends))]
        key = self.of(node.slice)
        if isinstance(held, Mapping):
            return self._field(held, key, node.value)
        if (
            isinstance(key, int)
            and isinstance(held, Sequence)
            and not -len(held) <= key < len(held)
        ):
            raise Refused(
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
            raise Refused(N_("{source} is more than a claim may say"), source=source_of(node))
        return _SIGNS[type(node.op)](self.of(node.operand))

    def _calculated(self, node: ast.BinOp) -> Any:
        kind = type(node.op)
        one, other = self.of(node.left), self.of(node.right)
        if kind not in _CALCULATED:
            raise Refused(N_("{source} is more than a claim may say"), source=source_of(node))
        if kind is not ast.Add and not (_is_number(one) and _is_number(other)):
            # "a" * 10 ** 9 and "%999999999d" % 1 are Python too.
            raise Refused(N_("{source} does not reckon with numbers"), source=source_of(node))
        if isinstance(one, list | tuple) and isinstance(other, list | tuple):
            return [*one, *other]
        return _CALCULATED[kind](one, other)

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
        for kind, one in zip(node.ops, node.comparators, strict=True):
            right = self.of(one)
            if not COMPARED[type(kind)](_comparable(left), _comparable(right)):
                return False
            left = right
        return True

    def _called(self, node: ast.Call) -> Any:
        name = node.func.id if isinstance(node.func, ast.Name) else source_of(node.func)
        if name not in FUNCTIONS:
            raise Refused(
                N_("there is no function {name}; there are {names}"),
                name=name,
                names=_listed(FUNCTIONS),
            )
        if node.keywords:
            raise Refused(N_("{source} is more than a claim may say"), source=source_of(node))
        return FUNCTIONS[name](*(self.of(one) for one in node.args))

    def _looped(self, node: ast.ListComp | ast.GeneratorExp) -> Any:
        if len(node.generators) != 1:
            raise Refused(N_("{source} has more than one loop"), source=source_of(node))
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
            raise Refused(N_("{source} is more than a claim may say"), source=source_of(target))

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
