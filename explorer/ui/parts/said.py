"""A sentence, as it is said."""

from collections.abc import Iterator
from dataclasses import replace

from explorer.api.question import Manner, Said
from explorer.text import said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import Text, explanation, heading, hint, note, warning
from explorer.ui.parts.looking import Looking


def blocks(part: Said, looking: Looking) -> Iterator[Block]:
    """One paragraph, if there is anything to say."""
    text, words = said(part.text), said(part.words)
    above = Space.NEAR if part.near else Space.APART
    if not text or (part.manner is Manner.PAPER and not looking.shown.alone):
        return
    if part.manner in (Manner.PLAIN, Manner.PAPER):
        yield Text(text, above=above, words=words)
    elif part.manner is Manner.HEADING:
        yield Text(text, "heading", above=above, words=words)
    elif part.manner is Manner.TITLE:
        yield replace(heading(text), words=words)
    elif part.manner is Manner.STRONG:
        yield Text(text, "strong", above=above, words=words)
    elif part.manner is Manner.WARNING:
        yield warning(text, above)
    elif part.manner is Manner.HINT:
        yield hint(text, above)
    elif part.manner in (Manner.EXPLANATION, Manner.ABOUT):
        yield explanation(text, above, of_page=part.manner is Manner.ABOUT)
    else:
        yield note(text, above, words)
