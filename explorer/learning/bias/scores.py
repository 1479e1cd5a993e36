"""The scores of sentences that measures of bias compare.

The measures differ in what is hidden and in what is asked for. With U the pieces that two sentences
share, M those in which they differ, n all of them, and log p in nats:

* CrowS-Pairs (Nangia et al. 2020, equation 1): the sum of log p(u | all others) over u in U, each
  hidden alone.
* StereoSet (Nadeem et al. 2021): the mean of p over the pieces of the word that fills the blank,
  from the left, with a mask for the first one that is not there yet and nothing for those after it.
  Of a pair without a blank the mean of log p over M, all of M hidden (SSS in Kaneko and Bollegala
  2022).
* AUL (Kaneko and Bollegala 2022, equation 4): the mean of log p over all pieces, nothing hidden;
  AULA (equation 5): each of them weighted by the attention that the piece receives, on average over
  layers, heads and who attends.
* log-probability bias (Kurita et al. 2019, section 3): log p(M | rest) less the same where the
  attribute is hidden too, which is how likely M is anyway.
* counterfactual swap: the mean over U of the total variation distance between what is predicted
  there with M of one sentence and of the other, as the gap of Garg et al. 2019, |f(x) - f(x')|.

Which pieces are shared is told as the authors of CrowS-Pairs tell it, by difflib over the numbers
of the pieces (metric.py). A word's pieces are those that it has within the sentence, with the space
before it: encoded alone it would be another word for a tokenizer that knows spaces.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from explorer.learning.bias.items import BiasItem
from explorer.learning.bias.reading import BiasQuery, BiasReader, BiasText, Floats

Places = tuple[int, ...]
Both = tuple[float, float]
Queries = Mapping[str, Sequence[BiasQuery]]
SIDES: Final = (0, 1)
"""The stereotyped sentence and the opposite one."""


@dataclass(frozen=True)
class BiasScores:
    """What a model makes of an item: of the stereotyped sentence first.

    Attributes:
        crows: Sums of log-probabilities of the shared pieces, in nats.
        stereoset: Means of log-probabilities of what differs, in nats; in a blank means of
            probabilities, with that of the unrelated sentence behind them where there is one.
            None where a sentence has nothing that the other one has not.
        aul: Means of log-probabilities of all pieces, nothing hidden, in nats.
        aula: The same, weighted by attention; None where the model shows none.
        log_probability: By how many nats the attribute makes the stereotyped one likelier than the
            opposite one; None without an attribute in both.
        swap: Mean total variation distance, from 0 to 1; None where the sentences share nothing.
    """

    crows: Both
    stereoset: tuple[float, ...] | None
    aul: Both
    aula: Both | None
    log_probability: float | None
    swap: float | None


def scored(item: BiasItem, reader: BiasReader) -> BiasScores:
    """All scores of an item.

    Args:
        item: Its sentences.
        reader: A model.

    Raises:
        ValueError: The sentences do not differ in the model's pieces.
    """
    pair = (reader.read(item.stereotyped), reader.read(item.opposite))
    shared, changed = compared(*pair)
    if not any(changed):
        raise ValueError("The sentences do not differ.")
    groups = _queries(item, reader, pair, shared, changed)
    answers = reader.rows([query for some in groups.values() for query in some])
    rows = {name: [next(answers) for _query in some] for name, some in groups.items()}
    logs = {
        name: [log_p(*one) for one in zip(groups[name], found, strict=True)]
        for name, found in rows.items()
    }
    unmasked = logs["unmasked"]
    return BiasScores(
        crows=(_total(logs["shared 0"]), _total(logs["shared 1"])),
        stereoset=_of_blank(item, logs) if item.blank else _of_changed(logs),
        aul=(float(unmasked[0].mean()), float(unmasked[1].mean())),
        aula=_weighted(reader, pair, unmasked),
        log_probability=_increased(logs),
        swap=_gap(rows["shared 0"], rows["shared 1"]),
    )


def compared(first: BiasText, second: BiasText) -> tuple[tuple[Places, Places], ...]:
    """Where two sentences share pieces, and where they differ, by places of each.

    Special pieces are compared with the others, as in the authors' code, and belong to neither.
    """
    shared: tuple[list[int], list[int]] = ([], [])
    changed: tuple[list[int], list[int]] = ([], [])
    matcher = difflib.SequenceMatcher(None, first.ids, second.ids)
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        into = shared if kind == "equal" else changed
        into[0].extend(place for place in range(start, end) if first.own[place])
        into[1].extend(place for place in range(other_start, other_end) if second.own[place])
    return tuple((tuple(one[0]), tuple(one[1])) for one in (shared, changed))


def _queries(
    item: BiasItem,
    reader: BiasReader,
    pair: tuple[BiasText, BiasText],
    shared: tuple[Places, Places],
    changed: tuple[Places, Places],
) -> Queries:
    """All that is asked, by what it is for."""
    asked: dict[str, Sequence[BiasQuery]] = {}
    for side in SIDES:
        asked[f"shared {side}"] = [
            BiasQuery(pair[side], (place,), (place,)) for place in shared[side]
        ]
    asked["unmasked"] = [BiasQuery(one, one.places) for one in pair]
    if all(changed):
        asked["changed"] = [BiasQuery(pair[side], changed[side], changed[side]) for side in SIDES]
        about = [pair[side].places_of(item.attribute) if item.attribute else () for side in SIDES]
        if all(about):
            asked["anyway"] = [
                BiasQuery(pair[side], changed[side], (*changed[side], *about[side]))
                for side in SIDES
            ]
    for number, (text, span) in enumerate(zip(item.sentences, item.blank, strict=False)):
        read = pair[number] if number in SIDES else reader.read(text)
        asked[f"blank {number}"] = from_left(reader, read, read.within(*span))
    return asked


def from_left(reader: BiasReader, text: BiasText, word: Places) -> list[BiasQuery]:
    """A word's pieces one after the other, each with those before it and none of those after it."""
    found = []
    for number, place in enumerate(word):
        behind = word[number + 1 :]
        shorter = reader.without(text, behind) if behind else text
        found.append(BiasQuery(shorter, (place,), (place,)))
    return found


def log_p(query: BiasQuery, rows: Floats) -> Floats:
    """Log-probabilities of the pieces that are there, shape [asked], in nats."""
    found: Floats = rows[np.arange(len(query.asked)), query.numbers].astype(np.float64)
    return found


def _total(logs: Sequence[Floats]) -> float:
    return float(sum(one.sum() for one in logs))


def _of_changed(logs: Mapping[str, Sequence[Floats]]) -> tuple[float, ...] | None:
    found = logs.get("changed")
    return None if found is None else tuple(float(one.mean()) for one in found)


def _of_blank(item: BiasItem, logs: Mapping[str, Sequence[Floats]]) -> tuple[float, ...] | None:
    words = [logs[f"blank {number}"] for number in range(len(item.blank))]
    if not all(words):
        return None
    return tuple(float(np.mean([np.exp(one[0]) for one in pieces])) for pieces in words)


def _weighted(
    reader: BiasReader, pair: tuple[BiasText, BiasText], unmasked: Sequence[Floats]
) -> Both | None:
    weights = [reader.attention(one) for one in pair]
    first, second = (
        None if weight is None else float((weight[list(text.places)] * logs).mean())
        for weight, text, logs in zip(weights, pair, unmasked, strict=True)
    )
    return None if first is None or second is None else (first, second)


def _increased(logs: Mapping[str, Sequence[Floats]]) -> float | None:
    if "anyway" not in logs:
        return None
    first, second = (
        float(given.sum() - anyway.sum())
        for given, anyway in zip(logs["changed"], logs["anyway"], strict=True)
    )
    return first - second


def _gap(first: Sequence[Floats], second: Sequence[Floats]) -> float | None:
    if not first:
        return None
    both = zip(first, second, strict=True)
    apart = [np.abs(np.exp(one) - np.exp(other)).sum() / 2 for one, other in both]
    return float(np.mean(apart))
