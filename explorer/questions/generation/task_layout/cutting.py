"""Layouts in a model's pieces: its own as it reads them, and what those of others would be."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.question import CausalLM, Encoded, GenerativeQA, LeftOut, Token
from explorer.hf.predict.heads.tasks import first_position_of
from explorer.hf.text.causal import ids_of
from explorer.hf.text.encoding import input_of
from explorer.hf.text.vocabularies.pieces import SPACE, WORD_START
from explorer.hf.text.vocabularies.pieces import written as spelled
from explorer.questions.generation.task_layout.layouts import (
    Item,
    LayoutStyle,
    LayoutWords,
    SpecialPiece,
    written,
)
from explorer.questions.generation.task_layout.question import LaidPiece, LaidSequence

NAMES = {
    SpecialPiece.START: ("_start_", "bos_token"),
    SpecialPiece.DELIMITER: ("_delimiter_", "sep_token"),
    SpecialPiece.EXTRACT: ("_classify_", "cls_token"),
}
"""What GPT-1's special pieces are called: in the authors' code, and as a tokenizer's own."""


@dataclass(frozen=True)
class Read:
    """A sequence, and what the model is given for it.

    Attributes:
        sequence: As it is drawn.
        encoded: The input; None where it holds a special piece that the vocabulary lacks.
    """

    sequence: LaidSequence
    encoded: Encoded | None = None

    @property
    def left_out(self) -> LeftOut | None:
        """What did not fit."""
        return self.encoded.left_out if self.encoded is not None else None


def style_of(model: Any) -> LayoutStyle:
    """The layout that a model's own class has."""
    if GenerativeQA in model.ports:
        return LayoutStyle.T5
    if _has_decoder(model):  # with a head in the place of a text
        return LayoutStyle.BERT
    # What reads from the left either writes or puts nothing around a text.
    is_left = CausalLM in model.ports or not any(t.special for t in model.encode("a").tokens)
    return LayoutStyle.GPT1 if is_left else LayoutStyle.BERT


def _has_decoder(model: Any) -> bool:
    return bool(getattr(model.config, "is_encoder_decoder", False))


def read_by(model: Any, style: LayoutStyle, items: Sequence[Item]) -> Read:
    """A sequence as a model of its family reads it."""
    if style is LayoutStyle.GPT1:
        return _from_left(model, items)
    if style is LayoutStyle.T5:
        encoded = model.encode(written(items))
        return Read(LaidSequence(_of_one_text(model, items, encoded.tokens)), encoded)
    texts = [item for item in items if isinstance(item, LayoutWords)]
    # Classes with a decoder judge by the piece that ends the text, as it has read all others.
    return between_own_pieces(model, texts, last=_has_decoder(model))


def between_own_pieces(model: Any, texts: Sequence[LayoutWords], *, last: bool = False) -> Read:
    """One text or two, with what the tokenizer itself puts around them.

    Args:
        model: Who reads.
        texts: In order.
        last: Read out at the last piece.
    """
    encoded: Encoded = model.encode(*(one.text for one in texts))
    types = encoded.inputs.get("token_type_ids")
    segments: Sequence[int | None] = [None] * len(encoded.tokens)
    if types is not None and getattr(model.config, "type_vocab_size", 0) > 1:
        segments = types[0].tolist()
    pieces = tuple(
        _piece(model, token, texts[token.part], segment)
        for token, segment in zip(encoded.tokens, segments, strict=True)
    )
    judged = len(pieces) - 1 if last else first_position_of(encoded, model.tokenizer.cls_token_id)
    return Read(LaidSequence(pieces, (judged or 0,)), encoded)


def drawn_in(model: Any, style: LayoutStyle, items: Sequence[Item]) -> LaidSequence:
    """Another family's sequence, in this model's pieces; special ones by their names alone."""
    if style is LayoutStyle.T5:
        tokens = [one for one in _cut(model, written(items)) if not one.special]
        return LaidSequence((*_of_one_text(model, items, tokens), _named(SpecialPiece.END)))
    pieces: list[LaidPiece] = []
    second = False
    for item in items:
        segment = int(second) if style is LayoutStyle.BERT else None
        if isinstance(item, SpecialPiece):
            pieces.append(_named(item, segment))
            second = second or item is SpecialPiece.SEP
        else:
            pieces += [_piece(model, one, item, segment) for one in _cut(model, item.text)]
    return LaidSequence(tuple(pieces), read_out(style, pieces))


def read_out(style: LayoutStyle, pieces: Sequence[LaidPiece]) -> tuple[int, ...]:
    """The positions whose states feed the head."""
    if style is LayoutStyle.GPT1:
        return (len(pieces) - 1,)
    return () if style is LayoutStyle.T5 else (0,)


def passage_of(sequence: LaidSequence) -> LaidSequence:
    """The same, read out at every piece of the text: where an answer may begin and end."""
    places = (n for n, one in enumerate(sequence.pieces) if one.field == "first")
    return LaidSequence(sequence.pieces, tuple(places))


def special_piece(model: Any, mark: SpecialPiece) -> tuple[str, int] | None:
    """The piece that stands for a mark and its number; None where the model has none."""
    name, role = NAMES[mark]
    tokenizer = model.tokenizer
    rows = getattr(model.config, "vocab_size", None)
    other = {tokenizer.unk_token, tokenizer.eos_token}
    for piece in (name, getattr(tokenizer, role, None)):
        number = None if piece is None else tokenizer.backend_tokenizer.token_to_id(piece)
        # A piece without a vector was never read; the end of a text is no start of one.
        if number is not None and piece not in other and (rows is None or number < rows):
            return str(piece), int(number)
    return None


def missing_from(model: Any, sequences: Sequence[Sequence[Item]]) -> tuple[str, ...]:
    """Names of GPT-1's special pieces that sequences need and a vocabulary lacks."""
    marks = dict.fromkeys(
        item for one in sequences for item in one if isinstance(item, SpecialPiece)
    )
    return tuple(one.value for one in marks if special_piece(model, one) is None)


def _from_left(model: Any, items: Sequence[Item]) -> Read:
    pieces: list[LaidPiece] = []
    tokens: list[Token] = []
    complete = True
    for item in items:
        if isinstance(item, SpecialPiece):
            found = special_piece(model, item)
            pieces.append(_named(item, None, found))
            complete = complete and found is not None
            if found is not None:
                tokens.append(Token(*found, 0, 0, special=True))
        else:
            own = _cut(model, item.text)
            tokens += own
            pieces += [_piece(model, one, item) for one in own]
    sequence = LaidSequence(tuple(pieces), read_out(LayoutStyle.GPT1, pieces))
    if not complete:
        return Read(sequence)
    kept = tuple(tokens)
    return Read(sequence, input_of(model, kept, [0] * len(kept), None, ids_of(model, kept)))


def _cut(model: Any, text: str) -> list[Token]:
    """A text's own pieces, without what the tokenizer puts around it."""
    return [one for one in model.encode(text, whole=True).tokens if not one.special]


def _of_one_text(
    model: Any, items: Sequence[Item], tokens: Sequence[Token]
) -> tuple[LaidPiece, ...]:
    """The pieces of a text that was cut as a whole: some are the user's, some the layout's."""
    line = written(items)
    ends: list[tuple[int, str]] = []
    for item in items:
        if isinstance(item, LayoutWords):
            ends.append(((ends[-1][0] if ends else 0) + len(item.text), item.field))
    return tuple(
        _piece(
            model,
            token,
            LayoutWords(line, next((field for end, field in ends if token.start < end), "")),
        )
        for token in tokens
    )


def _piece(model: Any, token: Token, words: LayoutWords, segment: int | None = None) -> LaidPiece:
    text = "" if token.special or token.masked else words.text[token.start : token.end].strip()
    if token.text in (WORD_START, SPACE):  # its characters are those of the piece behind it
        text = " "
    return LaidPiece(
        text or spelled(model.tokenizer, token.text),
        token.text,
        None if token.id < 0 else token.id,
        "" if token.special else words.field,
        token.special,
        segment,
        token.joined,
    )


def _named(
    mark: SpecialPiece, segment: int | None = None, found: tuple[str, int] | None = None
) -> LaidPiece:
    token, number = found if found is not None else (mark.value, None)
    return LaidPiece(mark.value, token, number, special=True, segment=segment)
