"""The three answers beside each other, and what the heads for entities say."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.api.question import (
    TOKENS,
    Cards,
    Changes,
    Choices,
    Entity,
    Manner,
    Mention,
    OneCard,
    OneChoice,
    OwnPicture,
    Predictions,
    Ranked,
    RowLook,
    Said,
    Sentence,
    Sets,
    column,
    sets,
)
from explorer.api.question.parts.gestures import Where
from explorer.document import Document, Mask
from explorer.questions.knowledge.entities.question import (
    MENTION,
    OTHER,
    Classed,
    EntitiesRequest,
    EntitiesResult,
    EntityProbabilities,
    Floats,
    NamedEntity,
    Version,
)
from explorer.text import N_, NN_, Phrase, verbatim
from explorer.text.formatting.probabilities import in_digits

ORDER = (Version.WITH, Version.WITHOUT, Version.OTHER)
INSIDE = "inside"
"""What the page paints: how far states move, or which entities entities look at."""
LISTED = 10
"""Entities that have a row among those of a mention."""

NO_NAMES = N_(
    "No name of the model's graph is in this text. Choose words of the sentence "
    "and put an entity on them, with E or from their menu."
)
NOT_MATCHED = N_("No entity is put on the text, and names are not looked for.")
TOLD = N_(
    "Which entity the model takes the word for, by its last state, among these: "
    "those of the text, the other one, and some of the same name."
)


@dataclass(frozen=True)
class SeenName:
    """An entity that the text names, as it is read."""

    words: str = column(N_("words"), compared=False)
    entity: str = column(N_("entity"))
    id: str = column(N_("id"), key=True)
    others: str = column(N_("others of this name"), dispensable=True)


@dataclass(frozen=True)
class Chances:
    """An entity or a class, and its probability in each version of the text."""

    name: str = column(N_("name"), key=True)
    own: float | None = column(N_("with"), written=in_digits)
    without: float | None = column(N_("without"), written=in_digits)
    other: float | None = column(N_("other"), written=in_digits)
    what: str = column(N_("what"), key=True, shown=False)
    id: str = column(N_("id"), key=True, shown=False)
    position: int | None = column(N_("position"), key=True, place=TOKENS, shown=False)


FIELDS = {Version.WITH: "own", Version.WITHOUT: "without", Version.OTHER: "other"}

COLOURS = {Version.WITH: "bar", Version.WITHOUT: "bar_original", Version.OTHER: "bar_second"}

Shown = Sentence | Said | Ranked | Choices | Predictions | Cards | OwnPicture


def parts(result: EntitiesResult, request: EntitiesRequest | None = None) -> Iterator[Shown]:
    """Who is named, the predictions beside each other, the heads for entities, and the inside.

    Args:
        result: The answer.
        request: What was asked; None where that is not known.
    """
    yield Sentence(result.tokens, only_alone=True)
    yield from _named(result, request)
    answered = [one for version in ORDER if (one := result.version(version)) is not None]
    both = [
        (mask, (one.version.value, title_of(result, one.version)))
        for masks in zip(*(one.masks for one in answered), strict=True)
        for mask, one in zip(masks, answered, strict=True)
    ]
    if both:
        masks, versions = zip(*both, strict=True)
        yield Predictions(result.tokens, masks, versions)
    if result.told:
        yield Said(N_("Which entity is it?"), Manner.TITLE)
        yield Said(TOLD, Manner.EXPLANATION, near=True)
        yield Cards(tuple(_told_card(result, one) for one in result.told))
    if result.classed:
        yield Cards(tuple(_classed_card(result, one) for one in result.classed))
    if result.version(Version.WITH) is not None:
        yield OwnPicture(INSIDE)


def title_of(result: EntitiesResult, version: Version) -> Phrase:
    """What a version is called."""
    if version is Version.WITHOUT:
        return Phrase(N_("Without entities"))
    if version is Version.OTHER and result.other is not None:
        return Phrase(N_("With {name} instead"), name=result.other.name)
    names = ", ".join(one.entity.name for one in result.named)
    return Phrase(N_("With {names}"), names=names)


def _words(request: EntitiesRequest | None, mention: Mention, name: str) -> str:
    """The characters of a mention; the entity's name where they are not known."""
    if request is None:
        return name
    return ((request.pair or "") if mention.part else request.text)[mention.start : mention.end]


# ---- who is named ----------------------------------------------------------------------------


def _named(
    result: EntitiesResult, request: EntitiesRequest | None
) -> Iterator[Said | Ranked | Choices]:
    if not result.named:
        yield Said(NO_NAMES if request is None or request.match else NOT_MATCHED)
    else:
        yield Said(_source_said(result))
        yield _names(result)
        yield Choices(tuple(_actions(result, request)))
        yield Choices(tuple(_namesakes(result)), N_("Compare with:"), on_paper=True)
    if result.overlapped:
        names = [f"{_words(request, one, name)} ({name})" for one, name in result.overlapped]
        code = N_("Names inside longer ones, which are not taken: {names}")
        yield Said(Phrase(code, names=", ".join(names)))


def _source_said(result: EntitiesResult) -> Phrase:
    by_name = NN_(
        "{count} entity found by its name, among {known} of the model's graph.",
        "{count} entities found by their names, among {known} of the model's graph.",
    )
    by_hand = NN_(
        "{count} entity put on the text by hand, of {known} in the model's graph.",
        "{count} entities put on the text by hand, of {known} in the model's graph.",
    )
    code = by_name if result.found else by_hand
    return Phrase(code, count=len(result.named), known=f"{result.known:,}")


def _names(result: EntitiesResult) -> Ranked:
    """A row an entity of the text; choosing one exchanges it for another."""
    rows = tuple(
        SeenName("", one.entity.name, one.entity.id, _others(one.namesakes)) for one in result.named
    )

    def look(row: SeenName) -> RowLook:
        at = _number(rows, row)
        place = result.named[at].mention
        return RowLook(
            Mask(place.start, place.end, place.part),
            tag=N_("exchanged") if at == result.exchanged else "",
            words=(N_("Choose it to exchange this one for another."),),
            key=("mention", at),
        )

    return Ranked(
        SeenName,
        rows,
        gesture=lambda row: sets(MENTION, _number(rows, row) + 1, N_("exchange another entity")),
        in_files=False,
        look=look,
        name=N_("Entities of the text"),
    )


def _number(rows: Sequence[Any], row: Any) -> int:
    """Which row it is, whatever others are like it."""
    return next(n for n, one in enumerate(rows) if one is row)


def _others(namesakes: Sequence[Entity]) -> str:
    names = ", ".join(who.name for who in namesakes[:3])
    return f"{names} …" if len(namesakes) > 3 else names


def _actions(result: EntitiesResult, request: EntitiesRequest | None) -> Iterator[OneChoice]:
    """What can be done with the entities: keep them for every question, or take one away."""
    if result.found:
        yield OneChoice(
            N_("Use for all pages"),
            Changes(_putting(result.named), N_("put entities on the text")),
            tip=N_("Every question is then asked with these entities"),
            key=("entities", "put"),
        )
    if result.exchanged is not None and not result.found:
        own = result.named[result.exchanged]
        words = _words(request, own.mention, own.entity.name)
        yield OneChoice(
            Phrase(N_("Remove from {words}"), words=words),
            Changes(_taking(own), Phrase(N_("take the entity from {words}"), words=words)),
            tip=N_("The words are then read without an entity"),
            key=("entities", "remove"),
        )


def _namesakes(result: EntitiesResult) -> Iterator[OneChoice]:
    """The entities of the same name, of which one is compared with."""
    if result.exchanged is None:
        return
    own = result.named[result.exchanged]
    for who in own.namesakes[:8]:
        yield OneChoice(
            verbatim(who.name),
            _exchanging(who),
            chosen=result.other == who,
            tip=Phrase(N_("Put it in place of {name}"), name=own.entity.name),
            key=("other", who.id),
        )


def _exchanging(who: Entity) -> Sets:
    return sets(OTHER, who.id, Phrase(N_("compare with {name}"), name=who.name))


def _putting(named: Sequence[NamedEntity]) -> Any:
    def change(now: Document, where: Where) -> Document:
        for one in (some.mention for some in named):
            place = where(Mask(one.start, one.end, one.part))
            now = now.with_entity(replace(one, start=place.start, end=place.end))
        return now

    return change


def _taking(one: NamedEntity) -> Any:
    def change(now: Document, where: Where) -> Document:
        place = where(Mask(one.mention.start, one.mention.end, one.mention.part))
        return now.without_entity(place.start, place.end, place.part)

    return change


# ---- the heads for entities ------------------------------------------------------------------


def _told_card(result: EntitiesResult, told: EntityProbabilities) -> OneCard:
    word = result.tokens[told.position].text
    versions = [one.version for one in result.versions]
    first = next(versions.index(version) for version in ORDER if version in versions)
    order = np.argsort(-told.probabilities[first], kind="stable")
    rows = [
        _chances(result, told.probabilities[:, at], (who.name, "entity", who.id, told.position))
        for at in order.tolist()
        for who in (told.candidates[at],)
    ]
    name = Phrase(N_("Entities for {word}"), word=word)
    return OneCard(verbatim(word), (_table(result, rows, name),), position=told.position)


def _classed_card(result: EntitiesResult, classed: Classed) -> OneCard:
    """Types of the marked entity, or relations of two, as a fine-tuned head says."""
    title = N_("Types") if classed.what == "types" else N_("Relation")
    rows = [
        _chances(result, classed.probabilities[:, at], (label, classed.what, label, None))
        for at, label in enumerate(classed.labels)
    ]
    read = Phrase(N_("Read as: {text}"), text=classed.marked)
    return OneCard(title, (Said(read, near=True), _table(result, rows, title)))


def _chances(
    result: EntitiesResult, row: Floats, about: tuple[str, str, str, int | None]
) -> Chances:
    name, what, number, position = about
    known = {one.version: float(p) for one, p in zip(result.versions, row, strict=True)}
    own, without, other = (known.get(version) for version in ORDER)
    return Chances(name, own, without, other, what, number, position)


def _table(result: EntitiesResult, rows: Sequence[Chances], name: str) -> Ranked:
    """A bar a version."""
    known = [version for version in ORDER if result.version(version) is not None]
    return Ranked(
        Chances,
        tuple(rows),
        most=LISTED,
        bars={FIELDS[version]: COLOURS[version] for version in known},
        scale=(0.0, 1.0),
        in_files=False,
        look=lambda row: RowLook(words=(verbatim(row.name), verbatim(row.id))),
        hidden=tuple(field for one, field in FIELDS.items() if one not in known),
        name=name,
    )
