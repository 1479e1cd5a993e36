"""Of which class a token is, by its letters alone; function words are those of English."""

from collections.abc import Mapping, Sequence

from explorer.api.question import Token
from explorer.questions.masking.surprises import word_numbers
from explorer.text import N_
from explorer.world.language.closed_classes import FUNCTION_WORDS

CONTENT, FUNCTION, PIECE = "content word", "function word", "further piece"
NUMBER, MARK = "number", "punctuation"
TITLES: Mapping[str, str] = {
    CONTENT: N_("content words"),
    FUNCTION: N_("function words"),
    PIECE: N_("further pieces of a word"),
    NUMBER: N_("numbers"),
    MARK: N_("punctuation"),
}
"""What people read for the classes, in their order."""


def classes_of(tokens: Sequence[Token], text: str, pair: str | None) -> tuple[str, ...]:
    """The class of every token of an input.

    Args:
        tokens: The input.
        text: The text, which they are characters of.
        pair: The second text, or None.
    """
    words = word_numbers(tokens)
    found = []
    for n, token in enumerate(tokens):
        source = (pair or "") if token.part else text
        word = source[token.start : token.end].strip().casefold()
        whole = n == 0 or words[n] != words[n - 1]
        if not any(map(str.isalnum, word)):
            found.append(MARK)
        elif not whole:
            found.append(PIECE)
        elif any(map(str.isdigit, word)):
            found.append(NUMBER)
        else:
            found.append(FUNCTION if word in FUNCTION_WORDS else CONTENT)
    return tuple(found)
