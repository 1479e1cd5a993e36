"""Which script a piece is written in, by Unicode's own property."""

import unicodedata
from functools import cache

import regex

DIGITS, PUNCTUATION, SYMBOLS, EMOJI = "digits", "punctuation", "symbols", "emoji"
SPACES, BYTES, MIXED = "spaces", "bytes", "mixed"
OTHERS = (DIGITS, PUNCTUATION, SYMBOLS, EMOJI, SPACES, BYTES, MIXED)
"""What pieces are that have no letters of one script."""

_EMOJI = regex.compile(
    r"\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|\p{Regional_Indicator}"
)
_LEANS = frozenset({"Zyyy", "Zinh"})
"""Common and inherited: used with letters of any script."""


def script_of(text: str) -> str:
    """The script of a text's letters ("Latin", "Hangul", "Han"), or what it is without letters.

    Digits and signs beside letters belong to those, as Unicode has it (UAX 24). Letters of several
    scripts, or signs of several kinds, are mixed.

    Args:
        text: What a piece stands for; "" for bytes that are no whole character.
    """
    if not text:
        return BYTES
    if text.isspace():
        return SPACES
    kinds = {_kind_of(one) for one in text if not one.isspace()}
    scripts = {one for one in kinds if one not in OTHERS} - {""}
    if scripts:
        return scripts.pop() if len(scripts) == 1 else MIXED
    if _EMOJI.search(text):
        return EMOJI
    signs = kinds - {""}
    return signs.pop() if len(signs) == 1 else MIXED if signs else SYMBOLS


@cache
def _kind_of(character: str) -> str:
    """A character's script, or which kind of sign it is; "" for a mark that leans on any letter."""
    # Its tables are Unicode's own; they take a moment to import.
    from fontTools.unicodedata import script, script_name

    category = unicodedata.category(character)
    if category[0] == "N":
        return DIGITS
    code = script(character)
    if code not in _LEANS and category[0] in "LM":
        return str(script_name(code))
    if category[0] == "P":
        return PUNCTUATION
    if category[0] in "MC":
        return ""
    return SYMBOLS
