"""One text as two models read it, with the places at which both have a mask."""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.api.family import Encoded, LoadedModel, Mask, Token
from explorer.document import MASK_LITERAL, Document, ranges_of


@dataclass(frozen=True)
class SharedMask:
    """A mask that both models have.

    Attributes:
        position: Index of its token in `TwoReadings.tokens`.
        left: Which of the first model's masks it is, from 0.
        right: Which of the second's.
        after_space: A space stands before it in the text.
        original: The words that are masked; "" for a mask that was typed.
        original_id: Their number in the first model's vocabulary, where they are one of its pieces.
    """

    position: int
    left: int
    right: int
    after_space: bool
    original: str
    original_id: int | None = None


@dataclass(frozen=True)
class TwoReadings:
    """A text as two models see it.

    Attributes:
        left: The first model's input.
        right: The second's.
        tokens: The first model's tokens, on the text as the user wrote it.
        places: The masks, in the order of the text.
        same_tokens: Both models cut the text into the same pieces.
        joined: A masked range that the two cut differently became one mask in either.
    """

    left: Encoded
    right: Encoded
    tokens: tuple[Token, ...]
    places: tuple[SharedMask, ...]
    same_tokens: bool
    joined: bool = False


def read_twice(
    left: LoadedModel,
    right: LoadedModel,
    text: str,
    pair: str | None = None,
    masks: Sequence[Mask] = (),
    *,
    whole: bool = False,
) -> TwoReadings:
    """Encode a text for two models so that their masks can be laid side by side.

    Where the models cut a masked range into different pieces, it becomes one mask in either.

    Args:
        left: The first model.
        right: The second.
        text: The sentence.
        pair: The second one, or None.
        masks: Masked ranges of characters.
        whole: Each masked range is one mask, even where both models cut it alike.

    Raises:
        Unavailable: Something is masked and a tokenizer has no mask token.
    """
    document = Document(text, pair, tuple(masks))
    a, b = left.encode(text, pair, masks), right.encode(text, pair, masks)
    same_tokens = _pieces(a) == _pieces(b)
    ranges = _ranges(document)
    cut_alike = _masked_spans(a) == _masked_spans(b)
    if cut_alike and not (whole and len(a.mask_positions) > len(ranges)):
        places = tuple(
            _place(document, a.tokens[position], position, number)
            for number, position in enumerate(a.mask_positions)
        )
        return TwoReadings(a, b, a.tokens, places, same_tokens)
    written, written_pair = (_with_one_mask_each(document, ranges, part) for part in (0, 1))
    second = written_pair if pair is not None else None
    one, other = left.encode(written, second), right.encode(written, second)
    count = min(len(one.mask_positions), len(other.mask_positions))
    found: list[SharedMask] = []
    for number, mask in enumerate(ranges[:count]):
        position = _first_masked(a.tokens, mask)
        if position is not None:
            span = Token("", 0, mask.start, mask.end, special=False, part=mask.part)
            found.append(_place(document, span, position, number))
    return TwoReadings(one, other, a.tokens, tuple(found), same_tokens=False, joined=True)


def _pieces(encoded: Encoded) -> list[tuple[str, int, int, int]]:
    return [(token.text, token.part, token.start, token.end) for token in encoded.tokens]


def _masked_spans(encoded: Encoded) -> list[tuple[int, int, int]]:
    chosen = (encoded.tokens[position] for position in encoded.mask_positions)
    return [(token.part, token.start, token.end) for token in chosen]


def _place(document: Document, token: Token, position: int, number: int) -> SharedMask:
    written = document.part(token.part)
    words = written[token.start : token.end]
    return SharedMask(
        position,
        number,
        number,
        after_space=token.start > 0 and written[token.start - 1].isspace(),
        original="" if words == MASK_LITERAL or not _is_users(document, token) else words,
        original_id=token.original,
    )


def _is_users(document: Document, token: Token) -> bool:
    return document.is_masked(token.start, token.end, token.part)


def _ranges(document: Document) -> list[Mask]:
    """Masked ranges, the user's and those that were typed, in the order of the text."""
    for typed in document.literal_masks():
        document = document.with_mask(typed.start, typed.end, typed.part)
    return list(ranges_of(document.masks))


def _with_one_mask_each(document: Document, ranges: Sequence[Mask], part: int) -> str:
    text, written, end = document.part(part), "", 0
    for mask in ranges:
        if mask.part == part:
            written += text[end : mask.start] + MASK_LITERAL
            end = mask.end
    return written + text[end:]


def _first_masked(tokens: Sequence[Token], mask: Mask) -> int | None:
    for index, token in enumerate(tokens):
        inside = token.start < mask.end and token.end > mask.start
        if token.masked and token.part == mask.part and inside:
            return index
    return None
