"""The words of a text that can be edited, each with the pieces that it is made of."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.api.question import Encoded, Token
from explorer.document import Document
from explorer.questions.cause.edits.question import EditedWord
from explorer.text.occurrences import UNSPACED, WORD


@dataclass(frozen=True)
class EditPlace:
    """A word and its pieces.

    Attributes:
        word: Where it stands.
        ids: Its pieces' numbers.
        positions: Of them in the input.
    """

    word: EditedWord
    ids: tuple[int, ...]
    positions: tuple[int, ...]


def places_of(document: Document, encoded: Encoded) -> list[EditPlace]:
    """Every word that the model reads, but those of which anything is masked; in reading order."""
    found = []
    for part in (0, 1):
        text = document.part(part)
        own = [(n, one) for n, one in enumerate(encoded.tokens) if _is_text(one, part)]
        for match in WORD.finditer(text):
            here = [(n, t) for n, t in own if t.start < match.end() and t.end > match.start()]
            for start, end, group in _words(text, match.start(), match.end(), here):
                tokens = [token for _, token in group]
                if not any(one.masked or one.reserved for one in tokens):
                    word = EditedWord(text[start:end], start, end, part)
                    ids = tuple(one.id for one in tokens)
                    found.append(EditPlace(word, ids, tuple(n for n, _ in group)))
    return found


def _is_text(token: Token, part: int) -> bool:
    return token.part == part and (not token.special or token.masked) and token.end > token.start


Numbered = Sequence[tuple[int, Token]]


def _words(
    text: str, start: int, end: int, tokens: Numbered
) -> Iterator[tuple[int, int, Numbered]]:
    """A word, or in a script without spaces the words that the tokenizer cuts the letters into."""
    if not tokens:
        return
    if not any(unicodedata.name(one, "").startswith(UNSPACED) for one in text[start:end]):
        yield start, end, tokens
        return
    group: list[tuple[int, Token]] = []
    for number, token in tokens:
        if group and not token.joined:
            yield group[0][1].start, group[-1][1].end, group
            group = []
        group.append((number, token))
    yield group[0][1].start, group[-1][1].end, group
