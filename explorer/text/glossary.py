"""The field's terms, one sentence each, for tooltips; they are kept in resources/glossary."""

import tomllib
import unicodedata
from collections.abc import Mapping
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


def _named(term: str) -> str:
    said = _(term)
    is_latin = any(unicodedata.name(sign, "").startswith("LATIN") for sign in said)
    return said if is_latin else f"{said} ({term})"


@cache
def _sentences() -> Mapping[str, str]:
    path = own_resources() / "glossary" / "terms.toml"
    entries = tomllib.loads(path.read_text("utf-8"))["terms"]
    return MappingProxyType({entry["term"]: entry["sentence"] for entry in entries})
