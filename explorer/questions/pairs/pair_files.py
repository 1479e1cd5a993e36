"""Files of minimal pairs: a good sentence, a bad one, and what they differ in."""

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

from explorer.api.question import UserMistake
from explorer.files.typed_paths import typed_path
from explorer.files_of_sentences.sentences import read_sentences, survey
from explorer.paths import own_resources
from explorer.text import N_

Some = TypeVar("Some")
GOOD: Final = (
    *("sentence_good", "good", "grammatical", "acceptable", "correct"),
    *("sent_more", "stereotype", "stereotyped"),
)
BAD: Final = (
    *("sentence_bad", "bad", "ungrammatical", "unacceptable", "incorrect"),
    *("sent_less", "anti-stereotype", "opposite"),
)
PHENOMENON: Final = (
    *("phenomenon", "uid", "linguistics_term", "bias_type", "category", "type"),
    # The third column of a file that names none.
    "3",
)
"""Names of columns, whatever their case, the first of them that a file has: those of BLiMP and of
CrowS-Pairs among them."""
FILE: Final = "minimal_pairs.jsonl"
TITLES: Final = {
    "verb_agreement": N_("verb agreement"),
    "a_or_an": N_("a or an"),
    "noun_number": N_("noun number"),
    "verb_form": N_("verb form"),
    "pronoun_gender": N_("pronoun gender"),
    "word_order": N_("word order"),
    "tool": N_("tool"),
    "adjective": N_("adjective"),
}
"""What people read for the small world's phenomena; those of a file are called as it calls them."""


@dataclass(frozen=True, slots=True)
class PairOfSentences:
    """Two sentences of which one is right.

    Attributes:
        good: That one.
        bad: The other one.
        phenomenon: What they differ in; "" where the file does not say.
    """

    good: str
    bad: str
    phenomenon: str = ""


def shipped_in() -> Path:
    """The file of the small world's pairs."""
    return own_resources() / "world" / FILE


@cache
def world_pairs() -> tuple[PairOfSentences, ...]:
    """Those of the small world, made by `explorer.pretraining.minimal_pairs`."""
    rows = map(json.loads, shipped_in().read_text("utf-8").splitlines())
    return tuple(
        PairOfSentences(one["sentence_good"], one["sentence_bad"], one["phenomenon"])
        for one in rows
    )


def pairs_of(path: str, most: int) -> tuple[tuple[PairOfSentences, ...], int]:
    """Pairs to ask about, each phenomenon with its share of them.

    Args:
        path: A table, or objects of JSON a line; "" for the small world's pairs.
        most: How many at most.

    Returns:
        The pairs, and how many were there.

    Raises:
        UserMistake: The file can't be read, has no two columns of sentences, or no pair.
    """
    every = [one for one, _cells in file_pairs(typed_path(path))] if path else [*world_pairs()]
    return tuple(spread(every, most, lambda one: one.phenomenon)), len(every)


def spread(pairs: Sequence[Some], most: int, group: Callable[[Some], str]) -> Iterator[Some]:
    """So many pairs, of each group in turn, in the order of the file."""
    if len(pairs) <= most:
        yield from pairs
        return
    groups: dict[str, list[int]] = {}
    for number, one in enumerate(pairs):
        groups.setdefault(group(one), []).append(number)
    turns = itertools.chain.from_iterable(itertools.zip_longest(*groups.values()))
    taken = itertools.islice((number for number in turns if number is not None), most)
    yield from (pairs[number] for number in sorted(taken))


def file_pairs(
    path: Path, *others: Sequence[str]
) -> Iterator[tuple[PairOfSentences, tuple[str, ...]]]:
    """The pairs of a file, each with its cells of other columns.

    Args:
        path: A table, or objects of JSON a line.
        others: Names of each of these columns, the first of them that the file has; "" for none.

    Raises:
        UserMistake: The file can't be read, has no two columns of sentences, or no pair.
    """
    columns = survey(path).columns
    good, bad = _columns(path, columns)
    kept = survey(path, good, bad).kept
    lower = [name.casefold() for name in kept]
    places = [
        next((lower.index(name) for name in names if name in lower), None)
        for names in (PHENOMENON, *others)
    ]
    count = 0
    for one in read_sentences(path, good, bad):
        if one.pair is None:
            continue
        count += 1
        kind, *cells = (one.kept[at].strip() if at is not None else "" for at in places)
        yield PairOfSentences(one.text, one.pair, kind), tuple(cells)
    if not count:
        raise UserMistake(
            N_("There is no pair of sentences in {name}."),
            N_("Give each row a good sentence and a bad one."),
            name=path.name,
        )


def _columns(path: Path, columns: Sequence[str]) -> tuple[str, str]:
    """The columns of good and of bad sentences: by their names, or the first two."""
    lower = [name.casefold() for name in columns]
    found = [
        next((lower.index(one) for one in names if one in lower), None) for names in (GOOD, BAD)
    ]
    if found == [None, None] and len(columns) > 1:
        found = [0, 1]
    good, bad = found
    if good is None or bad is None:
        raise UserMistake(
            N_("{name} has no two columns of sentences."),
            N_(
                "Name the columns sentence_good and sentence_bad, as BLiMP does, or give a table "
                "whose first two columns are the good sentences and the bad ones."
            ),
            name=path.name,
        )
    return columns[good], columns[bad]
