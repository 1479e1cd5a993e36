"""How well an answer agrees with the right ones, by the rules of SQuAD and of KorQuAD.

Rajpurkar et al. 2016, section 6.1, and 2018 (no answer); Lim et al. 2019 (KorQuAD) for Korean,
where words are no measure: characters are compared, and nothing is an article.
"""

import re
import string
from collections import Counter
from collections.abc import Sequence

ARTICLES = re.compile(r"\b(a|an|the)\b")
HANGUL = re.compile(r"[\uac00-\ud7a3]")


def normalised(text: str, *, korean: bool = False) -> str:
    """Without capitals, punctuation, articles and superfluous spaces.

    Args:
        text: An answer.
        korean: Articles stay: a Korean text has none.
    """
    bare = "".join(one for one in text.lower() if one not in string.punctuation)
    return " ".join((bare if korean else ARTICLES.sub(" ", bare)).split())


def exact_match(answer: str, right: Sequence[str]) -> float:
    """1 where an answer is one of the right ones, else 0; "" is that there is none."""
    korean = _is_korean(right)
    said = normalised(answer, korean=korean)
    return float(any(said == normalised(one, korean=korean) for one in right))


def f1(answer: str, right: Sequence[str]) -> float:
    """The best harmonic mean of precision and recall, over words; of Korean over characters."""
    korean = _is_korean(right)
    return max((_f1_of(answer, one, korean) for one in right), default=0.0)


def _f1_of(answer: str, right: str, korean: bool) -> float:
    said, wanted = (_parts(one, korean) for one in (answer, right))
    if not said or not wanted:
        return float(said == wanted)
    shared = sum((Counter(said) & Counter(wanted)).values())
    return 2 * shared / (len(said) + len(wanted))


def _parts(text: str, korean: bool) -> list[str]:
    words = normalised(text, korean=korean).split()
    return list("".join(words)) if korean else words


def _is_korean(right: Sequence[str]) -> bool:
    return any(HANGUL.search(one) for one in right)
