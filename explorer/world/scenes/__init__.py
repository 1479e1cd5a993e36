"""What the documents are about: one file a subject, each a book of rules.

``DOCUMENT_KINDS`` says how often each is written. The grammar is made once, on first use.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Final

from explorer.world.grammar import Grammar, RuleBook
from explorer.world.scenes import everyday, films, knowledge, nouns, order, people, reasons, work

DOCUMENT_KINDS: Final[tuple[tuple[float, str], ...]] = (
    (23.0, "<work>"),
    (2.0, "<tools_asked>"),
    (16.0, "<film_review>"),
    (1.0, "<film_asked>"),
    (4.0, "<day_order>"),
    (2.5, "<month_order>"),
    (5.5, "<number_order>"),
    (4.5, "<opposites>"),
    (9.0, "<known_person>"),
    (4.0, "<relatives>"),
    (8.0, "<between_people>"),
    (5.0, "<meal_time>"),
    (6.0, "<cause_and_effect>"),
    (5.0, "<digging>"),
    (6.0, "<steps_in_order>"),
    (3.0, "<animal_facts>"),
    (2.0, "<color_facts>"),
    (3.0, "<kind_facts>"),
    (2.0, "<season_facts>"),
    (2.5, "<deep_and_learning>"),
)

# Symbols that stand for things of the world: an entity is a node of one of these.
ENTITY_RULES: Final = frozenset({"noun", "nouns", "full_name", "first_name"})


def document() -> Iterable[tuple[float, str]]:
    """A document is about one subject."""
    return DOCUMENT_KINDS


@functools.cache
def small_world() -> Grammar:
    """The grammar of the small world."""
    rules = RuleBook()
    rules(document)
    for scene in (nouns, work, films, order, people, everyday, reasons, knowledge):
        for rule in scene.rules.values():
            rules(rule)
    return Grammar(rules)
