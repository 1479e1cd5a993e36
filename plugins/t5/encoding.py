"""Masked tokens as sentinels: every run of them becomes the next <extra_id_n>."""

import re
from collections.abc import Sequence
from dataclasses import replace

from explorer.api.family import Encoded, LoadedModel, Mask, Token, UserMistake
from explorer.hf import MaskPiece, input_of, tokens_of
from explorer.text import N_

SENTINEL = re.compile(r"<extra_id_\d+>")


def encode_spans(model: LoadedModel, text: str, pair: str | None, masks: Sequence[Mask]) -> Encoded:
    """Text to input ids with sentinels, each one token over all the characters that it hides.

    Raffel et al. 2020, section 3.1.4.

    A sentinel that the user typed counts as a mask, whatever its number. A text that is too long
    is cut before the masked tokens of a run become one.

    Raises:
        Unavailable: Something is masked and the tokenizer has no sentinels.
        UserMistake: There are more masked runs than sentinels.
    """
    sentinel = sentinel_of(model, 0)
    tokens, types, left_out = tokens_of(
        model.tokenizer, text, pair, masks, model.max_length, mask=sentinel
    )
    tokens = tuple(
        replace(t, masked=True, reserved=False) if t.reserved and SENTINEL.fullmatch(t.text) else t
        for t in tokens
    )
    merged: list[Token] = []
    kept_types: list[int] = []
    originals: list[tuple[int, ...] | None] = []
    for i, (token, kind) in enumerate(zip(tokens, types, strict=True)):
        if not token.masked:
            merged.append(token)
            kept_types.append(kind)
            continue
        piece = (token.original,) if token.original is not None else None
        if i and tokens[i - 1].masked and tokens[i - 1].part == token.part:
            before = originals[-1]
            originals[-1] = None if before is None or piece is None else before + piece
            original = merged[-1].original if originals[-1] is not None else None
            merged[-1] = replace(merged[-1], end=token.end, original=original)
            continue
        one = sentinel_of(model, len(originals))
        if one is None:
            raise UserMistake(
                N_("T5 tells {count} masked spans apart, and there are more here."),
                N_("Unmask some, or mask words that are together."),
                count=len(originals),
            )
        originals.append(piece)
        merged.append(replace(token, text=one.text, id=one.id))
        kept_types.append(kind)
    encoded = input_of(model, tuple(merged), kept_types, left_out)
    return replace(encoded, hidden=tuple(originals))


def sentinel_of(model: LoadedModel, number: int) -> MaskPiece | None:
    """The sentinel of a number, or None where the vocabulary has none."""
    text = f"<extra_id_{number}>"
    found = model.tokenizer.convert_tokens_to_ids(text)
    if found is None or found == model.tokenizer.unk_token_id:
        return None
    return MaskPiece(text, found)


def is_sentinel(model: LoadedModel, piece: int) -> bool:
    """Whether a piece of the vocabulary is a sentinel."""
    found = model.tokenizer.convert_ids_to_tokens(piece)
    return bool(found and SENTINEL.fullmatch(found))
