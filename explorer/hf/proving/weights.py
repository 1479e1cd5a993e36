"""Claims about weights: what each is for, and the architecture in numbers, against the model's run.

Which table looks pieces up, which one token types, which matrix gives queries: the run shows it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from explorer.api.family import (
    ActivationPatching,
    AttentionModules,
    Attentions,
    Component,
    HiddenStates,
    Role,
    Weights,
)
from explorer.hf.attention.layout import AttentionKind
from explorer.hf.loading.memory.weighing import shape_of
from explorer.hf.proving.claim import Margin
from explorer.hf.proving.trial import ForwardCall, ModelTrial
from explorer.hf.states.patching import HookedPatching
from explorer.text import N_, Phrase

UNSAID = frozenset({"layers", "heads", "head_size", "attention_sets", "feed_forward_size"})
"""Numbers of which 0 says nothing."""

TABLES = frozenset({Role.SEGMENTS, Role.EXTRA})


@dataclass(frozen=True)
class WeightPart:
    """A weight whose part in the run was seen.

    Attributes:
        weight: The parameter.
        roles: What it may be called, the usual one first.
    """

    weight: Any
    roles: tuple[Role, ...]


def roles_are_played(trial: ModelTrial) -> Margin | None:
    """What tensors are said to be for, against what they did in the run."""
    family = trial.model.ports[Weights]
    if not _reads(trial):
        return None
    # A weight that is tied has a name for each use, and a role for each name.
    names: dict[int, list[str]] = {}
    for name, weight in trial.model.module.named_parameters(remove_duplicate=False):
        names.setdefault(id(weight), []).append(name)
    tried = 0
    for part in _parts(trial):
        own = names.get(id(part.weight), [])
        told = [family.role_of(name) for name in own]
        tried += bool(own)
        if own and not set(told) & set(part.roles):
            wrong = Phrase(
                N_("Its plugin says that {tensor} is “{told}”, and it is “{own}”."),
                tensor=own[0],
                told=Phrase(told[0].value),
                own=Phrase(part.roles[0].value),
            )
            return Margin(wrong=wrong)
    return Margin() if tried else None


def _parts(trial: ModelTrial) -> Iterator[WeightPart]:
    """Weights and what they are for, as far as the run tells."""
    for one in _attentions(trial):
        crossing = (Role.CROSS,) if one.kind is AttentionKind.CROSS else ()
        weight = getattr(one.output, "weight", None)
        yield WeightPart(weight, (*crossing, Role.ATTENTION_OUTPUT))
        if one.rule is not None:
            yield from _found_parts(one, crossing)
            continue
        fused = len(one.layout.projections) == 1
        usual = (Role.QKV,) if fused else (Role.QUERY, Role.KEY, Role.VALUE)
        for name, role in zip(one.layout.projections, usual, strict=True):
            weight = _weight_of(one.module, name)
            yield WeightPart(weight, tuple(dict.fromkeys((*crossing, role, Role.QKV))))
    for call, roles in _looked_up(trial):
        yield WeightPart(call.module.weight, roles)
    for call, _whole in _last_of_feed_forward(trial):
        yield WeightPart(call.module.weight, (Role.FEED_FORWARD_OUT,))


def _found_parts(one: Any, crossing: tuple[Role, ...]) -> Iterator[WeightPart]:
    """Matrices of an attention that was found in a run, by what rows of them are.

    Nothing where rows are of something else too, as of keys that are made of two parts.
    """
    roles: dict[str, list[Role]] = {}
    if any(part is None or not part.matrix for part in one.parts):
        return
    for part, role in zip(one.parts, (Role.QUERY, Role.KEY, Role.VALUE), strict=True):
        roles.setdefault(part.matrix, []).append(role)
    for name, own in roles.items():
        usual = own[0] if len(own) == 1 else Role.QKV
        weight = _weight_of(one.module, name)
        yield WeightPart(weight, tuple(dict.fromkeys((*crossing, usual, Role.QKV))))


def _reads(trial: ModelTrial) -> bool:
    """Whether it is a text that it reads."""
    return HiddenStates in trial.model.ports or Attentions in trial.model.ports


def _attentions(trial: ModelTrial) -> tuple[Any, ...]:
    port = trial.model.ports.get(AttentionModules)
    return () if port is None else port.modules()


def _weight_of(module: Any, path: str) -> Any:
    for name in path.split("."):
        module = getattr(module, name)
    return getattr(module, "weight", None)


def _looked_up(trial: ModelTrial) -> Iterator[tuple[ForwardCall, tuple[Role, ...]]]:
    """Tables with a row for each token that were asked in the run, and what for."""
    inputs = trial.encoded.inputs
    pieces = inputs["input_ids"]
    for call in trial.calls:
        ids = call.ids
        if ids is None or ids.shape[-1] != pieces.shape[-1] or ids.numel() != pieces.numel():
            continue
        own = ids.reshape(pieces.shape)
        if bool((own == pieces).all()):
            yield call, (Role.PIECES,)
        elif pieces.shape[-1] > 2 and bool((own.diff() == 1).all()):
            yield call, (Role.POSITIONS,)
        elif bool((own == own.flatten()[0]).all()):
            yield call, (Role.SEGMENTS, Role.EXTRA)


def _last_of_feed_forward(trial: ModelTrial) -> Iterator[tuple[ForwardCall, ForwardCall]]:
    """The last matrix of every feed-forward part that is told of, and the part."""
    port = trial.model.ports.get(ActivationPatching)
    if not isinstance(port, HookedPatching):
        return
    for stack in port.tapped.stacks:
        for row in stack.rows if stack.component is Component.FEED_FORWARD else ():
            whole = trial.call_of(row.taps[-1])
            if whole is None:
                continue
            inside = [
                one
                for one in trial.calls
                if whole.began <= one.began
                and one.ended <= whole.ended
                and one.gave is not None
                # What a router of experts gives is of another size.
                and (whole.gave is None or one.gave.shape == whole.gave.shape)
                and (weight := getattr(one.module, "weight", None)) is not None
                and len(shape_of(weight)) == 2
            ]
            if inside:
                yield inside[-1], whole


def counts_are_its_own(trial: ModelTrial) -> Margin | None:
    """The architecture in numbers, against the model's own."""
    model = trial.model
    if not _reads(trial):
        return None
    heads = tuple(head.name for head in model.heads if head.present)
    told = model.ports[Weights].blueprint(model.config.to_dict(), heads)
    for name, said, own in _counts(trial, told):
        if said != own and (said or name not in UNSAID):
            wrong = Phrase(
                N_("Its plugin's blueprint says {said} for {name}, and the model has {own}."),
                name=name,
                said=str(said),
                own=str(own),
            )
            return Margin(float(abs(said - own)), 0.0, wrong)
    return Margin(0.0)


def _counts(trial: ModelTrial, told: Any) -> Iterator[tuple[str, int, int]]:
    """Numbers of a blueprint by the names of its fields: what it says, and what the model has."""
    modules = _attentions(trial)
    own = [one for one in modules if one.kind is not AttentionKind.CROSS]
    by_kind = {kind: [one for one in own if one.kind is kind] for kind in AttentionKind}
    first = by_kind[AttentionKind.ENCODER] or by_kind[AttentionKind.DECODER]
    if first:
        yield "layers", told.layers, sum(len(one.layers) for one in first)
        yield "heads", told.heads, first[0].heads
        yield "head_size", told.head_size, first[0].width
        yield "attention_sets", told.attention_sets, len(first)
    elif trial.stacks_had:
        stack = next(iter(trial.stacks_had.values()))
        yield "layers", told.layers, stack.layers
        yield "heads", told.heads, stack.heads
    if by_kind[AttentionKind.ENCODER] and by_kind[AttentionKind.DECODER]:
        after = sum(len(one.layers) for one in by_kind[AttentionKind.DECODER])
        yield "decoder_layers", told.decoder_layers, after
    if trial.stacks_had:
        causal = next(iter(trial.stacks_had.values())).causal
        yield "causal", int(told.causal), int(causal)
    yield "hidden_size", told.hidden_size, int(trial.last.shape[-1])
    tables = list(_looked_up(trial))
    for call, roles in tables:
        rows, width = shape_of(call.module.weight)
        if roles[0] is Role.PIECES:
            yield "vocabulary", told.vocabulary, rows
            yield "embedding_size", told.embedding_size, width
        elif roles[0] is Role.POSITIONS:
            yield "positions", told.positions, rows
    if tables:
        own_rows = [shape_of(call.module.weight)[0] for call, roles in tables if roles[0] in TABLES]
        yield "token_types", told.token_types + told.extra_embeddings, sum(own_rows)
    for call, whole in _last_of_feed_forward(trial):
        # Beside experts a shared one's last matrix does not give all that the part gives.
        if whole.gave is None or bool((call.gave == whole.gave).all()):
            yield "feed_forward_size", told.feed_forward_size, int(call.given.shape[-1])
