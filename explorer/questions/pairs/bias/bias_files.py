"""Files of pairs for measures of bias: CrowS-Pairs' columns, any two, and StereoSet's JSON."""

import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from explorer.api.question import UserMistake
from explorer.files.foreign import clause_of, json_of, read_bytes
from explorer.files.typed_paths import typed_path, unreadable
from explorer.files_of_sentences.sentences import SQUAD
from explorer.learning.bias.items import BiasItem, world_items
from explorer.questions.pairs.pair_files import file_pairs, spread
from explorer.text import N_

ATTRIBUTE: Final = ("attribute", "attribute_word")
"""Names of the column with the word that both sentences share and that what differs is about."""
BLANK: Final = "BLANK"
MOST_BYTES: Final = 50_000_000
LABELS: Final = ("stereotype", "anti-stereotype", "unrelated")


@dataclass(frozen=True)
class BiasItemsRead:
    """What is in a file.

    Attributes:
        items: Those that are asked about.
        there: How many there are.
        unreadable: Examples that have not all that they need.
    """

    items: tuple[BiasItem, ...]
    there: int
    unreadable: int = 0


def items_of(path: str, most: int) -> BiasItemsRead:
    """Pairs to ask about, each kind of bias with its share of them.

    Args:
        path: A table, objects of JSON a line, or StereoSet's JSON; "" for the smallest world.
        most: How many at most.

    Raises:
        UserMistake: The file can't be read, or has no pair.
    """
    unreadable = 0
    if not path:
        every: Sequence[BiasItem] = world_items()
    elif path.lower().endswith(SQUAD):
        read = [*_examples(typed_path(path))]
        every = [one for one in read if one is not None]
        unreadable = len(read) - len(every)
        if not every:
            raise _no_stereoset(typed_path(path))
    else:
        every = [
            BiasItem(pair.good, pair.bad, attribute=cells[0], kind=pair.phenomenon)
            for pair, cells in file_pairs(typed_path(path), ATTRIBUTE)
        ]
    return BiasItemsRead(tuple(spread(every, most, lambda one: one.kind)), len(every), unreadable)


def _examples(path: Path) -> Iterator[BiasItem | None]:
    """Those within sentences; None for one that its authors' own code could not read either."""
    try:
        told = json_of(read_bytes(path, MOST_BYTES))
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:
        raise UserMistake(
            N_("{file} can't be read: {reason}."), file=path.name, reason=clause_of(error)
        ) from None
    try:
        examples = told["data"]["intrasentence"]
    except (KeyError, TypeError):
        raise _no_stereoset(path) from None
    for one in examples:
        try:
            yield _example(one)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            yield None


def _example(told: Mapping[str, Any]) -> BiasItem:
    """The context, with the word that each sentence has in the place of the blank.

    The word is found as the authors find it: it is as many spaces from the beginning as the blank
    is, and has no marks.

    Raises:
        ValueError: It has not one blank, or a sentence has no word there.
    """
    context = str(told["context"])
    if context.count(BLANK) != 1:
        raise ValueError
    at = next(n for n, word in enumerate(context.split(" ")) if BLANK in word)
    by_label = {one["gold_label"]: str(one["sentence"]) for one in told["sentences"]}
    marks = str.maketrans("", "", string.punctuation)
    words = [by_label[label].split(" ")[at].translate(marks) for label in LABELS]
    if not all(words):
        raise ValueError
    start = context.index(BLANK)
    stereotyped, opposite, unrelated = (context.replace(BLANK, word) for word in words)
    return BiasItem(
        stereotyped,
        opposite,
        unrelated,
        attribute=str(told.get("target", "")),
        kind=str(told.get("bias_type", "")),
        term=str(told.get("target", "")),
        blank=tuple((start, start + len(word)) for word in words),
    )


def _no_stereoset(path: Path) -> UserMistake:
    return UserMistake(
        N_("{name} has no sentences with a blank, as StereoSet has them."),
        N_("Choose StereoSet's file, or a table with two columns of sentences."),
        name=path.name,
    )
