"""What the names in torch's pickles stand for: storages, tensors, dictionaries, and no more."""

from explorer.engine.library.file_limits import MOST_DIMENSIONS

LONGEST_KEY = 16
"""Parts of a tuple that is a key. One long tuple, used as a key again and again, would be read as
often as it is used; the same holds of a name and of a shape."""

LONGEST_NAME = 500
"""Characters of a module and a class."""

STORAGES = {
    "FloatStorage": "F32",
    "DoubleStorage": "F64",
    "HalfStorage": "F16",
    "BFloat16Storage": "BF16",
    "LongStorage": "I64",
    "IntStorage": "I32",
    "ShortStorage": "I16",
    "CharStorage": "I8",
    "ByteStorage": "U8",
    "BoolStorage": "BOOL",
}


_FROM_TYPE = "_rebuild_from_type_v2"


class Excessive(Exception):
    """The pickle is longer or more nested than any list of tensors."""


class Inert:
    """Stands for anything that is no plain data and no tensor."""


INERT = Inert()


class PickledName:
    """Something a pickle names, as "torch._utils._rebuild_tensor_v2"."""

    def __init__(self, name: str) -> None:
        self.name = name


class FoundTensor:
    """A tensor of the pickle."""

    def __init__(self, dtype: str, shape: tuple[int, ...]) -> None:
        self.dtype = dtype
        self.shape = shape


def is_harmless(module: str, name: str) -> bool:
    """Whether a list of tensors may name this."""
    if module == "torch._utils":
        return name in {"_rebuild_tensor_v2", "_rebuild_tensor"} or name.startswith(
            "_rebuild_parameter"
        )
    if module in {"torch", "torch.storage"} and name.endswith("Storage"):
        return True
    return (
        (module, name) in {("collections", "OrderedDict"), ("torch._tensor", _FROM_TYPE)}
        or module in {"torch.serialization", "torch.nn.parameter"}
        or (module == "torch" and name in {"Size", "Tensor", "device"})
    )


def called(made: object, arguments: object) -> object:
    """What a call that torch writes would give; anything else is inert."""
    if not isinstance(made, PickledName) or not isinstance(arguments, tuple):
        return INERT
    if made.name == "collections.OrderedDict":
        return _ordered(arguments)
    if made.name in {"torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_tensor"}:
        return _tensor(*arguments[:3]) if len(arguments) > 2 else INERT
    if made.name.startswith("torch._utils._rebuild_parameter"):
        return arguments[0] if arguments else INERT
    if made.name == f"torch._tensor.{_FROM_TYPE}" and len(arguments) > 2:
        # A tensor of a subclass (nn.Buffer), which torch writes as a tensor and a type.
        return called(arguments[0], arguments[2])
    return INERT


def _ordered(arguments: tuple[object, ...]) -> dict[str, object]:
    """A dictionary; Python 2 wrote its items as a list of pairs."""
    pairs = arguments[0] if arguments else ()
    found: dict[str, object] = {}
    if isinstance(pairs, list | tuple):
        for pair in pairs:
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                raise TypeError
            check_key(pair[0])
            if isinstance(pair[0], str):
                found[pair[0]] = pair[1]
    return found


def _tensor(storage: object, _offset: object, size: object) -> object:
    if not isinstance(storage, str) or not isinstance(size, tuple):
        return INERT
    if len(size) > MOST_DIMENSIONS:
        raise Excessive
    shape = tuple(n for n in size if isinstance(n, int) and not isinstance(n, bool))
    if len(shape) != len(size):
        raise TypeError
    return FoundTensor(storage, shape)


def storage_of(place: object) -> object:
    """The number type of a storage: the second of what says where its numbers lie."""
    if not isinstance(place, tuple) or len(place) < 2 or not isinstance(place[1], PickledName):
        return INERT
    name = place[1].name.rpartition(".")[2]
    return STORAGES.get(name, name)


def check_key(key: object) -> None:
    """Only plain keys, or tuples of them: hashing anything else can take for ever."""
    parts = key if isinstance(key, tuple) else (key,)
    plain = (isinstance(part, str | bytes | int | float | None) for part in parts)
    if len(parts) > LONGEST_KEY or not all(plain):
        raise Excessive
