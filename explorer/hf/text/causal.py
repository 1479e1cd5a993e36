"""Text to what a model sees that reads from the left: it has no mask token."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.family import Encoded, LoadedModel, Token
from explorer.document import MASK_LITERAL, Mask
from explorer.hf.text.encoding import input_of, tokens_of
from explorer.hf.text.parts import CutText, MaskPiece

NO_PIECE = MaskPiece(MASK_LITERAL, -1)
"""What a masked token is shown as; the vocabulary has no piece for it."""

_TYPED = re.compile(rf"\s*{re.escape(MASK_LITERAL)}")
"""A typed mask takes the space before it along, as the piece that is expected there has it."""


@dataclass(frozen=True)
class _Cut:
    """Texts between typed masks, each cut alone, put together again."""

    ids: list[int]
    offsets: list[tuple[int, int]]
    words: list[int | None]

    def token_to_word(self, index: int, /) -> int | None:
        return self.words[index]


def cut_around_masks(encode: Callable[[str], CutText], text: str) -> CutText:
    """Cut a text whose typed masks are no text: nothing of "[MASK]" reaches the tokenizer.

    Args:
        encode: Cuts a text into pieces.
        text: As it is typed.
    """
    ids: list[int] = []
    offsets: list[tuple[int, int]] = []
    words: list[int | None] = []
    place = 0
    for found in (*_TYPED.finditer(text), None):
        end = found.start() if found is not None else len(text)
        piece = encode(text[place:end])
        first = len(words)
        for i, (number, (begin, stop)) in enumerate(zip(piece.ids, piece.offsets, strict=True)):
            word = piece.token_to_word(i)
            ids.append(number)
            offsets.append((begin + place, stop + place))
            words.append(None if word is None else first + word)
        if found is not None:
            ids.append(NO_PIECE.id)
            offsets.append((found.end() - len(MASK_LITERAL), found.end()))
            words.append(None)
            place = found.end()
    return _Cut(ids, offsets, words)


def encode_left(
    model: LoadedModel,
    text: str,
    pair: str | None,
    masks: Sequence[Mask],
    *,
    start: MaskPiece | None = None,
    begin: bool = False,
) -> Encoded:
    """Text to tokens; masked ones show "[MASK]" and have the number -1.

    The input ids hold, at a masked token, the token that the user masked, or the unknown token
    for a mask that was typed: whoever runs the model must not let a later position see them.

    A text whose first token is masked begins with the token that began every text in training
    (`start`), if there is one; with `begin` every text does.

    Args:
        model: Whose tokenizer cuts.
        text: The sentence.
        pair: The second one; None for none.
        masks: Masked ranges of characters.
        start: What began every text in training; None where nothing did.
        begin: Whether every text begins so.
    """

    def cut(words: str, _part: int) -> CutText:
        return cut_around_masks(
            lambda piece: model.tokenizer.backend_tokenizer.encode(piece, add_special_tokens=False),
            words,
        )

    def tokens_within(limit: int | None) -> Any:
        return tokens_of(model.tokenizer, text, pair, masks, limit, mask=NO_PIECE, cut=cut)

    tokens, types, left_out = tokens_within(model.max_length)
    if (begin or (tokens and tokens[0].masked)) and start is not None:
        if model.max_length is not None:
            tokens, types, left_out = tokens_within(model.max_length - 1)
        first = Token(start.text, start.id, 0, 0, special=True)
        tokens, types = (first, *tokens), [0, *types]
    return input_of(model, tokens, types, left_out, ids_of(model, tokens))


def ids_of(model: LoadedModel, tokens: Sequence[Token]) -> list[int]:
    """Input ids; at a masked token the one it hides, or the unknown token for a typed mask.

    Args:
        model: Whose tokenizer cut them.
        tokens: The sequence.
    """
    hidden = model.tokenizer.unk_token_id or 0
    return [
        token.id if not token.masked else hidden if token.original is None else token.original
        for token in tokens
    ]
