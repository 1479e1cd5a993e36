"""Keeps the attention captured last, so that other heads of it are a look-up and no new run."""

import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.api import Attentions, Context, Encoded, LoadedModel, Mask
from explorer.hf.attention.weights import Stack, without_masks

ROOM = 384 * 2**20
"""Bytes of attention kept at most; the newest is kept whatever its size."""

MOST = 6
"""Captures kept at most."""


@dataclass
class Captured:
    """The attention of one input.

    Attributes:
        encoded: The input.
        stacks: By kind.
        made: What was computed from it, by whatever it depends on; small things only.
    """

    encoded: Encoded
    stacks: Mapping[str, Stack]
    made: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def nbytes(self) -> int:
        """Memory of the weights."""
        return sum(stack.nbytes for stack in self.stacks.values())

    def remember(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What was made before, or made now and kept."""
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]


class Captures:
    """The captures used last, within ROOM."""

    def __init__(self, room: int = ROOM, most: int = MOST) -> None:
        self._room = room
        self._most = most
        self._kept: OrderedDict[Hashable, Captured] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def nbytes(self) -> int:
        """Memory of all."""
        return sum(captured.nbytes for captured in self._kept.values())

    def of(self, key: Hashable, capture: Callable[[], Captured]) -> Captured:
        """The capture of a key, made where it is not kept.

        Args:
            key: Model, text and whatever else the attention depends on.
            capture: Makes it.
        """
        found = self._kept.get(key)
        if found is None:
            found = capture()
            self._kept[key] = found
        self._kept.move_to_end(key)
        while len(self._kept) > 1 and (len(self._kept) > self._most or self.nbytes > self._room):
            self._kept.popitem(last=False)
        return found

    def forget(self, belongs: Callable[[Hashable], bool]) -> None:
        """Keep nothing of the keys that belong to what is no longer there."""
        for key in [key for key in self._kept if belongs(key)]:
            del self._kept[key]

    def clear(self) -> None:
        """Keep nothing."""
        self._kept.clear()


CAPTURES = Captures()
"""Those of this process: there is one engine in it, and one run at a time."""


def captured_for(
    model: LoadedModel,
    text: str,
    pair: str | None,
    masks: Sequence[Mask],
    answer: str,
    context: Context,
) -> Captured:
    """The attention of a model for a text, from the last run where that was the same.

    Args:
        model: Who attends.
        text: What it reads.
        pair: The second text, or None.
        masks: Masked ranges of characters.
        answer: What a decoder beside an encoder reads; "" for what it writes itself.
        context: Cancels.

    Raises:
        As explorer.hf.attention.weights.capture does.
    """

    def run() -> Captured:
        encoded = without_masks(model, model.encode(text, pair, masks), context)
        ids = None
        if answer.strip():
            ids = model.tokenizer(answer, add_special_tokens=False)["input_ids"]
        return Captured(encoded, model.port(Attentions).capture(encoded, context, ids))

    _follow(model)
    key = (model.stamp, text, pair, tuple(masks), answer.strip(), model.entities)
    return CAPTURES.of(key, run)


_followed: weakref.WeakSet[Any] = weakref.WeakSet()


def _follow(model: LoadedModel) -> None:
    """Keep nothing of a model once it is gone, whoever let go of it."""
    if model.module in _followed:
        return
    _followed.add(model.module)
    stamp = model.stamp

    def is_its(key: Hashable) -> bool:
        return isinstance(key, tuple) and key[0] == stamp

    weakref.finalize(model.module, CAPTURES.forget, is_its).atexit = False
