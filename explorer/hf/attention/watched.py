"""Queries, keys and values of attentions that were found in a run, as they are multiplied."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from typing import Any

from explorer.api.family import Unavailable
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.attention.modules import AttentionModule
from explorer.hf.attention.queries_keys import QueriesKeys
from explorer.hf.attention.rows import HeadRows, numbers_of
from explorer.hf.attention.watching import AttendingCall, watching
from explorer.text import N_

NOTHING = N_("Layer {layer} of this model did not attend as it did when it was tried.")


@contextmanager
def watched_attentions(
    modules: Sequence[AttentionModule], layers: Collection[int] | None
) -> Iterator[list[QueriesKeys]]:
    """As `explorer.hf.attention.projections.captured`."""
    kept: list[QueriesKeys] = []
    running: list[WatchedAttention] = []
    handles: list[Any] = []

    def owner() -> Any:
        return running[-1].one.module if running and running[-1].is_wanted else None

    try:
        with watching(owner) as done:
            for one in modules:
                own = WatchedAttention(one, layers, kept, done, running)
                handles.append(one.module.register_forward_pre_hook(own.begin))
                handles.append(one.module.register_forward_hook(own.end))
                for name in own.names:
                    part = reduce(getattr, name.split("."), one.module)
                    handles.append(part.register_forward_hook(partial(own.keep, name)))
            yield kept
    finally:
        for handle in handles:
            handle.remove()


class WatchedAttention:
    """One attention module while a model runs."""

    def __init__(
        self,
        one: AttentionModule,
        layers: Collection[int] | None,
        kept: list[QueriesKeys],
        done: list[AttendingCall],
        running: list["WatchedAttention"],
    ) -> None:
        self.one = one
        self._layers, self._kept, self._done, self._running = layers, kept, done, running
        self._turned = [part for part in one.parts[:2] if part is not None]
        if len(self._turned) < 2 or not any(part.turned for part in self._turned):
            self._turned = []
        self.names = {part.module for part in self._turned}
        self._gave: dict[str, Any] = {}
        self._call = -1
        self.is_wanted = False

    def begin(self, *_args: Any) -> None:
        """The module runs: whether its layer is wanted."""
        self._call += 1
        layer = self.one.layers[self._call % len(self.one.layers)]
        self.is_wanted = self._layers is None or layer in self._layers
        self._gave.clear()
        self._running.append(self)

    def keep(self, name: str, _module: Any, _inputs: Any, output: Any) -> None:
        """What a module gave that queries or keys are before they are turned."""
        if self._running and self._running[-1] is self and self.is_wanted:
            self._gave[name] = output

    def end(self, *_args: Any) -> None:
        """The module has run: what was seen of it.

        Raises:
            Unavailable: It attended never, or more than once.
        """
        self._running.pop()
        if not self.is_wanted:
            return
        layer = self.one.layers[self._call % len(self.one.layers)]
        own = [call for call in self._done if call.owner is self.one.module]
        self._done.clear()
        if len(own) != 1:
            raise Unavailable(NOTHING, layer=layer)
        unturned = None
        if self._turned:
            unturned = tuple(_before(part, self._gave[part.module]) for part in self._turned)
        self._kept.append(made_of(self.one, layer, own[0], unturned))
        self._gave.clear()


def _before(part: HeadRows, gave: Any) -> Any:
    """What a module gave for the heads: heads x tokens x width."""
    own = numbers_of(gave.detach(), heads_first=part.heads_first).float()
    return own[:, part.numbers.to(own.device)].transpose(0, 1)


def made_of(
    one: AttentionModule, layer: int, call: AttendingCall, unturned: Any = None
) -> QueriesKeys:
    """What is told of an attention that was seen.

    Args:
        one: Whose.
        layer: Its number within its kind.
        call: What was seen.
        unturned: Queries and keys before a rotation.
    """
    rule = one.rule
    assert rule is not None
    seen = call.seen
    if one.kind is not AttentionKind.CROSS and bool((seen == seen[:1]).all()):
        seen = seen[:1]
    bias = sink = None
    if rule.adds_positions or call.has_sink:
        apart = call.own_scores - call.products * rule.scale
        if rule.adds_positions:
            bias = apart.masked_fill(~seen, 0.0)
        if call.has_sink:
            # A softmax does not see what is taken off all of a row.
            off = apart.masked_fill(~seen, 0.0).sum(-1, keepdim=True) / seen.sum(-1, keepdim=True)
            sink = call.scores[..., -1:] - off
    return QueriesKeys(
        one.kind,
        layer,
        call.queries,
        call.keys,
        call.values,
        rule.scale,
        bias,
        unturned=unturned,
        seen=seen,
        cap=rule.cap,
        sink=sink,
    )
