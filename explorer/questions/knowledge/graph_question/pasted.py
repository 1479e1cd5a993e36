"""A question with its choices as people paste it: "... With what? A) trowel B) excavator"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MARK: Final = re.compile(r"(?:^|(?<=\s))\(?([A-Za-z]|\d{1,2})[).:](?=\s)")
_BULLET: Final = re.compile(r"^\s*(?:[-*•–]\s+)?(.*?)\s*$")
_AT_END: Final = re.compile(r"(?s)^(.*\?)\s*([^?]+?)\s*$")
_BETWEEN: Final = re.compile(r"\s*(?:[,;/|]|\bor\b)\s*")
LONGEST: Final = 80
"""Characters of a choice that stands on a line, or behind a question, without a mark."""


def taken_apart(text: str) -> tuple[str, tuple[str, ...]]:
    """A question and its choices; none where the text holds no list of them.

    Choices are marked with letters or numbers in their order, or stand on lines of their own, or
    behind a question mark with commas, slashes or "or" between them.
    """
    for way in (_marked, _on_lines, _behind):
        question, choices = way(text)
        if len(choices) > 1:
            return question, choices
    return text.strip(), ()


def _marked(text: str) -> tuple[str, tuple[str, ...]]:
    """As in "A) one B) two"."""
    marks = list(_MARK.finditer(text))
    for first, mark in enumerate(marks):
        found = _in_order(marks[first:], mark.group(1))
        if len(found) < 2:
            continue
        ends = [one.start() for one in found[1:]] + [len(text)]
        choices = [_bare(text[one.end() : end]) for one, end in zip(found, ends, strict=True)]
        return text[: mark.start()].strip(), tuple(filter(None, choices))
    return text, ()


def _in_order(marks: Sequence[re.Match[str]], first: str) -> list[re.Match[str]]:
    """Those that count on from A, a or 1."""
    if first not in ("A", "a", "1"):
        return []
    found: list[re.Match[str]] = []
    for mark in marks:
        number = len(found)
        wanted = str(number + 1) if first == "1" else LETTERS[number % len(LETTERS)]
        if mark.group(1) == (wanted if first != "a" else wanted.lower()):
            found.append(mark)
    return found


def _on_lines(text: str) -> tuple[str, tuple[str, ...]]:
    """The first line asks, every other one is a choice."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 3:
        return text, ()
    choices = tuple(_bare(line) for line in lines[1:])
    if any(not one or len(one) > LONGEST for one in choices):
        return text, ()
    return lines[0].strip(), choices


def _behind(text: str) -> tuple[str, tuple[str, ...]]:
    """What stands behind the last question mark."""
    found = _AT_END.match(text)
    if found is None:
        return text, ()
    choices = tuple(filter(None, map(_bare, _BETWEEN.split(found.group(2)))))
    if any(len(one) > LONGEST for one in choices):
        return text, ()
    return found.group(1).strip(), choices


def _bare(words: str) -> str:
    """A choice without what stands around it."""
    found = _BULLET.match(words.strip())
    return (found.group(1) if found else words).strip(" ,;.?!\t\n")
