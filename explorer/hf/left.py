"""Predictions from what stands to the left: for models that read in one direction only.

Such a model has no mask token. What it expects at a masked place is what it expects to come next
after everything before that place (Radford et al. 2018, section 3.1).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api import Context, LoadedModel, Token, UserMistake
from explorer.document import MASK_LITERAL, Mask
from explorer.hf.cancelling import cancellable
from explorer.hf.encoding import Encoded, input_of, tokens_of
from explorer.hf.masked import answers_of
from explorer.hf.parts import Cut, MaskPiece
from explorer.operations.fill_mask import (
    FillMask,
    FillMaskResult,
    MaskPredictions,
    check,
    check_masked,
)

LEFT = "left"
"""Key of LoadedModel.extras under which a family that reads from the left keeps its `Left`."""

NOTHING = MaskPiece(MASK_LITERAL, -1)
"""What a masked token is shown as; the vocabulary has no piece for it."""

_TYPED = re.compile(rf"\s*{re.escape(MASK_LITERAL)}")
"""A typed mask takes the space before it along, as the piece that is expected there has it."""


@dataclass(frozen=True)
class Left:
    """How a family reads from the left.

    Attributes:
        start: The token that began every text in its training, put before a text whose very first
            token is masked; None where there is none.
        cache: Makes a transformers cache, so that no token is run twice; None for models that
            take none.
        who: What the note calls the model: "GPT-2".
    """

    start: MaskPiece | None
    cache: Callable[[], Any] | None
    who: str

    def note(self, masks: int) -> str:
        """What a person must know of answers at this many masks."""
        note = f"{self.who} reads from the left: it saw only what stands before each mask"
        if masks > 1:
            note += ", with its own best guess in the place of every mask before it"
        return f"{note}."


@dataclass(frozen=True)
class _Cut:
    """Texts between typed masks, each cut alone, put together again."""

    ids: list[int]
    offsets: list[tuple[int, int]]
    words: list[int | None]

    def token_to_word(self, index: int, /) -> int | None:
        return self.words[index]


def cut_around_masks(encode: Callable[[str], Cut], text: str) -> Cut:
    """Cut a text whose typed masks are no text: nothing of "[MASK]" reaches the tokenizer."""
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
            ids.append(NOTHING.id)
            offsets.append((found.end() - len(MASK_LITERAL), found.end()))
            words.append(None)
            place = found.end()
    return _Cut(ids, offsets, words)


def encode_left(
    left: Left,
    model: LoadedModel,
    text: str,
    pair: str | None,
    masks: Sequence[Mask],
    *,
    begin: bool = False,
) -> Encoded:
    """Text to tokens; masked ones show "[MASK]" and have the number -1.

    The input ids hold, at a masked token, the token that the user masked, or the unknown token
    for a mask that was typed: whoever runs the model must not let a later position see them
    (`predict_left` puts the model's own guesses there).

    A text whose first token is masked begins with the family's start token, if it has one; with
    `begin` every text does.
    """

    def cut(words: str, _part: int) -> Cut:
        return cut_around_masks(
            lambda piece: model.tokenizer.backend_tokenizer.encode(piece, add_special_tokens=False),
            words,
        )

    def tokens_within(limit: int | None) -> Any:
        return tokens_of(model.tokenizer, text, pair, masks, limit, mask=NOTHING, cut=cut)

    tokens, types, left_out = tokens_within(model.max_length)
    if tokens and (begin or tokens[0].masked) and left.start is not None:
        if model.max_length is not None:
            tokens, types, left_out = tokens_within(model.max_length - 1)
        start = Token(left.start.text, left.start.id, 0, 0, special=True)
        tokens, types = (start, *tokens), [0, *types]
    return input_of(model, tokens, types, left_out, ids_of(model, tokens))


def ids_of(model: LoadedModel, tokens: Sequence[Token]) -> list[int]:
    """Input ids; at a masked token the one it hides, or the unknown token for a typed mask."""
    hidden = model.tokenizer.unk_token_id or 0
    return [
        token.id if not token.masked else hidden if token.original is None else token.original
        for token in tokens
    ]


def predict_left(
    left: Left, model: LoadedModel, encoded: Encoded, top_k: int, context: Context
) -> tuple[MaskPredictions, ...]:
    """What the model expects next, after everything that stands before each mask.

    A mask that stands before another one is filled with the model's own most probable piece when
    the later one is predicted, so nothing that the user hid is seen. The head runs once a mask, at
    the last position before it. Probabilities, entropies and ranks are as for masked models.

    Raises:
        UserMistake: The very first token is masked and nothing can stand before it.
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    head = model.masked_lm_head
    assert head is not None
    if 0 in encoded.mask_positions:
        raise UserMistake(
            f"{left.who} predicts from what stands before a mask, and before the first token there "
            "is nothing.",
            "Put a word before the mask, or mask a later one.",
        )
    ids = encoded.input_ids.clone()
    cache = left.cache() if left.cache is not None else None
    answers: list[MaskPredictions] = []
    seen = 0
    with torch.inference_mode(), cancellable(context):
        for position in encoded.mask_positions:
            inputs = {**encoded.inputs, "input_ids": ids}
            before = {name: values[:, seen:position] for name, values in inputs.items()}
            if cache is not None:
                before |= {"past_key_values": cache, "use_cache": True}
                seen = position
            hidden = model.encoder(**before)
            logits = head(hidden[0, -1:]).float()
            answer = next(answers_of(model, encoded, logits, [position], top_k, keep=True))
            answers.append(answer)
            ids[0, position] = answer.predictions[0].id
    return tuple(answers)


def run_left(left: Left, model: LoadedModel, request: FillMask, context: Context) -> FillMaskResult:
    """Answer FillMask from the left.

    Raises:
        UserMistake: The text is empty, nothing is masked, or there is a second text.
    """
    check(request)
    if request.pair:
        raise UserMistake(
            f"{left.who} reads one text.", "Put both into one text, or take the second away."
        )
    context.check()
    encoded = encode_left(left, model, request.text, None, request.masks)
    check_masked(encoded)
    answers = predict_left(left, model, encoded, request.top_k, context)
    note = left.note(len(answers))
    first = encoded.tokens[0]
    if first.special and encoded.tokens[1].masked:
        note += f" Before the first one stands only {first.text}, which starts a text."
    return FillMaskResult(model.stamp, encoded.tokens, answers, encoded.left_out, note)
