"""Documents as people type them, in a terminal and in TOML: words masked, entities, options."""

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from explorer.api.question import EVERY, UserMistake
from explorer.document import Document, Mask, Mention
from explorer.files.foreign import json_of
from explorer.text import N_, _

PAIR_SIGN = "pair:"
"""Before what stands in the second text."""
_RANGE = re.compile(r"(\d+)-(\d+)(?:#(\d+))?")


def document_of(
    text: str,
    pair: str | None = None,
    masked: Sequence[str] = (),
    pair_masked: Sequence[str] = (),
    entities: Sequence[str] = (),
) -> Document:
    """A document with what is masked in it.

    Args:
        text: The sentence.
        pair: A second sentence, or None.
        masked: What is masked in the text, as `place_of` takes it.
        pair_masked: What is masked in the second one.
        entities: Which words name which entity, as `mention_of` takes them.

    Raises:
        UserMistake: The text has no such word, or no such characters.
    """
    document = Document(text, pair)
    for words in (*masked, *(f"{PAIR_SIGN}{one}" for one in pair_masked)):
        document = document.with_mask(*place_of(words, document))
    for words in entities:
        document = document.with_entity(mention_of(words, document))
    return document


def options_of(entry: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Options that a table of TOML puts back (None), and those that it sets.

    Raises:
        ValueError: One is written in JSON that is none.
        TypeError: What stands there is no text.
    """
    for key in entry.get("unset", ()):
        yield key, None
    for key, value in entry.get("options", {}).items():
        is_json = isinstance(value, dict) and value.keys() == {"json"}
        yield key, json_of(value["json"]) if is_json else value


def written(mask: Mask) -> str:
    """A mask as --mask takes it: "4-8", "pair:4-8", "4-5#2" for the second token there alone."""
    which = "" if mask.nth == EVERY else f"#{mask.nth + 1}"
    return f"{PAIR_SIGN * mask.part}{mask.start}-{mask.end}{which}"


def mention_of(words: str, document: Document) -> Mention:
    """The characters that were typed, and their entity.

    Raises:
        UserMistake: There is no entity in it, or no such word in the text.
    """
    place, sign, entity = words.rpartition("=")
    if not sign or not place or not entity:
        raise UserMistake(
            N_("{words} does not say which words name which entity."),
            N_("Write words of the text and an id, as in Anna=Q7."),
            words=words,
        )
    taken = dataclasses.replace(document, masks=())
    for one in document.entities:
        taken = taken.with_mask(one.start, one.end, one.part)
    start, end, part, _nth = place_of(place, taken)
    return Mention(start, end, entity, part)


def place_of(words: str, document: Document) -> tuple[int, int, int, int]:
    """Start, end and part of what is to be masked, and which token there.

    Raises:
        UserMistake: The text has no such word, or no such characters.
    """
    bare = words.removeprefix(PAIR_SIGN)
    part = int(bare != words)
    text, which = document.part(part), _("second text") if part else "text"
    if place := _RANGE.fullmatch(bare):
        start, end = int(place[1]), int(place[2])
        if not start < end <= len(text):
            raise UserMistake(
                N_("There are no characters {bare} in the {which}, which has {count}."),
                N_("They are counted from 0, and the end is the first that is not masked."),
                bare=bare,
                which=which,
                count=len(text),
            )
        nth = int(place[3]) - 1 if place[3] else EVERY
        return start, end, part, max(nth, EVERY)
    taken = {mask.start for mask in document.masks if mask.part == part}
    for found in re.finditer(rf"(?<!\w){re.escape(bare)}(?!\w)", text):
        if found.start() not in taken and found[0]:
            return found.start(), found.end(), part, EVERY
    raise UserMistake(
        N_('There is no word "{bare}" in the {which} that is not masked yet.'),
        N_("Write one of its words, or its characters, as in 4-8."),
        bare=bare,
        which=which,
    )
