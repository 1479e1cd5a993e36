"""English that looks translated, made from the texts themselves: for tests and translators.

Accents show which texts went through the catalogue, brackets where one begins and ends (a
sentence glued of parts has several pairs), and 40 % more length what a longer language would
cut off. Places, tags and marks of shortcuts stay as they are.
"""

import gettext
import math
import re

LONGER = 0.4
OPENING, CLOSING = "⟦", "⟧"
_KEPT = re.compile(r"\{\w*\}|%\(\w+\)[rs]|%[rs]|<[^<>]*>|&\w+;|&&|&")
_ACCENTS = str.maketrans(
    "AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpRrSsTtUuVvWwYyZz",
    "ÅåƁƀÇçÐðÉéƑƒĜĝĤĥÎîĴĵĶķĻļṀṁÑñÖöÞþŔŕŠšŢţÛûṼṽŴŵÝýŽž",
)
_VOWELS = frozenset("aeiouAEIOU")


def pseudo(message: str) -> str:
    """A text as if it were translated: "Load" becomes "⟦Ļööåðð~⟧"."""
    if not message.strip():
        return message
    missing = math.ceil(LONGER * len(_KEPT.sub("", message)))
    told = []
    place = 0
    for kept in _KEPT.finditer(message):
        part, missing = _lengthened(message[place : kept.start()], missing)
        told += [part, kept[0]]
        place = kept.end()
    part, missing = _lengthened(message[place:], missing)
    return OPENING + "".join([*told, part]) + "~" * missing + CLOSING


def _lengthened(text: str, missing: int) -> tuple[str, int]:
    """Accented, with vowels doubled; and how much length is still missing."""
    written = []
    for character in text:
        twice = missing > 0 and character in _VOWELS
        missing -= twice
        written.append(character * (2 if twice else 1))
    return "".join(written).translate(_ACCENTS), missing


class PseudoTranslations(gettext.NullTranslations):
    """A catalogue that has every text."""

    def gettext(self, message: str) -> str:
        """The text as if it were translated."""
        return pseudo(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """One of two, as in English."""
        return pseudo(msgid1 if n == 1 else msgid2)
