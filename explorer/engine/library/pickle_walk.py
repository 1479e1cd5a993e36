"""A pickle's opcodes followed with a small stack machine that makes nothing but plain data.

Python's own unpickler trusts what it reads: 561 bytes can end the process, 256 can keep it busy for
ever, and 247 can take gigabytes, whatever classes it is given. Here opcodes are counted, tuples
have a depth, and the keys of dictionaries are plain, so that nothing is ever hashed or compared
that a file has nested. What a file names is never imported or called.
"""

import pickletools
from collections.abc import Callable
from typing import BinaryIO, ClassVar

from explorer.engine.library.file_limits import Allowance
from explorer.engine.library.pickle_names import (
    INERT,
    LONGEST_NAME,
    Excessive,
    PickledName,
    called,
    check_key,
    is_harmless,
    storage_of,
)

DEEPEST = 32
"""Tuples within tuples; the lists of tensors that torch writes have three."""

_PLAIN = frozenset(
    {
        *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT"),
        *("STRING", "BINSTRING", "SHORT_BINSTRING"),
        *("UNICODE", "BINUNICODE", "SHORT_BINUNICODE", "BINUNICODE8"),
        *("BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8"),
    }
)
_IGNORED = frozenset({"PROTO", "FRAME"})


class _Tuple(tuple[object, ...]):  # noqa: SLOT001 - of a tuple, slots can only be empty
    """A tuple that knows how many tuples deep it is."""

    depth = 1


class Walk:
    """Follows one pickle after the other in a file.

    Args:
        file: At the beginning of a pickle; what it holds must fit into memory.
        allowance: Opcodes are taken from it.

    Attributes:
        foreign: The first thing the pickles name that no list of tensors needs; "" if none.
    """

    def __init__(self, file: BinaryIO, allowance: Allowance) -> None:
        self._file = file
        self._allowance = allowance
        self._stack: list[object] = []
        self._below: list[list[object]] = []
        self._memo: dict[object, object] = {}
        self.foreign = ""

    def next(self) -> object:
        """What the next pickle of the file holds.

        Raises:
            Excessive: It is too long or too deeply nested.
            Exception: It is damaged; of many kinds, as bytes at random are.
        """
        self._stack, self._below, self._memo = [], [], {}
        for opcode, argument, _ in pickletools.genops(self._file):
            self._take(1)
            name = opcode.name
            if name in _PLAIN:
                self._stack.append(argument)
            elif name == "STOP":
                return self._stack.pop()
            elif name not in _IGNORED:
                self._acts[name](self, argument)
        raise EOFError

    def _take(self, count: int) -> None:
        self._allowance.opcodes -= count
        if self._allowance.opcodes < 0:
            raise Excessive

    # ---- the stack ---------------------------------------------------------------------------

    def _since_mark(self) -> list[object]:
        items, self._stack = self._stack, self._below.pop()
        return items

    def _mark(self, _argument: object) -> None:
        self._below.append(self._stack)
        self._stack = []

    def _pop(self, _argument: object) -> None:
        if self._stack:
            self._stack.pop()
        else:
            self._stack = self._below.pop()

    def _pop_mark(self, _argument: object) -> None:
        self._since_mark()

    def _duplicate(self, _argument: object) -> None:
        self._stack.append(self._stack[-1])

    def _put(self, place: object) -> None:
        self._memo[place] = self._stack[-1]

    def _memoize(self, _argument: object) -> None:
        self._memo[len(self._memo)] = self._stack[-1]

    def _get(self, place: object) -> None:
        self._stack.append(self._memo[place])

    # ---- plain data --------------------------------------------------------------------------

    def _none(self, _argument: object) -> None:
        self._stack.append(None)

    def _true(self, _argument: object) -> None:
        self._stack.append(True)

    def _false(self, _argument: object) -> None:
        self._stack.append(False)

    def _tuple_of(self, items: list[object]) -> _Tuple:
        made = _Tuple(items)
        within = max((item.depth for item in items if isinstance(item, _Tuple)), default=0)
        if within >= DEEPEST:
            raise Excessive
        if within:
            made.depth = within + 1
        return made

    def _tuple(self, _argument: object) -> None:
        items = self._since_mark()
        self._stack.append(self._tuple_of(items))

    def _short_tuple(self, length: int) -> None:
        items = self._stack[len(self._stack) - length :]
        if len(items) != length:
            raise IndexError
        del self._stack[len(self._stack) - length :]
        self._stack.append(self._tuple_of(items))

    def _empty_tuple(self, _argument: object) -> None:
        self._short_tuple(0)

    def _tuple_of_1(self, _argument: object) -> None:
        self._short_tuple(1)

    def _tuple_of_2(self, _argument: object) -> None:
        self._short_tuple(2)

    def _tuple_of_3(self, _argument: object) -> None:
        self._short_tuple(3)

    def _empty_list(self, _argument: object) -> None:
        self._stack.append([])

    def _list(self, _argument: object) -> None:
        items = self._since_mark()
        self._stack.append(items)

    def _append(self, _argument: object) -> None:
        item = self._stack.pop()
        self._extend([item])

    def _appends(self, _argument: object) -> None:
        self._extend(self._since_mark())

    def _extend(self, items: list[object]) -> None:
        target = self._stack[-1]
        if isinstance(target, list):
            target.extend(items)

    def _empty_dict(self, _argument: object) -> None:
        self._stack.append({})

    def _dict(self, _argument: object) -> None:
        items = self._since_mark()
        self._stack.append({})
        self._set_items(items)

    def _set_item(self, _argument: object) -> None:
        value, key = self._stack.pop(), self._stack.pop()
        self._set_items([key, value])

    def _sets(self, _argument: object) -> None:
        self._set_items(self._since_mark())

    def _set_items(self, items: list[object]) -> None:
        target = self._stack[-1]
        for key, value in zip(items[::2], items[1::2], strict=True):
            check_key(key)
            if isinstance(target, dict) and isinstance(key, str):
                target[key] = value

    def _empty_set(self, _argument: object) -> None:
        self._stack.append(INERT)

    def _add_items(self, _argument: object) -> None:
        for item in self._since_mark():
            check_key(item)

    def _frozen_set(self, argument: object) -> None:
        self._add_items(argument)
        self._stack.append(INERT)

    # ---- what a pickle names -----------------------------------------------------------------

    def _global(self, argument: object) -> None:
        module, _, name = str(argument).partition(" ")
        self._name(module, name)

    def _stack_global(self, _argument: object) -> None:
        name, module = self._stack.pop(), self._stack.pop()
        if not isinstance(module, str) or not isinstance(name, str):
            raise TypeError
        self._name(module, name)

    def _name(self, module: str, name: str) -> None:
        if len(module) + len(name) > LONGEST_NAME:
            raise Excessive
        if not is_harmless(module, name) and not self.foreign:
            self.foreign = f"{module}.{name}"
        self._stack.append(PickledName(f"{module}.{name}"))

    def _instance(self, argument: object) -> None:
        self._since_mark()
        self._global(argument)
        self._stack[-1] = INERT

    def _object(self, _argument: object) -> None:
        self._since_mark()
        self._stack.append(INERT)

    def _reduce(self, _argument: object) -> None:
        arguments, made = self._stack.pop(), self._stack.pop()
        if isinstance(arguments, tuple) and arguments and isinstance(arguments[0], list | tuple):
            self._take(len(arguments[0]))  # pairs, which are read once more
        self._stack.append(called(made, arguments))

    def _new_with_keywords(self, argument: object) -> None:
        self._stack.pop()
        self._reduce(argument)

    def _build(self, _argument: object) -> None:
        self._stack.pop()
        _ = self._stack[-1]

    def _stored(self, _argument: object) -> None:
        self._stack.append(storage_of(self._stack.pop()))

    def _stored_by_text(self, _argument: object) -> None:
        self._stack.append(INERT)

    _acts: ClassVar[dict[str, "Callable[[Walk, object], None]"]] = {
        "MARK": _mark,
        "POP": _pop,
        "POP_MARK": _pop_mark,
        "DUP": _duplicate,
        **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT"), _put),
        **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), _get),
        "MEMOIZE": _memoize,
        "NONE": _none,
        "NEWTRUE": _true,
        "NEWFALSE": _false,
        "TUPLE": _tuple,
        "EMPTY_TUPLE": _empty_tuple,
        "TUPLE1": _tuple_of_1,
        "TUPLE2": _tuple_of_2,
        "TUPLE3": _tuple_of_3,
        "EMPTY_LIST": _empty_list,
        "LIST": _list,
        "APPEND": _append,
        "APPENDS": _appends,
        "EMPTY_DICT": _empty_dict,
        "DICT": _dict,
        "SETITEM": _set_item,
        "SETITEMS": _sets,
        "EMPTY_SET": _empty_set,
        "ADDITEMS": _add_items,
        "FROZENSET": _frozen_set,
        "GLOBAL": _global,
        "STACK_GLOBAL": _stack_global,
        "INST": _instance,
        "OBJ": _object,
        "REDUCE": _reduce,
        "NEWOBJ": _reduce,
        "NEWOBJ_EX": _new_with_keywords,
        "BUILD": _build,
        "BINPERSID": _stored,
        "PERSID": _stored_by_text,
    }
