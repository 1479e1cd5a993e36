"""One text, read with entities, without, and with another one: `EntitiesRequest`'s answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from explorer.api.family import EntityStates
from explorer.api.question import (
    Context,
    Encoded,
    Entity,
    EntityLinks,
    Knowledge,
    LoadedModel,
    Mention,
    Predictor,
    UserMistake,
)
from explorer.hf.predict.masked_text import predict_masks
from explorer.questions.knowledge.entities.marking import ENTITY, HEAD, TAIL, marked
from explorer.questions.knowledge.entities.question import (
    CANDIDATES,
    NAMESAKES,
    Classed,
    EntitiesRequest,
    EntitiesResult,
    EntityProbabilities,
    Floats,
    NamedEntity,
    Version,
    VersionAnswer,
    check,
)
from explorer.text import N_

CLASSES = 12
"""Types or relations that an answer tells of."""
SHORTER = 20
"""Shorter names that an answer tells of."""


def run(model: Any, request: EntitiesRequest, context: Context) -> EntitiesResult:
    """Read the text three times; what differs is the entities alone.

    Raises:
        UserMistake: The text is empty, or an entity is not in the model's graph.
        MachineFault: The model's numbers overflow.
        Cancelled: The run was cancelled.
    """
    check(request)
    knowledge = model.port(Knowledge)
    linked = EntityLinks(request.entities)
    found = not request.entities and request.match
    if not request.entities:
        every = knowledge.link(request.text, request.pair)
        linked = every if request.match else EntityLinks((), (*every.mentions, *every.overlapped))
    context.check()
    mentions = linked.mentions
    plain = _read(model, request, ())
    other, exchanged = _other(knowledge, request, linked)
    inputs = {Version.WITHOUT: plain}
    beside: dict[Version, tuple[Mention, ...]] = {Version.WITHOUT: ()}
    if mentions:
        inputs = {Version.WITH: _read(model, request, mentions), **inputs}
        beside = {Version.WITH: mentions, **beside}
    if other is not None and exchanged is not None:
        instead = replace(mentions[exchanged], entity=other.id)
        swapped = (*mentions[:exchanged], instead, *mentions[exchanged + 1 :])
        inputs[Version.OTHER] = _read(model, request, swapped)
        beside[Version.OTHER] = swapped
    fused = {version: knowledge.fused(encoded, context) for version, encoded in inputs.items()}
    named = _named(knowledge, request, linked, plain)
    some = fused[Version.WITHOUT]
    return EntitiesResult(
        model=model.stamp,
        tokens=plain.tokens,
        graph=knowledge.graph,
        known=knowledge.count,
        found=found,
        named=named,
        overlapped=_shorter(knowledge, linked),
        exchanged=exchanged,
        other=other,
        versions=tuple(
            VersionAnswer(
                version,
                _words(model, encoded, request.top_k, context),
                None if version is Version.WITHOUT else _moved(fused[version], some),
                _attention(fused[version], fused),
            )
            for version, encoded in inputs.items()
        ),
        kinds=some.kinds,
        layers=tuple(sorted(some.attention)),
        counted=_counted(fused),
        told=_told(knowledge, named, other, list(inputs.values()), context),
        left_out=plain.left_out,
        classed=_classed(model, request.text, exchanged, beside, context),
    )


def _read(model: LoadedModel, request: EntitiesRequest, mentions: Sequence[Mention]) -> Encoded:
    return model.encode(request.text, request.pair, request.masks, entities=mentions)


def _words(model: LoadedModel, encoded: Encoded, top_k: int, context: Context) -> Any:
    """Predictions at the masks, where the model has a head for that."""
    if Predictor not in model.ports:
        return ()
    return predict_masks(model, encoded, top_k, context)


def _other(
    knowledge: Knowledge, request: EntitiesRequest, linked: EntityLinks
) -> tuple[Entity | None, int | None]:
    """What stands in the place of one of the text's entities, and of which.

    Raises:
        UserMistake: The graph has nothing of this name or id.
    """
    mentions = linked.mentions
    if not mentions:
        return None, None
    exchanged = min(max(request.mention, 1), len(mentions)) - 1
    own = mentions[exchanged]
    if request.other.strip():
        return _called(knowledge, request.other.strip()), exchanged
    names = (one.entity for one in _namesakes(knowledge, _words_of(request, own)))
    others = (one.entity for one in (*linked.mentions, *linked.overlapped))
    for entity in (*names, *others):
        if entity != own.entity:
            return knowledge.entity(entity), exchanged
    for one in knowledge.named("", 2):
        if one.id != own.entity:
            return one, exchanged
    return None, None


def _called(knowledge: Knowledge, words: str) -> Entity:
    """The entity of an id, or of a name: the whole one, else one that begins so."""
    try:
        return knowledge.entity(words)
    except UserMistake:
        found = knowledge.named(words, 1)
        if found:
            return found[0]
        raise UserMistake(
            N_("The knowledge graph has no entity {words}."),
            N_("Write an id or a name of it, or leave it empty."),
            words=words[:60],
        ) from None


def _words_of(request: EntitiesRequest, mention: Mention) -> str:
    return (request.text, request.pair or "")[mention.part][mention.start : mention.end]


def _namesakes(knowledge: Knowledge, words: str) -> tuple[Mention, ...]:
    linked = knowledge.link(words)
    every = (*linked.mentions, *linked.overlapped)
    return tuple(one for one in every if one.end - one.start == len(words))


def _named(
    knowledge: Knowledge, request: EntitiesRequest, linked: EntityLinks, encoded: Encoded
) -> tuple[NamedEntity, ...]:
    """The text's entities with their names, tokens and namesakes."""
    found = []
    for mention in linked.mentions:
        called = (one.entity for one in _namesakes(knowledge, _words_of(request, mention)))
        same = [one for one in dict.fromkeys(called) if one != mention.entity]
        position = next(
            (
                place
                for place, token in enumerate(encoded.tokens)
                if not token.special
                and token.part == mention.part
                and token.start < mention.end
                and mention.start < token.end
            ),
            None,
        )
        found.append(
            NamedEntity(
                mention,
                knowledge.entity(mention.entity),
                position,
                tuple(knowledge.entity(one) for one in same[:NAMESAKES]),
            )
        )
    return tuple(found)


def _shorter(knowledge: Knowledge, linked: EntityLinks) -> tuple[tuple[Mention, str], ...]:
    """Names inside longer ones, and all names where none is taken."""
    whole = {(one.part, one.start, one.end) for one in linked.mentions}
    some = [one for one in linked.overlapped if (one.part, one.start, one.end) not in whole]
    return tuple((one, knowledge.entity(one.entity).name) for one in some[:SHORTER])


def _moved(fused: EntityStates, plain: EntityStates) -> Floats:
    """How far every state is from the one without entities, as a share of that one's length."""
    far = (fused.states - plain.states).norm(dim=-1)
    share: Floats = (far / plain.states.norm(dim=-1).clamp(min=1e-12)).cpu().numpy()
    return share.astype(np.float32)


def _counted(fused: dict[Version, EntityStates]) -> tuple[int, ...]:
    return tuple(sorted({place for one in fused.values() for place in one.counted}))


def _attention(one: EntityStates, every: dict[Version, EntityStates]) -> Floats | None:
    """Entities' attention among the tokens that any version lets them look at."""
    import torch

    if not one.attention:
        return None
    places = list(_counted(every))
    layers = [one.attention[layer][:, places][:, :, places] for layer in sorted(one.attention)]
    kept: Floats = torch.stack(layers).cpu().numpy().astype(np.float32)
    return kept


def _told(
    knowledge: Knowledge,
    named: Sequence[NamedEntity],
    other: Entity | None,
    inputs: Sequence[Encoded],
    context: Context,
) -> tuple[EntityProbabilities, ...]:
    """What the head for entities says at each mention, of entities that might be meant there."""
    if not knowledge.tells_entities:
        return ()
    found = []
    for one in named:
        if one.position is None:
            continue
        among = dict.fromkeys(
            (one.entity, *([other] if other else ()), *(x.entity for x in named), *one.namesakes)
        )
        candidates = tuple(among)[:CANDIDATES]
        rows = [
            knowledge.entity_logits(
                encoded, (one.position,), [who.id for who in candidates], context
            )[0].softmax(-1)
            for encoded in inputs
        ]
        chances = np.stack([row.cpu().numpy() for row in rows]).astype(np.float32)
        found.append(EntityProbabilities(one.position, candidates, chances))
    return tuple(found)


def _classed(
    model: LoadedModel,
    text: str,
    chosen: int | None,
    beside: Mapping[Version, tuple[Mention, ...]],
    context: Context,
) -> tuple[Classed, ...]:
    """What heads for tasks say of the chosen entity, and of it and the next one.

    Args:
        model: Who was fine-tuned, or not.
        text: Of which only the first of a pair is read, as in fine-tuning.
        chosen: Which of the mentions.
        beside: The entities of each version.
        context: Cancels.
    """
    knowledge = model.port(Knowledge)
    mentions = [one for one in beside.get(Version.WITH, ()) if one.part == 0]
    if chosen is None or chosen >= len(mentions):
        return ()
    own = mentions[chosen]
    other = mentions[(chosen + 1) % len(mentions)]
    found = []
    if knowledge.types:
        marks: list[tuple[Mention, str]] = [(own, ENTITY)]
        found.append(("types", knowledge.types, marks, knowledge.type_logits))
    if knowledge.relations and other is not own:
        marks = [(own, HEAD), (other, TAIL)]
        found.append(("relations", knowledge.relations, marks, knowledge.relation_logits))
    classed = []
    for what, labels, marks, logits_of in found:
        rows = []
        for some in beside.values():
            words, moved = marked(text, marks, [one for one in some if one.part == 0])
            logits = logits_of(model.encode(words, entities=moved), context)
            rows.append(logits.sigmoid() if what == "types" else logits.softmax(-1))
        chances = np.stack([row.cpu().numpy() for row in rows]).astype(np.float32)
        best = np.argsort(-chances[0], kind="stable")[:CLASSES]
        marked_text, _moved_mentions = marked(text, marks, ())
        names = tuple(labels[at] for at in best)
        classed.append(Classed(what, marked_text, names, chances[:, best]))
    return tuple(classed)
