"""What becomes of messages whose texts change: which ids stay, and what must be written down."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from explorer.text.message_files import FormerTexts, Message, digest, places_of

ALIKE, FEWEST_WORDS = 0.8, 4
"""Of the letters of two texts: from there on one looks like the other one, mended. Labels of a few
words are like each other without being the same."""


def brought(
    before: Iterable[Message], said: Iterable[Sequence[str]], former: FormerTexts
) -> Iterator[Message]:
    """What is said, with ids: a text keeps its own, a mended one has that of its former texts.

    Args:
        before: What was listed.
        said: Texts, of a count both.
        former: What is written down.
    """
    kept = {one.text: one.id for one in before}
    taken = set(kept.values())
    for text, *plural in said:
        names = (text, *reversed(former.mended.get(text, ())))
        known = next((kept[name] for name in names if name in kept), "")
        yield Message(known or _new(former.first(text), taken), text, *plural)


def _new(text: str, taken: set[str]) -> str:
    made = digest(text)
    while made in taken:
        made = digest(made)
    taken.add(made)
    return made


def unwritten(before: Iterable[str], said: Iterable[str], former: FormerTexts) -> list[str]:
    """Texts that look mended, with what to write where they are, and where they are not.

    A text that leaves is deleted, and one that comes is new, unless one is like the other and has
    the same places.

    Args:
        before: What was listed.
        said: What is said now; of a count the text for one.
        former: What is written down.
    """
    was, now = set(before), set(said)
    gone = filter(_is_long, sorted(was - now - former.today.keys() - former.deleted))
    came = sorted(now - was - former.mended.keys())
    return [
        f'[mended] "{new}" = ["{old}"], or deleted = ["{old}"]'
        for old in gone
        if (new := _most_alike(old, came))
    ]


def _is_long(text: str) -> bool:
    return len(text.split()) >= FEWEST_WORDS


def _most_alike(old: str, came: Iterable[str]) -> str:
    best, found = ALIKE, ""
    for new in came:
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        if places_of(old) != places_of(new) or matcher.real_quick_ratio() < best:
            continue
        if matcher.quick_ratio() >= best and (ratio := matcher.ratio()) >= best:
            best, found = ratio, new
    return found
