"""Entities of a knowledge graph: where a text names them, and what a model does with them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from explorer.api.context import Context
from explorer.api.encoded import Encoded
from explorer.api.mentions import Mention
from explorer.api.question.options.asks import Asks


@dataclass(frozen=True, kw_only=True)
class ReadsEntities(Asks):
    """A request about a text, whose entities are put beside its words.

    Models that read no entities answer as without.

    Attributes:
        entities: Where the text names an entity, and which; BY_NAME to find them.
    """

    entities: tuple[Mention, ...] = ()

    def __post_init__(self) -> None:
        """Leave the default to the class, so that most requests are written as they always were."""
        if not self.entities:
            self.__dict__.pop("entities", None)


@dataclass(frozen=True, kw_only=True)
class QuotesEntities(ReadsEntities):
    """A request of which models read sentences each on its own, or its text in a longer one.

    Entities stand beside those words alone, and beside no other text that is read on the way.
    """


Request = TypeVar("Request")


def with_entities(request: Request, entities: tuple[Mention, ...]) -> Request:
    """A request with the entities of the document that asks it, where it is about them.

    It may be asked of the first of two texts alone, or of another text altogether.
    """
    if not isinstance(request, ReadsEntities):
        return request
    texts = (getattr(request, "text", ""), getattr(request, "pair", None) or "")
    kept = tuple(one for one in entities if one.end <= len(texts[one.part]))
    return replace(request, entities=kept) if kept != request.entities else request


@dataclass(frozen=True)
class Entity:
    """An entity of a graph.

    Attributes:
        id: "Q937".
        name: "Albert Einstein"; the id where the graph gives no name.
    """

    id: str
    name: str


@dataclass(frozen=True)
class EntityLinks:
    """The entities that a text names.

    Attributes:
        mentions: In reading order; none shares characters with another.
        overlapped: Names that share characters with a longer one, or name another entity with
            the same words.
    """

    mentions: tuple[Mention, ...]
    overlapped: tuple[Mention, ...] = ()


@dataclass(frozen=True)
class EntityStates:
    """One run of a model that reads entities beside a text; torch tensors, float32.

    Attributes:
        states: Of every token, the embeddings' and behind each layer (layers + 1 x tokens x
            width).
        entity_states: Of every token's entity behind each layer (layers x tokens x their width).
        kinds: What each layer is: "sim" reads no entity, "mix" fuses, "norm" attends and fuses.
        attention: By layer, where entities attend to entities (heads x tokens x tokens).
        counted: Positions that entities may look at.
    """

    states: Any
    entity_states: Any
    kinds: tuple[str, ...]
    attention: dict[int, Any]
    counted: tuple[int, ...]


class Knowledge(Protocol):
    """Reads entities of a knowledge graph beside the words.

    `LoadedModel.encode` of such a model takes `entities`, a sequence of `Mention`.

    Attributes:
        graph: What tells its table of entities from others, 32 hexadecimal digits.
        count: Entities in it.
        tells_entities: Whether it has a head that says which entity a token is about.
        types: Names of what entities may be, where it was fine-tuned to type them; () without.
        relations: Names of what may hold between two, where it was fine-tuned for that; ().
    """

    graph: str
    count: int
    tells_entities: bool
    types: tuple[str, ...]
    relations: tuple[str, ...]

    def link(self, text: str, pair: str | None = None) -> EntityLinks:
        """Entities whose names stand in a text, the longest names first."""

    def entity(self, entity: str) -> Entity:
        """One entity, by its id or its whole name.

        Raises:
            UserMistake: The graph has none of this id.
        """

    def named(self, beginning: str, most: int) -> tuple[Entity, ...]:
        """Entities whose names begin so."""

    def fused(self, encoded: Encoded, context: Context) -> EntityStates:
        """Run the model once and keep what its layers give."""

    def entity_logits(
        self, encoded: Encoded, positions: Sequence[int], ids: Sequence[str], context: Context
    ) -> Any:
        """Logits of entities at some tokens (positions x ids), float32.

        Raises:
            Unavailable: There is no head for it.
            UserMistake: The graph has none of an id.
        """

    def type_logits(self, encoded: Encoded, context: Context) -> Any:
        """A logit a type of the entity that the text marks: a tensor (types), float32."""

    def relation_logits(self, encoded: Encoded, context: Context) -> Any:
        """A logit a relation of the two entities that the text marks: a tensor (relations)."""
