"""Particles of Korean, which depend on the last sound of the word before them.

A translator writes both forms behind a place, as official Korean texts do:

    {name}을(를) 읽을 수 없습니다.

and one of them is left when it is known what stands in the place (`last_sound` tells how that is
read). Fixed words and what the user typed are never touched, and where nobody could tell how a
value is read aloud, both forms stay.
"""

import re
from collections.abc import Mapping
from typing import Final

from explorer.text.korean.last_sound import Sound, last_sound

FORMS: Final = {
    "은(는)": ("은", "는"),
    "이(가)": ("이", "가"),
    "을(를)": ("을", "를"),
    "과(와)": ("과", "와"),
    "와(과)": ("과", "와"),
    "(으)로": ("으로", "로"),
    "이었(였)": ("이었", "였"),
    "(이)": ("이", ""),
}
"""Both forms as they are written, and the one behind a consonant and behind a vowel.

The last stands for all that begin so: (이)라고, (이)나, (이)며, (이)다, (이)고, (이)라는."""

_BOTH: Final = "|".join(re.escape(one) for one in FORMS)
_REMARK: Final = r" ?\((?:[^(){}]|\{\w+\})*\)"
_CLOSING: Final = r"(?:[”’\"'»›」』》〉\])\u2066-\u2069]|</\w+>)*"
_BEHIND_A_PLACE: Final = re.compile(
    rf"(?P<words>\{{(?P<place>\w+)\}}(?:{_REMARK})?{_CLOSING})(?P<both>{_BOTH})"
)


def with_particles(text: str, places: Mapping[str, str]) -> str:
    """A Korean text with one form of each particle that stands behind a place.

    Quotation marks and brackets may stand between them; of "{name} ({count}개)은(는)" it is the
    name that counts.

    Args:
        text: With its places, "{name}", not filled yet.
        places: What will stand in them; what is not known keeps both forms.
    """

    def chosen(found: re.Match[str]) -> str:
        sound = last_sound(places.get(found["place"], ""))
        return found[0] if sound is None else found["words"] + form(found["both"], sound)

    return _BEHIND_A_PLACE.sub(chosen, text)


def form(both: str, sound: Sound) -> str:
    """The form of a particle behind a sound: "을" of "을(를)" behind a consonant."""
    consonant, vowel = FORMS[both]
    if sound is Sound.L and both == "(으)로":
        return vowel
    return vowel if sound is Sound.VOWEL else consonant
