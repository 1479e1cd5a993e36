"""What was typed to find something by, as it is compared with names and words."""

import re
import unicodedata
from collections.abc import Collection

_WORD = re.compile(r"[^\W_]+")
FILLERS = frozenset(
    (
        *(
            "a",
            "an",
            "and",
            "are",
            "as",
            "can",
            "do",
            "does",
            "for",
            "how",
            "i",
            "in",
            "is",
            "it",
            "me",
        ),
        *(
            "my",
            "of",
            "on",
            "please",
            "show",
            "the",
            "to",
            "want",
            "what",
            "where",
            "which",
            "with",
        ),
        *("나는", "내", "를", "을", "은", "는", "이", "어떻게"),
    )
)
"""Words of a whole question that say nothing of what is looked for."""


class Typed:
    """A text as it is compared: without capitals, marks and ways of writing the same letters.

    Attributes:
        plain: The text.
        words: Its words.
        joined: Its letters and digits alone: "t-SNE", "tSNE" and "t sne" are one.
    """

    def __init__(self, text: str) -> None:
        # Korean from some keyboards and files comes as single letters of its syllables.
        self.plain = unicodedata.normalize("NFKC", text).casefold()
        self.words = tuple(_WORD.findall(self.plain))
        self.joined = "".join(self.words)

    def begins(self, words: Collection[str]) -> bool:
        """Whether each of its words begins one of some words."""
        return all(any(there.startswith(word) for there in words) for word in self.words)

    def share_of(self, words: Collection[str]) -> float:
        """The part of its words, fillers left out, that begin some of some words."""
        asked = [word for word in self.words if word not in FILLERS]
        if not asked:
            return 0.0
        return sum(any(one.startswith(word) for one in words) for word in asked) / len(asked)
