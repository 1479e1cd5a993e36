"""The field's terms, one sentence each, for tooltips; they are kept in resources/glossary."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from explorer.paths import own_resources
from explorer.text.phrase import Phrase
from explorer.text.translation import _


def explain(term: str) -> str:
    """The sentence for a term, in the user's language.

    Args:
        term: As the glossary has it in English.

    Raises:
        KeyError: The glossary lacks it.
    """
    return _(sentence_of(term))


def sentence_of(term: str) -> str:
    """The same in English, as catalogues have it, for what is said in some language later."""
    return _sentences()[term]


def meaning(term: str) -> Phrase:
    """The same, worded for whoever reads it."""
    return Phrase(sentence_of(term))


def glossary() -> dict[str, str]:
    """All terms with their sentences, in the user's language and its alphabetical order.

    Behind a term in another script stands the field's own, as in textbooks.
    """
    translated = {_named(term): _(sentence) for term, sentence in _sentences().items()}
    return dict(sorted(translated.items(), key=lambda entry: entry[0].casefold()))


def shown_at() -> dict[str, str]:
    """Where each term is shown, by its name in `glossary`: a question, or "lesson:NAME"."""
    return {_named(term): place for term, place in _places().items()}


def terms_in(texts: Iterable[str]) -> dict[str, str]:
    """The terms that texts in the user's language use, with their sentences, the first one first.

    Of terms within others, as "attention" in "attention head", the longer one is found.
    """
    found: dict[str, int] = {}
    text = "\n".join(texts)
    said = sorted(_sentences(), key=lambda term: -len(_(term)))
    for term in said:
        for one in dict.fromkeys((_(term), term)):
            at = _written(one).search(text)
            if at is not None:
                found.setdefault(term, at.start())
                text = _written(one).sub(lambda word: " " * len(word[0]), text)
    return {_named(term): explain(term) for term in sorted(found, key=found.__getitem__)}


@cache
def _written(term: str) -> re.Pattern[str]:
    """Where a term is written, alone or with an ending: a plural's, or a Korean particle."""
    before = r"(?<!\w)" if term[0].isalnum() else ""
    is_hangul = "가" <= term[-1] <= "힣"
    after = (
        r"(?!\w{3})" if is_hangul else r"(?:s|es)?(?![A-Za-z0-9_])" if term[-1].isalnum() else ""
    )
    return re.compile(before + re.escape(term) + after, re.IGNORECASE)


def _named(term: str) -> str:
    said = _(term)
    is_latin = any(unicodedata.name(sign, "").startswith("LATIN") for sign in said)
    return said if is_latin else f"{said} ({term})"


@cache
def _entries() -> tuple[Mapping[str, str], ...]:
    path = own_resources() / "glossary" / "terms.toml"
    return tuple(tomllib.loads(path.read_text("utf-8"))["terms"])


@cache
def _sentences() -> Mapping[str, str]:
    return MappingProxyType({entry["term"]: entry["sentence"] for entry in _entries()})


@cache
def _places() -> Mapping[str, str]:
    return MappingProxyType({entry["term"]: entry["shown"] for entry in _entries()})
