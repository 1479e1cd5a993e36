"""Several words in one place of a text: "query, key and value"."""

from collections.abc import Iterable

from explorer.text.phrase import Phrase
from explorer.text.translation import N_

_ALL = N_("{before} and {last}")
_ANY = N_("{before} or {last}")
_MORE = N_("{before}, {last}")
_LINES = "{before}\n{last}"


def all_of(words: Iterable[str]) -> str:
    """Words that all are meant; they may be Phrases, and several words are one."""
    return _listed(words, _ALL)


def any_of(words: Iterable[str]) -> str:
    """Words one of which is meant."""
    return _listed(words, _ANY)


def one_after_another(words: Iterable[str]) -> str:
    """Words with commas between them alone."""
    return _listed(words, _MORE)


def line_by_line(words: Iterable[str]) -> str:
    """Sentences below each other, as a tooltip has them."""
    return _listed((one for one in words if one), _LINES, _LINES)


def _listed(given: Iterable[str], last: str, more: str = _MORE) -> str:
    words = tuple(given)
    told = words[0] if words else ""
    for number, word in enumerate(words[1:], start=2):
        told = Phrase(last if number == len(words) else more, before=told, last=word)
    return told
