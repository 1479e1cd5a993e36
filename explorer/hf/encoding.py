"""Text to what a model sees: input ids with masks, and tokens that know their characters.

The text is cut into tokens first, as a whole, and masks are put in afterwards, over every token
that a masked character range touches. So masking a word never changes how its neighbours are cut.
"""

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api import CheckpointFault, LeftOut, LoadedModel, Token, Unavailable
from explorer.document import MASK_LITERAL, Mask
from explorer.hf.pieces import special_pieces

JOINERS = frozenset("\u200d\ufe0e\ufe0f")
"""Characters that belong to the one before them, as combining marks do."""

SAMPLE = 16
"""Characters that show where the tokenizer puts its special tokens around a text."""


@dataclass(frozen=True)
class Encoded:
    """A model's input.

    Attributes:
        inputs: Keyword arguments for the encoder: input_ids, and token_type_ids where the model
            takes them; int64 tensors (1 x tokens) on the model's device. There is one sequence
            and no padding, so no attention mask.
        tokens: In order, special ones included.
        mask_positions: Indices of the masked tokens.
        left_out: What did not fit, or None.
    """

    inputs: dict[str, Any]
    tokens: tuple[Token, ...]
    mask_positions: tuple[int, ...]
    left_out: LeftOut | None

    @property
    def input_ids(self) -> Any:
        """Tensor (1 x tokens), int64."""
        return self.inputs["input_ids"]


def encode(
    model: LoadedModel,
    text: str,
    pair: str | None = None,
    masks: Sequence[Mask] = (),
) -> Encoded:
    """Tokenise with the model's tokenizer and put in its masks.

    A literal [MASK], or the model's own mask token, counts as a mask where it is typed. A text
    that is too long is cut at its end: what comes last in reading order is left out.

    Raises:
        Unavailable: Something is masked and the tokenizer has no mask token.
        CheckpointFault: The tokenizer has more pieces than the model has embeddings.
    """
    import torch

    tokens, types, left_out = tokens_of(model.tokenizer, text, pair, masks, model.max_length)
    ids = [token.id for token in tokens]
    rows = getattr(model.config, "vocab_size", None)
    if rows is not None and ids and max(ids) >= rows:
        piece = next(token.text for token in tokens if token.id >= rows)
        raise CheckpointFault(
            f'The tokenizer knows "{piece}", for which the model has no embedding.',
            "The tokenizer's files belong to another model: copy the right ones.",
        )
    device = torch.device(model.stamp.device)
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
) -> tuple[tuple[Token, ...], list[int], LeftOut | None]:
    """The tokens of a text, their token types (0 or 1), and what did not fit.

    Args:
        tokenizer: A fast transformers tokenizer.
        text: The sentence.
        pair: The second one; None or empty when there is none.
        masks: Masked ranges of characters.
        limit: Longest input in tokens, special ones included; None for no limit.

    Raises:
        Unavailable: Something is masked and the tokenizer has no mask token.
    """
    backend = tokenizer.backend_tokenizer
    # A tokenizer.json may carry a limit and padding of its own; both would go unnoticed.
    backend.no_truncation()
    backend.no_padding()
    parts = [
        _Part(tokenizer, words, number, masks)
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


class _Part:
    """One of the texts, cut into tokens that are described only when they are kept."""

    def __init__(self, tokenizer: Any, text: str, number: int, masks: Sequence[Mask]) -> None:
        self._tokenizer = tokenizer
        self._text = text
        self._number = number
        self._mask = tokenizer.mask_token
        ranges = sorted((m.start, m.end) for m in masks if m.part == number and m.start < m.end)
        self._starts, self._ends = _merged(ranges)
        if self._mask is None and (self._starts or MASK_LITERAL in text):
            raise Unavailable("This model's tokenizer has no mask token, so nothing can be masked.")
        self.readable, self._moves = _with_own_mask(text, self._mask)
        encoding = tokenizer.backend_tokenizer.encode(self.readable, add_special_tokens=False)
        self._encoding = encoding
        self._ids: list[int] = encoding.ids
        self.places: list[tuple[int, int]] = encoding.offsets

    def __len__(self) -> int:
        return len(self._ids)

    def start_of(self, index: int) -> int:
        """First character of a token."""
        return self._offset(index)[0]

    def masks_from(self, index: int) -> int:
        """Number of masked tokens from an index on."""
        mask = self._tokenizer.mask_token_id
        count: int = sum(number == mask for number in self._ids[index:])
        ends = [end for _, end in self.places]
        seen = index
        for start, end in zip(self._starts, self._ends, strict=True):
            seen = max(seen, bisect_left(ends, start))
            while seen < len(ends) and self._offset(seen)[0] < end:
                count += self._ids[seen] != mask and self._touched(*self._offset(seen))
                seen += 1
        return count

    def tokens(self, count: int) -> Iterable[Token]:
        """Describe the first tokens."""
        special = special_pieces(self._tokenizer)
        unknown = self._tokenizer.unk_token_id
        name_of = self._tokenizer.backend_tokenizer.id_to_token
        before: Token | None = None
        word_before: int | None = None
        for i in range(count):
            start, end = self._offset(i)
            number = self._ids[i]
            # Unigram's own encoding gives the characters of an unknown piece, not its name.
            piece = str(name_of(number))
            word = self._encoding.token_to_word(i)
            typed_mask = self._mask is not None and piece == self._mask
            typed = piece in special and self._text[start:end].strip() == piece
            token = Token(
                piece,
                number,
                start,
                end,
                special=False,
                part=self._number,
                masked=typed_mask,
                unknown=number == unknown and not typed,
                joined=(
                    before is not None
                    and word is not None
                    and word == word_before
                    and start <= before.end
                ),
                reserved=typed and not typed_mask,
            )
            if not typed_mask and self._touched(start, end):
                token = replace(
                    token,
                    text=self._mask,
                    id=self._tokenizer.mask_token_id,
                    masked=True,
                    original=number,
                    unknown=False,
                    reserved=False,
                )
            before, word_before = token, word
            yield token

    def _touched(self, start: int, end: int) -> bool:
        """Whether a masked range shares a character with a token."""
        at = bisect_left(self._ends, start + 1)
        return at < len(self._starts) and self._starts[at] < end

    def _offset(self, index: int) -> tuple[int, int]:
        """A token's characters in the text as the user typed it, without the spaces around a word.

        Tokenizers count some spaces to the word behind them; and marks that the tokenizer drops
        (accents of uncased models) belong to the character they stand on.
        """
        text, places = self._text, self.places
        start, end = (self._moved(place) for place in places[index])
        while start < end - 1 and text[start].isspace():
            start += 1
        while end - 1 > start and text[end - 1].isspace():
            end -= 1
        following = self._moved(places[index + 1][0]) if index + 1 < len(places) else len(text)
        while start < end < following and _leans_back(text[end]):
            end += 1
        return start, end

    def _moved(self, place: int) -> int:
        """A place in the tokenizer's text as a place in the user's."""
        shift = 0
        for start, end, longer in self._moves:
            if place <= start:
                break
            if place < end:
                return start + shift
            shift -= longer
        return place + shift


def _leans_back(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me") or character in JOINERS


def _merged(ranges: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Starts and ends of ranges, those that overlap as one; both lists grow."""
    starts: list[int] = []
    ends: list[int] = []
    for start, end in ranges:
        if ends and start <= ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            starts.append(start)
            ends.append(end)
    return starts, ends


def _with_own_mask(text: str, mask: str | None) -> tuple[str, list[tuple[int, int, int]]]:
    """The text with the tokenizer's own mask token for every [MASK].

    Returns:
        The text, and where it was changed: start and end of the mask in the new text, and how
        much longer than [MASK] it is. Lone surrogates, which no tokenizer takes, become U+FFFD.
    """
    if any("\ud800" <= character <= "\udfff" for character in text):
        text = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    if mask is None or mask == MASK_LITERAL or MASK_LITERAL not in text:
        return text, []
    longer = len(mask) - len(MASK_LITERAL)
    moves: list[tuple[int, int, int]] = []
    pieces = text.split(MASK_LITERAL)
    place = 0
    for piece in pieces[:-1]:
        place += len(piece)
        moves.append((place, place + len(mask), longer))
        place += len(mask)
    return mask.join(pieces), moves


def _fit(
    backend: Any, parts: list[_Part], limit: int | None
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


def _layout(backend: Any, parts: list[_Part]) -> list[_Slot]:
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
