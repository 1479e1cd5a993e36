"""Where a text names an entity of a knowledge graph."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Mention:
    """Characters of a text that name an entity.

    Attributes:
        start: First character.
        end: One past the last character.
        entity: The entity's id in its graph, "Q937", or its whole name in it.
        part: 0 for the text, 1 for the second text of a pair.
    """

    start: int
    end: int
    entity: str
    part: int = 0

    def overlaps(self, other: "Mention") -> bool:
        """Whether both share characters."""
        return self.part == other.part and self.start < other.end and other.start < self.end


BY_NAME = (Mention(0, 0, ""),)
"""In the place of a text's entities: those whose names stand in it, found when it is read."""
