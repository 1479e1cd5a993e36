"""The relations of a knowledge graph, merged as KagNet merges those of ConceptNet.

Lin et al. 2019, in the authors' `merge_relation.txt`: of 42 kinds 17 are left, in this order, and a
few are turned around, as "has a" into "part of". Whatever is not named here is no common-sense
relation, as the links between languages, and is left out of ConceptNet.
"""

from __future__ import annotations

from typing import Final

from explorer.text import N_

MERGED: Final = {
    "antonym": ("distinctfrom",),
    "atlocation": ("locatednear",),
    "capableof": (),
    "causes": ("causesdesire", "*motivatedbygoal"),
    "createdby": (),
    "isa": ("instanceof", "definedas"),
    "desires": (),
    "hassubevent": (
        "hasfirstsubevent", "haslastsubevent", "hasprerequisite", "entails", "mannerof",
    ),
    "partof": ("*hasa",),
    "hascontext": (),
    "hasproperty": (),
    "madeof": (),
    "notcapableof": (),
    "notdesires": (),
    "receivesaction": (),
    "relatedto": ("similarto", "synonym"),
    "usedfor": (),
}  # fmt: skip
"""What is merged into each; a star turns head and tail around."""

RELATIONS: Final = tuple(MERGED)
"""In the order of their numbers, as the authors' vectors have them."""

SAID: Final = {
    "antonym": N_("opposite of"),
    "atlocation": N_("found at"),
    "capableof": N_("can"),
    "causes": N_("causes"),
    "createdby": N_("created by"),
    "isa": N_("is a"),
    "desires": N_("desires"),
    "hassubevent": N_("includes"),
    "partof": N_("part of"),
    "hascontext": N_("of the field"),
    "hasproperty": N_("is"),
    "madeof": N_("made of"),
    "notcapableof": N_("can't"),
    "notdesires": N_("does not desire"),
    "receivesaction": N_("receives"),
    "relatedto": N_("related to"),
    "usedfor": N_("used for"),
}
"""As a person reads them, from head to tail."""

DROPPED: Final = "hascontext"
"""Edges that no path goes along: they name the field of a word."""

SYMMETRIC: Final = ("antonym", "relatedto")
"""Alike in both directions."""

LESS: Final = 0.3
"""What is taken off the weights of the symmetric ones: they say little."""

_INTO: Final = {
    **{name: (name, False) for name in MERGED},
    **{
        one.removeprefix("*"): (name, one.startswith("*"))
        for name, others in MERGED.items()
        for one in others
    },
}


def merged(name: str) -> tuple[str, bool] | None:
    """What a relation is merged into, and whether head and tail are turned around.

    Args:
        name: As ConceptNet writes it ("/r/UsedFor"), or a person ("used for", "UsedFor").

    Returns:
        None for one that is merged into none of the seventeen.
    """
    return _INTO.get(plain(name))


def plain(name: str) -> str:
    """A relation's name in lower case, without what stands around it."""
    plain = name.removeprefix("/r/").lower()
    return plain.replace(" ", "").replace("_", "").replace("-", "")
