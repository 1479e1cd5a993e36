"""What does the model make of a text with its entities, without them, and with another one?"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    MODEL,
    TOKENS,
    Cell,
    Choice,
    Entity,
    Entry,
    Knowledge,
    LayersFrom0,
    LeftOut,
    Listing,
    MaskPredictions,
    Mention,
    ModelStamp,
    Question,
    ReadsEntities,
    Switch,
    Table,
    Token,
    Topic,
    Whole,
    Words,
    a_text,
    asked,
    check_text,
    check_top_k,
    column,
    row_name,
    spaces_stay_visible,
)
from explorer.document import Mask
from explorer.text import N_

NAMESAKES = 12
"""Entities of the same name that an answer tells of."""
CANDIDATES = 50
"""Entities that the head for entities chooses among, at most."""

Floats = NDArray[np.float32]


class Version(enum.StrEnum):
    """What stands beside the words."""

    WITH = "with"
    """The entities that the text names."""
    WITHOUT = "without"
    """None."""
    OTHER = "other"
    """The same, and another one in the place of one of them."""


MENTION = Whole(
    N_("Mention"),
    1,
    N_("Which of the text's entities is exchanged for another one, in reading order"),
    low=1,
    high=50,
)
OTHER = Words(
    N_("Replacement"),
    "",
    N_(
        "What replaces it: an id of the model's graph, or a name in it. Empty: "
        "another entity of the same name, or else of the text."
    ),
    placeholder=N_("Replacement entity"),
)
SHOWN_MOVES, SHOWN_OF = "moves", "attention"
SHOW = Choice(
    N_("Inside"),
    SHOWN_MOVES,
    redraws=True,
    entries=(
        Entry(SHOWN_MOVES, N_("Moved states"), N_("How far entities move the states of tokens")),
        Entry(SHOWN_OF, N_("Entity attention"), N_("Which entities entities look at")),
    ),
    key="entities.show",
)


@dataclass(frozen=True)
class EntitiesRequest(ReadsEntities):
    """Ask about a text with its entities, without, and with another one.

    The entities that it is asked with are those that were given, or those whose names stand in the
    text.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    match: bool = asked(
        Switch(
            N_("Find names"),
            True,
            N_("Where no entity was put on the text, those are taken whose names are in it"),
        )
    )
    mention: int = asked(MENTION)
    other: str = asked(OTHER)
    top_k: int = 10


@dataclass(frozen=True)
class NamedEntity:
    """An entity that the text names.

    Attributes:
        mention: Where, and which.
        entity: With its name.
        position: The token that it is put beside; None where that did not fit into the model.
        namesakes: Others with this name in the graph, some of them.
    """

    mention: Mention
    entity: Entity
    position: int | None
    namesakes: tuple[Entity, ...] = ()


@dataclass(frozen=True)
class EntityProbabilities:
    """What the head for entities says at one mention.

    Attributes:
        position: The token.
        candidates: Among which it chooses.
        probabilities: A row a version, in the order of the answer's; a column a candidate.
    """

    position: int
    candidates: tuple[Entity, ...]
    probabilities: Floats


@dataclass(frozen=True)
class Classed:
    """What a head that was put on for a task says of marked entities.

    Attributes:
        what: "types" of one entity, each with a probability of its own, or "relations" of two, of
            which one holds.
        marked: The text as it was read, with the authors' marks.
        labels: The likeliest classes with the text's own entities.
        probabilities: A row a version, in the order of the answer's; a column a label.
    """

    what: str
    marked: str
    labels: tuple[str, ...]
    probabilities: Floats


@dataclass(frozen=True)
class VersionAnswer:
    """What came of one version.

    Attributes:
        version: Which one.
        masks: Predictions at each mask; none for a model without the head for it.
        moved: How far each token's state is from that without entities, as a share of its own
            length: layers + 1 x tokens; None for the version without.
        attention: Of the entities: a layer with such an attention x heads x counted x counted.
    """

    version: Version
    masks: tuple[MaskPredictions, ...]
    moved: Floats | None = None
    attention: Floats | None = None


@dataclass(frozen=True)
class EntitiesResult:
    """The versions beside each other.

    Attributes:
        model: Who answers.
        tokens: The input as the model saw it.
        graph: What tells its table of entities from others.
        known: Entities in it.
        found: The text's entities were found by their names, and not put there by hand.
        named: The text's entities, in reading order.
        overlapped: Shorter names, with the names of their entities: some of those that share
            characters with one that was taken.
        exchanged: Which of the named ones is exchanged, from 0; None where there is none.
        other: For which.
        versions: Without, and where the text names any, with and with the other.
        kinds: What each layer is: "sim", "mix" or "norm".
        layers: Numbers of the layers in which entities attend, from 0.
        counted: Tokens that entities may look at.
        told: The entities' head at each mention; none for a model without one.
        left_out: What did not fit, or None.
        classed: What heads for tasks say of the text's entities; none for a model without them.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    graph: str
    known: int
    found: bool
    named: tuple[NamedEntity, ...]
    overlapped: tuple[tuple[Mention, str], ...]
    exchanged: int | None
    other: Entity | None
    versions: tuple[VersionAnswer, ...]
    kinds: tuple[str, ...]
    layers: tuple[int, ...]
    counted: tuple[int, ...]
    told: tuple[EntityProbabilities, ...] = ()
    left_out: LeftOut | None = None
    classed: tuple[Classed, ...] = ()

    def version(self, version: Version) -> VersionAnswer | None:
        """One of them; None where the text names no entity."""
        return next((one for one in self.versions if one.version is version), None)


def check(request: EntitiesRequest) -> None:
    """Refuse what can't be answered by any model.

    Raises:
        UserMistake: The text is empty, or no prediction is asked for.
    """
    check_text(request.text)
    check_top_k(request.top_k)


@dataclass(frozen=True)
class EntityRow:
    """What is said of a word, an entity or a class, or how far a state moves."""

    what: str = column(N_("what"), key=True)
    version: str = column(N_("version"), key=True)
    position: int | None = column(N_("position"), key=True, place=TOKENS)
    layer: str | None = column(N_("layer"), key=True)
    rank: int | None = column(N_("rank"), compared=False)
    word: str = column(N_("word"), key=True)
    entity: str | None = column(N_("entity"), key=True)
    value: float = column(N_("value"), digits=4)


def table(result: EntitiesResult) -> Table:
    """Predictions, what the head for entities says, and how far states move; a row each."""
    rows: list[tuple[Any, ...]] = []
    for one in result.versions:
        version = one.version.value
        rows += [
            ("word", version, mask.position, None, best.rank, best.word, None, best.probability)
            for mask in one.masks
            for best in mask.predictions
        ]
    for told in result.told:
        rows += [
            ("entity", one.version.value, told.position, None, None, who.name, who.id, float(p))
            for one, row in zip(result.versions, told.probabilities, strict=True)
            for who, p in zip(told.candidates, row, strict=True)
        ]
    for classed in result.classed:
        rows += [
            (classed.what, one.version.value, None, None, None, label, None, float(p))
            for one, row in zip(result.versions, classed.probabilities, strict=True)
            for label, p in zip(classed.labels, row, strict=True)
        ]
    for one in result.versions:
        if one.moved is not None:
            names = map(row_name, range(len(one.moved)))
            rows += [
                ("moved", one.version.value, position, layer, None, token.text, None, float(far))
                for layer, places in zip(names, one.moved, strict=True)
                for position, (token, far) in enumerate(zip(result.tokens, places, strict=True))
            ]
    return Table.of(EntityRow, (EntityRow(*row) for row in rows))


def derived(result: EntitiesResult) -> Mapping[str, Any]:
    """The likeliest word of each version at each mask, by position."""
    return {
        "best": {
            one.version.value: {str(mask.position): mask.predictions[0].word for mask in one.masks}
            for one in result.versions
        }
    }


COLUMN_TITLES = {
    "entities": N_("entities"),
    "with": N_("with entities"),
    "probability with": N_("probability with them"),
    "without": N_("without entities"),
    "probability without": N_("probability without them"),
    "other": N_("with another entity"),
    "probability other": N_("probability with another"),
    "moved": N_("moved states"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: EntitiesResult) -> dict[str, Cell]:
    """How many entities the text names, and the best word at the first mask of each version."""
    cells: dict[str, Cell] = {"entities": len(result.named)}
    for version in Version:
        one = result.version(version)
        best = one.masks[0].predictions[0] if one is not None and one.masks else None
        cells[version.value] = best.word if best is not None else None
        cells[f"probability {version.value}"] = best.probability if best is not None else None
    moved = one.moved if (one := result.version(Version.WITH)) is not None else None
    cells["moved"] = None if moved is None else float(moved[-1].mean())
    return cells


QUESTION = Question(
    name="entities",
    title=N_("Entities"),
    asks=N_("How do entities change the prediction?"),
    listing=Listing(Topic.KNOWLEDGE, 1, "graph-outline", in_overview=4),
    found_by=("knowledge graph", "ERNIE", "entity linking", "TransE", "지식 그래프", "개체"),
    request=EntitiesRequest,
    result=EntitiesResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    derived=derived,
    options=(SHOW,),
    conditions=(
        a_text(
            N_("Type a sentence that names an entity of the graph, as “Anna used a hammer” does.")
        ),
    ),
    roles={MODEL: (Knowledge,)},
    upgrades=(spaces_stay_visible, LayersFrom0()),
)
