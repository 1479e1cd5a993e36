"""How a word ends when it is read aloud in Korean: with a vowel or a consonant.

Hangul says it itself. Numbers are read in Sino-Korean. Words in Latin letters are read as the
rules for foreign words have it (외래어 표기법 of the National Institute of Korean Language, chapter
3, English): l, m, n and ng close a syllable, r does not, and p, t and k do so behind one short
vowel. How spelling stands for these sounds, what counts as an abbreviation that is read letter by
letter, and the short lists of exceptions are our own.
"""

import html
import re
import unicodedata
from enum import Enum, auto
from functools import lru_cache
from typing import Final


class Sound(Enum):
    """What a word ends with."""

    VOWEL = auto()
    CONSONANT = auto()
    L = auto()
    """The consonant ㄹ, which some particles take for a vowel."""


_READ_AS: Final = {
    **dict(zip("0123456789", "영일이삼사오육칠팔구", strict=True)),
    # A power: 제곱 and 승 end alike.
    **dict.fromkeys("⁰¹²³⁴⁵⁶⁷⁸⁹", "승"),
    "%": "퍼센트",
    "‰": "퍼밀",
    "°": "도",
    "₩": "원",
    "$": "달러",
    "€": "유로",
    "£": "파운드",
}
_POWERS: Final = ("", "십", "백", "천")
_MYRIADS: Final = ("", "만", "억", "조", "경", "해")
_SPELLED: Final = {"l": Sound.L, "m": Sound.CONSONANT, "n": Sound.CONSONANT, "r": Sound.L}
"""The names of letters that end with a consonant: 엘, 엠, 엔, 알."""
_LONGEST_SPELLED: Final = 3
"""Capitals that are read letter by letter even where they have a vowel: RTE, but not BERT."""
_GREEK_CONSONANTS: Final = frozenset("εου")
"""엡실론, 오미크론, 입실론."""
_READ_ALOUD: Final = frozenset("#&*@§†‡")
"""Signs among the marks that nobody reads; how these are read differs."""
_VOWELS: Final = frozenset("aeiouy")
_STOPS: Final = frozenset("bpctk")
_CONSONANT_ENDS: Final = ("out", "ook", "group", "type")
"""레이아웃, 북, 그룹, 타입: closed against the rule."""
_VOWEL_ENDS: Final = ("check", "hub", "sub", "watt")
_VOWEL_WORDS: Final = frozenset({"bit", "hit", "set"})
"""비트, 히트, 세트, but 데이터셋."""
_ENOUGH: Final = 200
"""Characters at the end of a text that are looked at."""

_TAGS: Final = re.compile(r"(?<=[^<>])(?:</\w+>)+$")
_REMARK: Final = re.compile(r"(?<=\S)\s*(?:\([^()]*\)|\[[^\[\]]*\])$")
_NUMBER: Final = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)*$")
_SILENT: Final = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Pd", "Pc", "Po", "Pi", "Pf", "Sk"})
_BRACKETS: Final = frozenset({"Pe", "Ps"})


@lru_cache(4096)
def last_sound(text: str) -> Sound | None:
    """How a text ends, read aloud; None where nobody could tell.

    Marks and brackets at its end are not read, nor is a remark in brackets behind other words.
    """
    text = unicodedata.normalize("NFC", html.unescape(text[-_ENOUGH:]))
    text = _TAGS.sub("", _spoken(text))
    text = _spoken(_REMARK.sub("", text))
    while text and _is_bracket(text):
        text = _spoken(text[:-1])
    return _end(text) if text else None


def _spoken(text: str) -> str:
    """Without the marks at its end that nobody reads."""
    end = len(text)
    while end and _is_silent(text[end - 1]):
        end -= 1
    return text[:end]


def _is_silent(sign: str) -> bool:
    known = sign in _READ_AS or sign in _READ_ALOUD
    return not known and unicodedata.category(sign) in _SILENT


def _is_bracket(text: str) -> bool:
    return unicodedata.category(text[-1]) in _BRACKETS or (text[-1] == ">" and "<" in text)


def _end(text: str) -> Sound | None:
    number = _NUMBER.search(text)
    if number is not None:
        return _of_syllable(_number_read(number[0])[-1])
    last = _READ_AS.get(text[-1], text[-1])[-1]
    if "가" <= last <= "힣":
        return _of_syllable(last)
    if "ㄱ" <= last <= "ㅣ":
        # Consonants are called 기역, 니은, 리을; vowels by their sound.
        return Sound.VOWEL if last >= "ㅏ" else Sound.L if last == "ㄹ" else Sound.CONSONANT
    return _of_letters(text)


def _of_syllable(syllable: str) -> Sound:
    final = (ord(syllable) - ord("가")) % 28
    return Sound.VOWEL if not final else Sound.L if final == 8 else Sound.CONSONANT


def _number_read(number: str) -> str:
    """The last word of a number: 천 of 12,000; of decimals the last digit."""
    digits = number.replace(",", "")
    noughts = len(digits) - len(digits.rstrip("0"))
    if "." in digits or not noughts or noughts == len(digits):
        return _READ_AS[digits[-1]]
    myriad, power = divmod(noughts, 4)
    return _MYRIADS[min(myriad, len(_MYRIADS) - 1)] or _POWERS[power]


def _of_letters(text: str) -> Sound | None:
    start = len(text)
    while start and unicodedata.name(text[start - 1], "").startswith("LATIN"):
        start -= 1
    word = text[start:]
    if not word:
        return _of_greek(text)
    plain = "".join(unicodedata.normalize("NFD", letter)[0] for letter in word)
    if plain[-1] != word[-1] and plain[-1].lower() in _VOWELS:
        return Sound.VOWEL  # é is never silent
    if _is_spelled(plain):
        return _SPELLED.get(plain[-1].lower(), Sound.VOWEL)
    return _of_word(plain.lower())


def _of_greek(text: str) -> Sound | None:
    """A Greek letter alone is called by its name."""
    last = text[-1].lower()
    if not unicodedata.name(last, "").startswith("GREEK") or text[-2:-1].isalpha():
        return None
    return Sound.CONSONANT if last in _GREEK_CONSONANTS else Sound.VOWEL


def _is_spelled(word: str) -> bool:
    """Whether the end of a word is read letter by letter: MLM, BiLSTM, X, html."""
    if len(word) == 1 or not _VOWELS.intersection(word.lower()):
        return True
    capitals = word[len(word.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) :]
    if not capitals:
        return False
    return len(capitals) <= _LONGEST_SPELLED or not _VOWELS.intersection(capitals.lower())


def _of_word(word: str) -> Sound:
    if word in _VOWEL_WORDS or word.endswith(_VOWEL_ENDS):
        return Sound.VOWEL
    if word.endswith(_CONSONANT_ENDS):
        return Sound.CONSONANT
    before, last = word[:-1], word[-1]
    if last == "e" and before[-1] in "lmn" and _VOWELS.intersection(before[:-1]):
        before, last = before[:-1], before[-1]  # silent: file, name, line
    if last == "l":
        return Sound.L
    closed = last in "mn" or word.endswith("ng") or (last in _STOPS and _is_short(word))
    return Sound.CONSONANT if closed else Sound.VOWEL


def _is_short(word: str) -> bool:
    """Whether a last stop closes its syllable, as behind one short vowel: map, block, format."""
    before = word[:-1]
    if before.endswith("c" if word.endswith("k") else word[-1]):
        before = before[:-1]  # ck, tt, pp
    return before[-1:] in _VOWELS and before[-2:-1] not in _VOWELS
