"""What to look at first: what the text's entities, or another one, change most."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.api.question import (
    Headline,
    MaskPredictions,
    Prediction,
    alone,
    beyond,
    largest_cell,
    layer_phrase,
    row_name,
)
from explorer.questions.knowledge.entities.question import EntitiesResult, Version, VersionAnswer
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import percent
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import drawn

SMALL = 0.05
"""A difference that does not stand out."""


@dataclass(frozen=True)
class VersionChange:
    """What one thing has beside the text's entities and in another version.

    Attributes:
        far: How far both are apart at least.
        what: The word, the entity or the class.
        own: With the text's entities.
        its: In the other version.
        version: Which that is.
        position: The token; None for the whole text.
    """

    far: float
    what: str
    own: str
    its: str
    version: Version
    position: int | None


def headline(result: EntitiesResult) -> Headline:
    """Of words at masks, else of a head's verdicts, else of states."""
    own = result.version(Version.WITH)
    if own is None:
        return Headline(NOTHING)
    changes = list(_of_words(result, own)) or list(_of_heads(result))
    if not changes:
        return _of_states(result, own)
    most = max(changes, key=lambda one: one.far)
    values = {"what": most.what, "own": most.own, "its": most.its}
    if most.far < SMALL:
        return Headline()
    if most.version is Version.WITHOUT:
        code = N_("“{what}” changes most: {own} with the entities of the text, {its} without any.")
    else:
        code = N_("“{what}” changes most: {own} with {name}, but {its} with {other} instead.")
        values |= _exchanged(result)
    strength = beyond(most.far, SMALL, 1.0)
    return Headline(Phrase(code, **values), most.position, strength=strength)


def _exchanged(result: EntitiesResult) -> dict[str, str]:
    assert result.exchanged is not None
    assert result.other is not None
    return {"name": result.named[result.exchanged].entity.name, "other": result.other.name}


def _of_words(result: EntitiesResult, own: VersionAnswer) -> Iterator[VersionChange]:
    """Words at masks; of a word that a version does not list the most that it can have is told."""
    for one in result.versions:
        if one is own:
            continue
        for mine, its in zip(own.masks, one.masks, strict=True):
            left, right = _listed(mine), _listed(its)
            words = {**right, **left}
            for key, word in words.items():
                first, second = left.get(key), right.get(key)
                before = first.probability if first else mine.predictions[-1].probability
                after = second.probability if second else its.predictions[-1].probability
                far = abs(before - after) if first and second else _at_least(first, before, after)
                told = (_share(before, first is not None), _share(after, second is not None))
                yield VersionChange(far, drawn(word), *told, one.version, mine.position)


def _at_least(first: Prediction | None, before: float, after: float) -> float:
    """How far apart they are where one of them is only known to be no more than that."""
    return max(0.0, before - after if first is not None else after - before)


def _listed(mask: MaskPredictions) -> Mapping[tuple[int, ...], Prediction]:
    every = mask.predictions if mask.original is None else (*mask.predictions, mask.original)
    return {one.ids or (one.id,): one for one in every}


def _share(chance: float, known: bool) -> str:
    share = in_percent(chance)
    return share if known else Phrase(N_("at most {share}"), share=share)


def _of_heads(result: EntitiesResult) -> Iterator[VersionChange]:
    order = [one.version for one in result.versions]
    for told in result.told:
        names = [who.name for who in told.candidates]
        yield from _of_rows(names, told.probabilities, order, told.position)
    for classed in result.classed:
        yield from _of_rows(classed.labels, classed.probabilities, order, None)


def _of_rows(
    names: Sequence[str],
    chances: np.ndarray[tuple[int, ...], np.dtype[np.float32]],
    order: Sequence[Version],
    position: int | None,
) -> Iterator[VersionChange]:
    own = chances[order.index(Version.WITH)]
    for version, row in zip(order, chances, strict=True):
        if version is not Version.WITH:
            for name, mine, its in zip(names, own.tolist(), row.tolist(), strict=True):
                told = (in_percent(mine), in_percent(its))
                yield VersionChange(abs(mine - its), name, *told, version, position)


def _of_states(result: EntitiesResult, own: VersionAnswer) -> Headline:
    if own.moved is None or not own.moved.size:
        return Headline(NOTHING)
    row, place = largest_cell(own.moved)
    far = float(own.moved[row, place])
    if far < SMALL:
        return Headline()
    code = N_(
        "Entities move the state of “{token}” most: in {layer}, by {share} of the length that it "
        "has without them."
    )
    values = {
        "token": alone(result.tokens[place]),
        "layer": layer_phrase(row_name(row)),
        "share": percent(far),
    }
    return Headline(Phrase(code, **values), place, strength=beyond(far, SMALL))
