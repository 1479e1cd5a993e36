"""The field's terms, one sentence each, for tooltips; they are kept in resources/glossary."""

import tomllib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from explorer.paths import own_resources
from explorer.text.translation import _


def explain(term: str) -> str:
    """The sentence for a term, in the user's language.

    Args:
        term: As the glossary has it in English.

    Raises:
        KeyError: The glossary lacks it.
    """
    return _(_sentences()[term])


def glossary() -> dict[str, str]:
    """All terms with their sentences, in the user's language and its alphabetical order."""
    translated = {_(term): _(sentence) for term, sentence in _sentences().items()}
    return dict(sorted(translated.items(), key=lambda entry: entry[0].casefold()))


@cache
def _sentences() -> Mapping[str, str]:
    path = own_resources() / "glossary" / "terms.toml"
    entries = tomllib.loads(path.read_text("utf-8"))["terms"]
    return MappingProxyType({entry["term"]: entry["sentence"] for entry in entries})
