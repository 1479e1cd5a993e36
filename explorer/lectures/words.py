"""Words in several languages, for people; English where a language has none."""

import re
from collections.abc import Mapping
from typing import TypeVar

from explorer.text import language

Said = TypeVar("Said")

ASK = "ask"
"""A key of steps that looks like the code of a language."""
_CODE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")


def is_language(key: str) -> bool:
    """Whether a key of a file is the code of a language: "en", "ko", "pt_BR"."""
    return _CODE.fullmatch(key) is not None and key != ASK


def in_language(words: Mapping[str, Said], wanted: str, otherwise: Said) -> Said:
    """What is said in a language, or in its wider one, in English, or in any there is.

    Args:
        words: What is said, by the codes of the languages.
        wanted: A code; "" for the language in use.
        otherwise: Where nothing is said at all.
    """
    code = wanted or language.current().code
    for one in (code, code.partition("_")[0], language.SOURCE):
        if one in words:
            return words[one]
    return next(iter(words.values()), otherwise)
