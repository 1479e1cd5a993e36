"""What a mask's card says in words: its context, and how unsure the model is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.api import Token
from explorer.document import Document
from explorer.questions.masking.masked_tokens.question import MaskedTokensResult, MaskPredictions
from explorer.text import N_, _, said
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import word_or_piece
from explorer.ui.sentence import pieces as of
from explorer.ui.sentence.tokens.layout import MASK_LABEL

AROUND = 60
"""Tokens left and right of a mask, at most: how many of them are shown depends on the room."""


INDEPENDENT = N_("Each mask is predicted independently of the others.")
OF_ONE_WORD = N_(" Some are pieces of one word: Joint decoding puts whole words there.")


@dataclass(frozen=True)
class Context:
    """The mask and the words around it, as one line in three parts.

    Attributes:
        before: The words that are read before it.
        after: Those that are read after it.
        from_right: The line is read from the right.
    """

    before: str
    after: str
    from_right: bool = False


def _spelled(tokens: Sequence[Token], document: Document | None) -> str:
    words: list[str] = []
    before: tuple[int, int, bool] | None = None
    for token in tokens:
        place = (token.start, token.end, token.masked)
        # Bytes of one and the same letter are written once.
        is_same_letter = place == before and token.end > token.start and not token.masked
        before = place
        if token.special or is_same_letter:
            continue
        text = MASK_LABEL if token.masked else of.as_read(token, document)
        glued = token.joined and not token.masked
        if words and (glued or _closes(text)):
            words[-1] += text
        else:
            words.append(text)
    return " ".join(words)


def _closes(text: str) -> bool:
    """Punctuation that stands right after a word."""
    return text in {".", ",", ";", ":", "!", "?", ")", "]", "”", "’", "%"}


def context_of(
    tokens: Sequence[Token], position: int, document: Document | None, around: int = AROUND
) -> Context:
    """The words around a mask, in the same text as it."""
    part = tokens[position].part
    before = [t for t in tokens[:position] if t.part == part and not t.special]
    after = [t for t in tokens[position + 1 :] if t.part == part and not t.special]
    # An ellipsis for a single token would save nothing.
    first = len(before) - around if len(before) > around + 1 else 0
    last = around if len(after) > around + 1 else len(after)
    left = _spelled(before[first:], document)
    right = _spelled(after[:last], document)
    if first:
        left = f"…{left}" if _closes(left[:1]) else f"… {left}"
    turned = of.run_from_right(of.of_tokens(tokens, document), part)
    return Context(left, right + (" …" if last < len(after) else ""), turned)


def perplexity(entropy: float) -> float:
    """The entropy (nats) as a number of equally likely words: e to the power of it."""
    return math.exp(entropy)


def unsureness(mask: MaskPredictions) -> str:
    """The entropy in nats, and what it means."""
    among = perplexity(mask.entropy)
    count = f"{among:,.1f}" if among < 99.95 else f"{among:,.0f}"
    return _(
        "Entropy {entropy} nats: as unsure as among {count} equally likely words",
        entropy=decimal(mask.entropy, 2),
        count=count,
    )


def about_original(mask: MaskPredictions) -> str:
    """Where the hidden word stands; "" for a mask that was typed."""
    original = mask.original
    if original is None:
        return ""
    word = word_or_piece(original)
    return _(
        "Original “{word}”: rank {rank}, probability {in_digits}",
        word=word,
        rank=original.rank,
        in_digits=in_digits(original.probability),
    )


def independence_said(result: MaskedTokensResult) -> str:
    """How masks were predicted beside each other, or how the model saw the text; "" for neither."""
    if result.note:
        return said(result.note)
    if len(result.masks) < 2:
        return ""
    return _(INDEPENDENT) + (_(OF_ONE_WORD) if _parts_of_one_word(result) else "")


def _parts_of_one_word(result: MaskedTokensResult) -> bool:
    """Whether masks stand side by side in a word."""
    tokens = result.tokens
    return any(
        tokens[mask.position].joined and tokens[mask.position - 1].masked
        for mask in result.masks
        if mask.position
    )
