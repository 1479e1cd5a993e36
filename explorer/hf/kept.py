"""What is kept between two questions, all of it in one place.

`kept` is asked for work that a next question is likely to ask for again. What is kept is found by
all that the work depends on: what it is of (a model with the weights that it has now, a tokenizer
by everything that it is written as, a file as it stands) and what was asked (a request as a whole;
fields that the work leaves out of account are set to one value, so that a new field counts until
somebody says that it does not). What is of a model goes with the model.

Small facts of an object that nobody changes live and go with it: `explorer.hf.facts`.

What depends on its arguments alone, and these are few or small (a table of the program's own files,
a compiled pattern), is no answer to a question: functools does for that.
"""

import itertools
import sys
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from explorer.api.family import LoadedModel
from explorer.hf.text.vocabularies.fingerprint import tokenizer_fingerprint

MOST = 8
"""Results of one kind of work that are kept, where nothing else is said."""

ROOM = 256 * 2**20
"""Bytes of them; the newest is kept whatever its size."""

T = TypeVar("T")


@dataclass(frozen=True)
class _Result:
    """What came of some work.

    Attributes:
        value: It.
        size: Bytes.
        of: Numbers of the objects that it goes with.
    """

    value: Any
    size: int
    of: tuple[int, ...]


_results: dict[str, OrderedDict[Hashable, _Result]] = {}
"""By work, the one used last at the end."""

_numbers: dict[int, tuple[weakref.ref[Any], int]] = {}
"""Objects that something is kept of, by where they are: another object may be there later, which
gets another number."""

_next_number = itertools.count()
_gone: deque[int] = deque()
_lock = RLock()
_busy: list[None] = []
"""Somebody holds the lock: objects that go meanwhile wait in `_gone`, on this thread too."""


def kept(
    work: str,
    make: Callable[[], T],
    *,
    of: Any = None,
    asked: Hashable = None,
    most: int = MOST,
    room: int = ROOM,
    size: Callable[[T], int] = lambda result: getattr(result, "nbytes", 0),
) -> T:
    """What some work gives, from the last time that it was done where nothing differs.

    Nothing is kept of work that fails or is cancelled. Two threads that ask at once both do it, so
    that nobody waits for work that another one may cancel.

    Args:
        work: Its name; every call in the program has one of its own.
        make: Does it. It is called at once or never, so it may use the caller's context; what it
            gives must hold neither that nor the model.
        of: What it is of: models, tokenizers, paths of files, other objects, or a tuple of these.
        asked: All else that it depends on; a request as a whole, with what does not count set to
            one value by `dataclasses.replace`.
        most: Results of this work that are kept.
        room: Bytes of them; the newest is kept whatever its size.
        size: Bytes of a result.

    Raises:
        OSError: There is no such file.
        Exception: Whatever the work raises.
    """
    numbers: list[int] = []
    key = (_identity(of, numbers), asked)
    with _locked():
        results = _results.setdefault(work, OrderedDict())
        if (found := results.get(key)) is not None:
            results.move_to_end(key)
            known: T = found.value
            return known
    made = make()
    with _locked():
        results = _results.setdefault(work, OrderedDict())
        results[key] = _Result(made, size(made), tuple(numbers))
        results.move_to_end(key)
        total = sum(one.size for one in results.values())
        while len(results) > 1 and (len(results) > most or total > room):
            total -= results.popitem(last=False)[1].size
    return made


def forget() -> None:
    """Keep nothing, as in a program that has just started."""
    with _locked():
        _results.clear()


def forget_of(one: Any) -> None:
    """Keep nothing that was made of an object, which goes on with other contents."""
    with _locked():
        known = _numbers.get(id(one))
        if known is not None and known[0]() is one:
            _gone.append(known[1])


def _identity(of: Any, numbers: list[int]) -> Hashable:
    """What tells something from all else, and from itself after a change."""
    if of is None:
        return None
    if isinstance(of, tuple):
        return tuple(_identity(one, numbers) for one in of)
    if isinstance(of, Path):
        state = of.stat()
        return str(of.resolve()), state.st_mtime_ns, state.st_size
    if isinstance(of, LoadedModel):
        number = _number(of.module)
        numbers.append(number)
        return of.stamp, number, _weights_of_now(of.module), of.entities
    if hasattr(of, "backend_tokenizer"):
        return type(of), tokenizer_fingerprint(of)
    number = _number(of)
    numbers.append(number)
    return number


def _weights_of_now(module: Any) -> int:
    """Another number once a weight was exchanged or written to."""
    tensors = itertools.chain(module.parameters(), module.buffers())
    return hash(
        tuple((one.data_ptr(), 0 if one.is_inference() else one._version) for one in tensors)  # noqa: SLF001 - there is no other way to ask
    )


def _number(one: Any) -> int:
    """Of an object, as long as it lives; no other one ever gets it."""
    place = id(one)
    with _locked():
        known = _numbers.get(place)
        if known is not None and known[0]() is one:
            return known[1]
        number = next(_next_number)

        def is_gone(
            reference: weakref.ref[Any], is_over: Callable[[], bool] = sys.is_finalizing
        ) -> None:
            if is_over():
                return  # as Python ends, so do this module's names
            if _numbers.get(place, (None,))[0] is reference:
                del _numbers[place]
            _gone.append(number)
            if not _busy and _lock.acquire(blocking=False):
                try:
                    _forget_gone()
                finally:
                    _lock.release()

        _numbers[place] = weakref.ref(one, is_gone), number
        return number


@contextmanager
def _locked() -> Iterator[None]:
    with _lock:
        _busy.append(None)
        try:
            yield
            _forget_gone()
        finally:
            _busy.pop()


def _forget_gone() -> None:
    """Let go of what was kept of objects that are no longer there."""
    while _gone:
        number = _gone.popleft()
        for results in _results.values():
            for key in [key for key, result in results.items() if number in result.of]:
                del results[key]
