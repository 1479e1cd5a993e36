"""Texts in which nothing is said, from which attributions count."""

from dataclasses import dataclass
from typing import Any

from explorer.api.question import InputEmbeddings, LoadedModel, Query, UserMistake
from explorer.attribution.explained import ExplainedAnswer
from explorer.attribution.kinds import Baseline
from explorer.text import N_


@dataclass(frozen=True)
class Standing:
    """What stands in the place of the words, as a model has it.

    Attributes:
        piece: As its vocabulary writes it; "" for vectors of zeros.
        id: Its number; None for zeros.
    """

    piece: str
    id: int | None


def standing_of(model: LoadedModel, kind: Baseline) -> Standing:
    """The piece of a kind; the next best one where a vocabulary has none.

    A mask where there is one, else padding, else what ends a text, else zeros.
    """
    tokenizer = model.tokenizer
    numbers = {
        Baseline.MASK: (
            tokenizer.mask_token_id,
            tokenizer.pad_token_id,
            tokenizer.eos_token_id,
            tokenizer.unk_token_id,
        ),
        Baseline.PAD: (tokenizer.pad_token_id, tokenizer.eos_token_id, tokenizer.unk_token_id),
    }.get(kind, ())
    rows = int(getattr(model.config, "vocab_size", 0) or 0)
    for number in numbers:
        # A token that was put to the tokenizer alone has no row in the model's table.
        if number is not None and (not rows or number < rows):
            return Standing(str(tokenizer.convert_ids_to_tokens(number)), int(number))
    return Standing("", None)


def kept_places(explained: ExplainedAnswer) -> frozenset[int]:
    """Places that stay as they are in every baseline: what the model added, and the asked mask."""
    query = explained.query
    tokens = query.encoded.tokens
    kept = {n for n, token in enumerate(tokens) if token.special or token.reserved}
    kept |= {place for place in query.asked if place < len(tokens) and tokens[place].masked}
    return frozenset(kept)


def baseline_vectors(
    explained: ExplainedAnswer, own: Any, standing: Standing, kept: frozenset[int]
) -> Any:
    """The text's vectors with one piece's, or zeros, in the place of all that is not kept."""
    import torch

    port = explained.model.port(InputEmbeddings)
    zero = torch.zeros_like(own[:1])
    one = zero if standing.id is None else port.vectors((standing.id,)).to(own)
    return _keeping(own, one.expand_as(own), kept)


def vectors_of_text(
    explained: ExplainedAnswer, own: Any, text: str, pair: str | None, kept: frozenset[int]
) -> Any:
    """The vectors of another text, token for token.

    Raises:
        UserMistake: It has another number of tokens.
    """
    model, query = explained.model, explained.query
    encoded = model.encode(text, pair)
    if len(encoded.tokens) != len(query.encoded.tokens):
        raise UserMistake(
            N_("The baseline has {count} tokens, and the sentence has {wanted}."),
            N_("Type a baseline with the same number of tokens; [MASK] is one token."),
            count=len(encoded.tokens),
            wanted=len(query.encoded.tokens),
        )
    pieces = tuple(encoded.input_ids[0].tolist())[: len(own)]
    port = model.port(InputEmbeddings)
    other = port.vectors(pieces if min(pieces) >= 0 else _without_masks(pieces, query))
    return _keeping(own, other.to(own), kept)


def _without_masks(pieces: tuple[int, ...], query: Query) -> tuple[int, ...]:
    """Where a model has no piece for a mask, the sentence's own stays."""
    own = query.encoded.input_ids[0].tolist()
    return tuple(mine if piece < 0 else piece for piece, mine in zip(pieces, own, strict=False))


def _keeping(own: Any, other: Any, kept: frozenset[int]) -> Any:
    found = other.clone()
    places = [n for n in range(len(own)) if n in kept]
    found[places] = own[places]
    return found
