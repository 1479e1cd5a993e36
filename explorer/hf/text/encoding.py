"""Text to what a model sees: input ids with masks, and tokens that know their characters.

The text is cut into tokens first, as a whole, and masks are put in afterwards, over every token
that a masked character range touches. So masking a word never changes how its neighbours are cut.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.family import CheckpointFault, Encoded, LeftOut, LoadedModel, Token
from explorer.document import Mask
from explorer.hf.text.parts import CutText, MaskPiece, TextPart
from explorer.text import N_
from explorer.text.printable import brief

SAMPLE = 16
"""Characters that show where the tokenizer puts its special tokens around a text."""


def encode_text(
    model: LoadedModel,
    text: str,
    pair: str | None = None,
    masks: Sequence[Mask] = (),
) -> Encoded:
    """Tokenise with the model's tokenizer and put in its masks.

    A literal [MASK], or the model's own mask token, counts as a mask where it is typed. A text
    that is too long is cut at its end: what comes last in reading order is left out. This is how
    most families read; any model is asked through `LoadedModel.encode`.

    Args:
        model: Whose tokenizer cuts.
        text: The sentence.
        pair: The second one; None for none.
        masks: Masked ranges of characters.

    Raises:
        Unavailable: Something is masked and the tokenizer has no mask token.
        CheckpointFault: The tokenizer has more pieces than the model has embeddings.
    """
    tokens, types, left_out = tokens_of(model.tokenizer, text, pair, masks, model.max_length)
    return input_of(model, tokens, types, left_out)


def input_of(
    model: LoadedModel,
    tokens: tuple[Token, ...],
    types: Sequence[int],
    left_out: LeftOut | None,
    ids: Sequence[int] | None = None,
) -> Encoded:
    """Tensors for tokens.

    Args:
        model: Whose input it is.
        tokens: The sequence.
        types: A token type (0 or 1) for each, used where the model takes them.
        left_out: What did not fit.
        ids: What the model sees at each token, where that is not the token's own number.

    Raises:
        CheckpointFault: The tokenizer has more pieces than the model has embeddings.
    """
    import torch

    ids = [token.id for token in tokens] if ids is None else ids
    rows = getattr(model.config, "vocab_size", None)
    if rows is not None and ids and max(ids) >= rows:
        piece = next(t.text for t, number in zip(tokens, ids, strict=True) if number >= rows)
        raise CheckpointFault(
            N_('The tokenizer knows "{piece}", for which the model has no embedding.'),
            N_("The tokenizer's files belong to another model: copy the right ones."),
            piece=brief(piece),
        )
    device = torch.device(model.device)
    inputs = {"input_ids": torch.tensor([ids], dtype=torch.long, device=device)}
    if "token_type_ids" in model.tokenizer.model_input_names:
        inputs["token_type_ids"] = torch.tensor([types], dtype=torch.long, device=device)
    positions = tuple(i for i, token in enumerate(tokens) if token.masked)
    return Encoded(inputs, tokens, positions, left_out)


def tokens_of(
    tokenizer: Any,
    text: str,
    pair: str | None,
    masks: Sequence[Mask],
    limit: int | None,
    *,
    mask: MaskPiece | None = None,
    cut: Callable[[str, int], CutText] | None = None,
) -> tuple[tuple[Token, ...], list[int], LeftOut | None]:
    """The tokens of a text, their token types (0 or 1), and what did not fit.

    Args:
        tokenizer: A fast transformers tokenizer.
        text: The sentence.
        pair: The second one; None or empty when there is none.
        masks: Masked ranges of characters.
        limit: Longest input in tokens, special ones included; None for no limit.
        mask: What stands for a masked token; None for the tokenizer's own mask token.
        cut: How a text (with its number, 0 or 1) is cut, where not by the tokenizer as it is.

    Raises:
        Unavailable: Something is masked and nothing can stand there.
    """
    if mask is None and tokenizer.mask_token is not None:
        mask = MaskPiece(tokenizer.mask_token, tokenizer.mask_token_id)
    backend = tokenizer.backend_tokenizer
    # A tokenizer.json may carry a limit and padding of its own; both would go unnoticed.
    backend.no_truncation()
    backend.no_padding()
    parts = [
        TextPart(tokenizer, words, number, masks, mask, cut)
        for number, words in enumerate((text, pair) if pair else (text,))
    ]
    kept, layout, left_out = _fit(backend, parts, limit)
    tokens: list[Token] = []
    types: list[int] = []
    for slot in layout:
        if slot.part is None:
            place = tokens[-1].end if tokens else 0
            part = tokens[-1].part if tokens else 0
            tokens.append(Token(slot.piece, slot.id, place, place, special=True, part=part))
            types.append(slot.type)
        else:
            tokens.extend(parts[slot.part].tokens(kept[slot.part]))
            types.extend([slot.type] * kept[slot.part])
    return tuple(tokens), types, left_out


@dataclass(frozen=True)
class _Slot:
    """One special token of the model's input, or the place of a text."""

    type: int
    part: int | None = None
    piece: str = ""
    id: int = 0


def _fit(
    backend: Any, parts: list[TextPart], limit: int | None
) -> tuple[list[int], list[_Slot], LeftOut | None]:
    """How many tokens of each part are kept, where they go, and what is left out.

    The cut is at one place, in reading order: the second text loses its end first, and the first
    text loses anything only when there is no room for it alone, without the second.
    """
    sizes = [len(part) for part in parts]
    layout = _layout(backend, parts)
    room = _room(layout, limit)
    if room is None or sum(sizes) <= room:
        return sizes, layout, None
    assert limit is not None
    if len(parts) == 2 and sizes[0] >= room:
        layout = _layout(backend, parts[:1])
        room = _room(layout, limit) or 0
    kept = [min(sizes[0], room)]
    if len(parts) == 2:
        kept.append(max(0, room - sizes[0]) if any(s.part == 1 for s in layout) else 0)
    cut = next(i for i, part in enumerate(parts) if kept[i] < len(part))
    left_out = LeftOut(
        tokens=sum(sizes) - sum(kept),
        limit=limit,
        part=cut,
        start=parts[cut].start_of(kept[cut]),
        masks=sum(part.masks_from(count) for part, count in zip(parts, kept, strict=True)),
    )
    return kept, layout, left_out


def _room(layout: list[_Slot], limit: int | None) -> int | None:
    """Tokens that fit between the special ones."""
    if limit is None:
        return None
    return max(0, limit - sum(slot.part is None for slot in layout))


def _layout(backend: Any, parts: list[TextPart]) -> list[_Slot]:
    """Where the tokenizer puts special tokens around texts, seen on their first words.

    A sample is enough, and so a long text is never run through the tokenizer's own cutting, which
    would make every other window of it too.
    """
    samples = []
    for part in parts:
        start = part.places[0][0] if part.places else 0
        samples.append(part.readable[start : start + SAMPLE])
    sample = backend.encode(*samples)
    slots: list[_Slot] = []
    for i, part_number in enumerate(sample.sequence_ids):
        kind = sample.type_ids[i]
        if part_number is None:
            slots.append(_Slot(kind, None, sample.tokens[i], sample.ids[i]))
        elif not any(slot.part == part_number for slot in slots):
            slots.append(_Slot(kind, part_number))
    return slots
