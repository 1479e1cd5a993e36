"""Several words in one place of a text: "query, key and value"."""

from collections.abc import Iterable

from explorer.text.phrase import Phrase
from explorer.text.translation import N_

_ALL = N_("{before} and {last}")
_ANY = N_("{before} or {last}")
_MORE = N_("{before}, {last}")


def all_of(words: Iterable[str]) -> str:
    """Words that all are meant; they may be Phrases, and several words are one."""
    return _listed(tuple(words), _ALL)


def any_of(words: Iterable[str]) -> str:
    """Words one of which is meant."""
    return _listed(tuple(words), _ANY)


def one_after_another(words: Iterable[str]) -> str:
    """Words with commas between them alone."""
    return _listed(tuple(words), _MORE)


def _listed(words: tuple[str, ...], last: str) -> str:
    told = words[0] if words else ""
    for number, word in enumerate(words[1:], start=2):
        told = Phrase(last if number == len(words) else _MORE, before=told, last=word)
    return told
