import re

import pytest

from explorer.api.question import Token
from explorer.document import Document
from explorer.ui.theme.schemes import apply_theme


@pytest.fixture(autouse=True)
def light(qapp):
    apply_theme(qapp, "light")


@pytest.fixture
def cut():
    """Cuts a document as a WordPiece tokenizer would: words over six letters into pieces."""

    def tokens_of(document: Document) -> tuple[Token, ...]:
        found = [Token("[CLS]", 2, 0, 0, special=True)]
        for part in (0, 1) if document.pair is not None else (0,):
            text = document.part(part)
            for match in re.finditer(r"\[MASK\]|\w+|[^\w\s]", text):
                found += _pieces(match.group(), match.start(), part, document)
            found.append(Token("[SEP]", 3, len(text), len(text), special=True, part=part))
        return tuple(found)

    return tokens_of


def _pieces(word: str, start: int, part: int, document: Document) -> list[Token]:
    if word == "[MASK]":
        return [Token("[MASK]", 4, start, start + 6, special=False, part=part, masked=True)]
    made = []
    for at in range(0, len(word), 6):
        piece = word[at : at + 6].lower()
        begin, end = start + at, start + at + len(piece)
        masked = document.is_masked(begin, end, part)
        number = 100 + sum(map(ord, piece))
        made.append(
            Token(
                "[MASK]" if masked else ("##" if at else "") + piece,
                4 if masked else number,
                begin,
                end,
                special=False,
                part=part,
                masked=masked,
                original=number if masked else None,
                unknown=ord(piece[0]) > 0x2000,
                joined=at > 0,
            )
        )
    return made


@pytest.fixture
def strip(qtbot):
    from explorer.ui.sentence.tokens.strip import TokenStrip

    made = TokenStrip()
    qtbot.addWidget(made)
    made.resize(520, 160)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def full(strip, cut):
    from tests.ui.sentence.tokens.strip_reading import TEXT

    strip.set_tokens(cut(TEXT), None, TEXT)
    return strip
