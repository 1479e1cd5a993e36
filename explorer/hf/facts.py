"""Small facts of an object that nobody changes, as of a tokenizer: they live and go with it."""

import functools
from collections.abc import Callable, Hashable
from typing import Any, Concatenate, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


def kept_with(work: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """Let a function of an object (a tokenizer, mostly) do its work once for each.

    Its other arguments must be few different ones, for each has a result of its own.
    """
    name = f"{work.__module__}.{work.__qualname__}"

    @functools.wraps(work)
    def found(one: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        facts = one.__dict__.get(_FACTS)
        if facts is None or facts.of != id(one):  # else it is a copy, which may be changed
            facts = one.__dict__[_FACTS] = _Facts(id(one))
        key = (name, args, *kwargs.items()) if args or kwargs else name
        if key not in facts:
            facts[key] = work(one, *args, **kwargs)
        known: T = facts[key]
        return known

    return found


_FACTS = "_explorer_kept"


class _Facts(dict[Hashable, Any]):
    """What is kept with an object; a copy of that starts anew."""

    def __init__(self, of: int = 0) -> None:
        super().__init__()
        self.of = of

    def __reduce__(self) -> tuple[Any, ...]:
        return _Facts, ()
