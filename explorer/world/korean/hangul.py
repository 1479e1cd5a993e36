"""Korean word forms: particles by the final consonant, tenses of verbs and adjectives.

A Hangul syllable is a number: code point = 0xAC00 + (initial * 21 + vowel) * 28 + final, final 0
being none (The Unicode Standard, section 3.12). Whether a particle is 을 or 를, and how a stem
joins its ending, is read from that number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FIRST_SYLLABLE: Final = 0xAC00
SYLLABLES: Final = 11172
FINALS: Final = 28
VOWELS: Final = 21
# Numbers of the finals ㄴ, ㄹ, ㅆ and of the vowels ㅏ ㅓ ㅕ ㅗ ㅘ ㅜ ㅝ ㅡ ㅣ.
NIEUN, RIEUL, DOUBLE_SIOT = 4, 8, 20
AH, EO, YEO, OH, WA, UH, WO, EU, IH = 0, 4, 6, 8, 9, 13, 14, 18, 20

# What stands after a final consonant, and after a vowel.
TOPIC: Final = ("은", "는")
SUBJECT: Final = ("이", "가")
OBJECT: Final = ("을", "를")
MEANS: Final = ("으로", "로")
WITH: Final = ("과", "와")


class HangulError(ValueError):
    """A word does not end in a Hangul syllable."""


def parts(syllable: str) -> tuple[int, int, int]:
    """Initial, vowel and final of a syllable.

    Raises:
        HangulError: it is none.
    """
    number = ord(syllable) - FIRST_SYLLABLE
    if not 0 <= number < SYLLABLES:
        raise HangulError(f"{syllable!r} is no Hangul syllable. Write the word in Hangul.")
    return number // (FINALS * VOWELS), number // FINALS % VOWELS, number % FINALS


def syllable(initial: int, vowel: int, final: int = 0) -> str:
    """The syllable of three numbers."""
    return chr(FIRST_SYLLABLE + (initial * VOWELS + vowel) * FINALS + final)


def final_of(word: str) -> int:
    """The final consonant of a word's last syllable, 0 where it ends in a vowel."""
    return parts(word[-1])[2]


def join(word: str, particle: tuple[str, str]) -> str:
    """A word with its particle. 로 stands after ㄹ too."""
    final = final_of(word)
    closed = final != 0 and not (particle == MEANS and final == RIEUL)
    return word + particle[0 if closed else 1]


def with_final(word: str, final: int) -> str:
    """The word with another final consonant (0: none) in its last syllable."""
    initial, vowel, _ = parts(word[-1])
    return word[:-1] + syllable(initial, vowel, final)


@dataclass(frozen=True, slots=True)
class Predicate:
    """A verb or an adjective.

    Attributes:
        stem: what stands before 다 in the dictionary.
        irregular_past: the past up to its ㅆ, where no rule here gives it (부르: 불렀).
        irregular_future: the form before 것이다, where no rule here gives it (듣: 들을).
        softens: ㅂ becomes 우 before a vowel (굽다: 구웠다).
    """

    stem: str
    irregular_past: str = ""
    irregular_future: str = ""
    softens: bool = False

    def past_stem(self) -> str:
        """The stem with the sign of the past: 먹었, 갔, 했."""
        if self.irregular_past:
            return self.irregular_past
        if self.softens:
            return with_final(self.stem, 0) + ("왔" if self.stem == "돕" else "웠")
        initial, vowel, final = parts(self.stem[-1])
        before = self.stem[:-1]
        if final:
            return self.stem + ("았" if vowel in (AH, OH) else "었")
        if self.stem.endswith("하"):
            return before + "했"
        if vowel == EU:
            previous = parts(before[-1])[1] if before else EU
            merged = AH if previous in (AH, OH) else EO
        else:
            merged = {OH: WA, UH: WO, IH: YEO}.get(vowel, vowel)
        return before + syllable(initial, merged, DOUBLE_SIOT)

    def past(self) -> str:
        """요리했다."""
        return self.past_stem() + "다"

    def future(self) -> str:
        """요리할 것이다, 먹을 것이다."""
        if self.irregular_future:
            form = self.irregular_future
        elif self.softens:
            form = with_final(self.stem, 0) + "울"
        elif final_of(self.stem) in (0, RIEUL):
            form = with_final(self.stem, RIEUL)
        else:
            form = self.stem + "을"
        return form + " 것이다"

    def present(self) -> str:
        """A verb's 한다, 먹는다, 만든다."""
        if final_of(self.stem) in (0, RIEUL):
            return with_final(self.stem, NIEUN) + "다"
        return self.stem + "는다"

    def progressive(self) -> str:
        """하고 있다."""
        return self.stem + "고 있다"

    def plain(self) -> str:
        """An adjective's present, which is its dictionary form: 크다."""
        return self.stem + "다"


def predicate(text: str) -> Predicate:
    """Read "stem", "stem*" (ㅂ softens), "stem:past" or "stem:past:future"."""
    stem, _, rest = text.partition(":")
    past, _, future = rest.partition(":")
    return Predicate(stem.rstrip("*"), past, future, stem.endswith("*"))
