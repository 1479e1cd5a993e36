"""Where a model attends, found by letting it run: no name of its class or its parts is needed.

Two short texts are read. What multiplies and adds up is seen (`watching`); what scales products, or
is added to them for places, follows from the numbers of both runs, and what can't be said of them
so is refused. The matrix behind the heads is the one that is given what they
contribute, one after the other; the rows of the matrices before them are those that give a head's
numbers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from explorer.api.family import Unavailable
from explorer.hf.attention.layout import AttentionKind, AttentionLayout, AttentionStack
from explorer.hf.attention.modules import AttentionModule, ScoreRule
from explorer.hf.attention.projections import captured
from explorer.hf.attention.rows import PartSource, rows_of_parts
from explorer.hf.attention.watching import AttendingCall, watching
from explorer.hf.attention.weights import eager_attention
from explorer.text import N_

NOT_FOUND = N_("Where its attention's queries and keys are can't be seen in a run of it.")
CHANGED = N_(
    "What its heads contribute is changed before one matrix takes it, so that no head's part is "
    "known."
)
NOT_EACH = N_(
    "Not each of its {count} layers attends once: attention is in {layers}. Queries and keys are "
    "shown of models all of whose layers attend."
)
NO_SCORES = N_(
    "Its attention is more than products of queries and keys and what positions add to them."
)
CAP = "attn_logit_softcapping"
"""What modules and configs call the number that scores are bent below."""
KNOWN = 0.9
"""How near to a cap a bent score still says what it was."""
CLOSE = {"float32": 1e-4, "bfloat16": 5e-2, "float16": 1e-2}
"""How far scores may be from what is said of them, by the size of the largest."""


@dataclass(eq=False)
class SeenAttention:
    """An attention of one run, and what was around it."""

    call: AttendingCall
    output: Any = None
    parts: list[PartSource] = field(default_factory=list)


def found_layout(module: Any, runs: Sequence[Callable[[], Any]], dtype: str) -> AttentionLayout:
    """A layout with the attentions that two runs of a model show.

    Args:
        module: A torch module of transformers.
        runs: Two, of texts of one length with other pieces. Of a model with two stacks, its decoder
            reads fewer pieces than its encoder.
        dtype: Of its numbers.

    Raises:
        Unavailable: They can't be told, and why.
    """
    first, second = (_attentions_of(module, run) for run in runs)
    if not first or [one.call.owner for one in first] != [one.call.owner for one in second]:
        raise Unavailable(NOT_FOUND)
    close = CLOSE.get(dtype, 1e-2)
    kinds: dict[AttentionKind, int] = {}
    made: dict[Any, AttentionModule] = {}
    plain = AttentionLayout(inside="", projections=(), output="")
    for own, other in zip(first, second, strict=True):
        if own.output is None:
            raise Unavailable(CHANGED)
        kind = _kind_of(own.call)
        layer = kinds[kind] = kinds.get(kind, -1) + 1
        rule = rule_of(own.call, other.call, close, _caps(own.call.owner))
        if rule is None:
            raise Unavailable(NO_SCORES)
        owner = own.call.owner
        if owner in made:
            before = made[owner]
            layers = (*before.layers, layer)
            made[owner] = _again(before, layers, kind, rule)
            continue
        rows = rows_of_parts(owner, own.call, own.parts, close)
        made[owner] = AttentionModule(
            kind,
            (layer,),
            owner,
            plain,
            own.output,
            len(own.call.weights),
            int(own.call.values.shape[-1]),
            rule.scale,
            (None,),
            rule,
            rows,
        )
    _check_each(module, made.values())
    stacks = tuple(
        AttentionStack(kind, "", _count_of(kinds[kind] + 1))
        for kind in AttentionKind
        if kind in kinds
    )
    return AttentionLayout(
        stacks=stacks, inside="", projections=(), output="", found=tuple(made.values())
    )


def _check_each(module: Any, attentions: Iterable[AttentionModule]) -> None:
    """Refuse a stack whose layers do not attend once each: their numbers would be others.

    Raises:
        Unavailable: There is such a stack.
    """
    paths = {part: path for path, part in module.named_modules()}
    for kind in AttentionKind:
        own = [one for one in attentions if one.kind is kind]
        numbers: dict[str, list[int]] = {}
        for one in own:
            before, rest = _split_at_number(paths[one.module])
            if rest:
                numbers.setdefault(before, []).append(int(rest.partition(".")[0]))
        for path, layers in numbers.items():
            count = len(module.get_submodule(path))
            if all(len(one.layers) == 1 for one in own) and layers != list(range(count)):
                raise Unavailable(
                    NOT_EACH, layers=", ".join(map(str, sorted({*layers}))), count=count
                )


def _split_at_number(path: str) -> tuple[str, str]:
    """What is before the first number in a path, and what begins with it."""
    segments = path.split(".")
    first = next((n for n, one in enumerate(segments) if one.isdecimal()), len(segments))
    return ".".join(segments[:first]), ".".join(segments[first:])


def shows_right(
    module: Any, modules: Sequence[AttentionModule], run: Callable[[], Any], dtype: str
) -> bool:
    """Whether attentions that a layout names give the shares and sums that are seen in a run.

    Args:
        module: A torch module of transformers.
        modules: As the layout finds them.
        run: Of a short text.
        dtype: Of its numbers.
    """
    import torch

    close = CLOSE.get(dtype, 1e-2)
    with (
        torch.inference_mode(),
        eager_attention(module),
        watching(lambda: module) as done,
        captured(modules) as kept,
    ):
        run()
    if len(kept) != len(done):
        return not done
    for own, call in zip(kept, done, strict=True):
        if own.scores().shape != call.own_scores.shape or own.values.shape != call.values.shape:
            return False
        shares = own.scores().masked_fill(~call.seen, float("-inf")).softmax(-1)
        far = (shares - call.weights[..., : shares.shape[-1]]).abs().max()
        apart = (own.values - call.values).abs().max()
        if not (far <= close and apart <= close * max(1.0, float(call.values.abs().max()))):
            return False
    return True


def _count_of(layers: int) -> Callable[[Any], int]:
    return lambda _config: layers


def _again(
    before: AttentionModule, layers: tuple[int, ...], kind: AttentionKind, rule: ScoreRule
) -> AttentionModule:
    """A module that several layers share."""
    if before.kind is not kind or before.rule != rule:
        raise Unavailable(NO_SCORES)
    return replace(before, layers=layers, windows=(None,) * len(layers))


def _kind_of(call: AttendingCall) -> AttentionKind:
    seen = call.seen
    if seen.shape[-1] != seen.shape[-2]:
        return AttentionKind.CROSS
    return AttentionKind.ENCODER if bool(seen.triu(1).any()) else AttentionKind.DECODER


def _caps(owner: Any) -> tuple[float, ...]:
    """Numbers below which a module or its config says that scores are bent."""
    said = (getattr(one, CAP, None) for one in (owner, getattr(owner, "config", None)))
    return tuple(float(one) for one in said if isinstance(one, int | float) and one > 0)


def rule_of(
    call: AttendingCall, other: AttendingCall, close: float, caps: Sequence[float] = ()
) -> ScoreRule | None:
    """How its scores follow from products of queries and keys; None where nothing known fits.

    A softmax does not see what is added to all of a row, so rows are compared by what differs in
    them.

    Args:
        call: Of a text.
        other: Of one of other pieces.
        close: How far scores may be off, by the size of the largest.
        caps: What scores may be bent below.
    """
    seen = call.seen
    if seen.shape != other.seen.shape or not bool((seen == other.seen).all()):
        return None
    products = [_centred(one.products, seen) for one in (call, other)]
    scores = [_centred(one.own_scores, seen) for one in (call, other)]
    bound = close * max(1.0, *(float(one.abs().max()) for one in scores))
    scale = _usual(_ratio(products[0], scores[0]), call, close)
    if all(_fits(s, p * scale, bound) for s, p in zip(scores, products, strict=True)):
        return ScoreRule(scale)
    differing = _ratio(products[0] - products[1], scores[0] - scores[1])
    differing = _usual(differing, call, close)
    apart = (scores[0] - scores[1], (products[0] - products[1]) * differing)
    if _fits(*apart, bound) and not call.has_sink:
        return ScoreRule(differing, adds_positions=True)
    for cap in caps:
        given = [one.own_scores.masked_fill(~seen, 0.0) for one in (call, other)]
        own = [one.products.masked_fill(~seen, 0.0) for one in (call, other)]
        # Where a number is near the cap nothing is known of what it was.
        low = given[0].abs() < cap * KNOWN
        scale = _ratio(own[0] * low, cap * (given[0] * low / cap).atanh())
        scale = _usual(scale, call, close)
        bent = [cap * (one * scale / cap).tanh() for one in own]
        if all(_fits(one, two, bound) for one, two in zip(given, bent, strict=True)):
            return ScoreRule(scale, cap=cap)
    return None


def _centred(scores: Any, seen: Any) -> Any:
    """Scores less the mean of what is seen in their row; 0 elsewhere."""
    own = scores.masked_fill(~seen, 0.0)
    mean = own.sum(-1, keepdim=True) / seen.sum(-1, keepdim=True)
    return (own - mean).masked_fill(~seen, 0.0)


def _usual(scale: float, call: AttendingCall, close: float) -> float:
    """The number that a class says, where what was found is that but for rounding."""
    said = getattr(call.owner, "scaling", None)
    usual = [1.0, float(call.queries.shape[-1] ** -0.5)]
    usual += [float(said)] if isinstance(said, int | float) else []
    near = min(usual, key=lambda one: abs(one - scale))
    return near if abs(near - scale) <= close * abs(near) else scale


def _ratio(given: Any, made: Any) -> float:
    """The number by which one is the other, as nearly as can be."""
    square = float((given * given).sum())
    return float((given * made).sum()) / square if square else 0.0


def _fits(one: Any, other: Any, bound: float) -> bool:
    return bool((one - other).abs().max() <= bound)


def _attentions_of(module: Any, run: Callable[[], Any]) -> list[SeenAttention]:
    """The attentions of a run in their order, with the matrix that takes what each contributes."""
    import torch

    follower = RunFollower()
    with (
        torch.inference_mode(),
        eager_attention(module),
        watching(follower.owner) as follower.done,
        follower.following(module),
    ):
        run()
        follower.take_new()
    return follower.found


class RunFollower:
    """Follows which module runs, what comes out of those below it, and who takes what heads give.

    Attributes:
        found: Attentions so far.
        done: As `watching` collects them.
    """

    def __init__(self) -> None:
        self.found: list[SeenAttention] = []
        self.done: list[AttendingCall] = []
        self._running: list[Any] = []
        self._given: dict[Any, list[PartSource]] = {}

    def owner(self) -> Any:
        """The innermost module with parts that runs."""
        return self._running[-1] if self._running else None

    @contextmanager
    def following(self, whole: Any) -> Iterator[None]:
        """Listen to a model inside the block."""
        import torch

        handles: list[Any] = []
        try:
            for part in whole.modules():
                weight = getattr(part, "weight", None)
                if any(part.children()):
                    handles.append(part.register_forward_pre_hook(self._enter))
                    handles.append(part.register_forward_hook(self._leave))
                elif weight is not None and not isinstance(part, torch.nn.Embedding):
                    handles.append(part.register_forward_hook(self._gave))
                    if weight.ndim == 2:
                        taken = part.register_forward_pre_hook(self._taken, with_kwargs=True)
                        handles.append(taken)
            yield
        finally:
            for handle in handles:
                handle.remove()

    def take_new(self) -> None:
        """Keep what attended since, with what came out below it."""
        for call in self.done[len(self.found) :]:
            self.found.append(SeenAttention(call, None, self._given.get(call.owner, [])))

    def _enter(self, part: Any, *_args: Any) -> None:
        self._running.append(part)
        self._given[part] = []

    def _leave(self, *_args: Any) -> None:
        self._running.pop()

    def _taken(self, part: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        self.take_new()
        states = args[0] if args else next(iter(kwargs.values()), None)
        for one in self.found[-1:]:
            if one.output is None and _is_contributed(one.call, states):
                one.output = part

    def _gave(self, part: Any, args: tuple[Any, ...], output: Any) -> None:
        import torch

        self.take_new()
        if self._running and isinstance(output, torch.Tensor) and output.is_floating_point():
            first = args[0] if args and isinstance(args[0], torch.Tensor) else None
            self._given[self._running[-1]].append(PartSource(part, first, output))


def _is_contributed(call: AttendingCall, states: Any) -> bool:
    """Whether states are what all heads contribute, one after the other."""
    import torch

    if not isinstance(states, torch.Tensor):
        return False
    own = call.results.transpose(0, 1).flatten(1)
    if states.numel() != own.numel() or states.shape[-1] != own.shape[-1]:
        return False
    return bool(torch.allclose(states.float().reshape(own.shape), own, atol=1e-5, rtol=1e-3))
