"""The graph that comes with the program: what the tables of the small world say, as triples.

The tables are those that its grammar writes texts from (`explorer.world`), so the graph knows what
the texts tell, and nothing besides. Weights are the tables' own.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final

from explorer.knowledge.graph import KnowledgeGraph
from explorer.knowledge.relations import RELATIONS, merged
from explorer.text import N_
from explorer.world.scenes.reasons import DIGGING, PURPOSES
from explorer.world.tables import (
    ACTIVITIES,
    ANIMALS,
    COLORS,
    KINDS,
    OBJECT_KINDS,
    OPPOSITES,
)

NAME: Final = N_("The small world")
_KINDS_OF_OBJECTS: Final = ("food", "building", "vehicle", "plant", "animal")
"""Kinds of what is worked on that are words themselves."""

Triple = tuple[str, str, str, float]


@functools.cache
def small_world_graph() -> KnowledgeGraph:
    """Jobs, what they do, to what, where and with what; animals, colours, kinds, opposites."""
    triples = []
    for head, relation, tail, weight in _told():
        into = merged(relation)
        assert into is not None, relation
        name, turned = into
        triples.append((tail, name, head, weight) if turned else (head, name, tail, weight))
    return KnowledgeGraph.of(NAME, triples, RELATIONS)


def _told() -> Iterator[Triple]:
    """Triples with ConceptNet's relations, before they are merged."""
    for one in ACTIVITIES:
        yield one.job, "CapableOf", one.verb, max(weight for weight, _ in one.objects)
        for weight, thing in one.objects:
            yield thing, "ReceivesAction", one.verb, weight
        for weight, tool in one.tools:
            yield tool, "UsedFor", one.verb, weight
        for share, place in one.places:
            yield one.job, "AtLocation", place, share
            for weight, tool in one.tools:
                yield tool, "AtLocation", place, min(weight, share)
            for weight, thing in one.objects:
                yield thing, "AtLocation", place, min(weight, share)
    yield from _digging()
    yield from _facts()


def _digging() -> Iterator[Triple]:
    """What the ground is dug for, and with what."""
    verb, thing = DIGGING
    yield thing, "ReceivesAction", verb, 1.0
    for weight, plans, tools in PURPOSES:
        for plan in plans:
            purpose = plan.split(" ")[0]
            yield purpose, "HasPrerequisite", verb, weight
            for fit, tool in tools:
                yield tool, "UsedFor", purpose, fit
        for fit, tool in tools:
            yield tool, "UsedFor", verb, fit


def _facts() -> Iterator[Triple]:
    """What everybody knows."""
    for kind, things in KINDS.items():
        for thing in things:
            yield thing, "IsA", kind, 1.0
    for thing, kind in OBJECT_KINDS.items():
        if kind in _KINDS_OF_OBJECTS and thing != kind:
            yield thing, "IsA", kind, 1.0
    for animal, sound, food, place, _, ability in ANIMALS:
        yield animal, "CapableOf", sound, 1.0
        yield animal, "CapableOf", ability, 1.0
        yield animal, "Desires", food, 1.0
        yield animal, "AtLocation", place, 1.0
    for thing, colors in COLORS.items():
        for weight, color in colors:
            yield thing, "HasProperty", color, weight
    for one, other, _ in OPPOSITES:
        yield one, "Antonym", other, 1.0
