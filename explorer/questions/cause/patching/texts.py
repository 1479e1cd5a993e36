"""The two texts whose states are exchanged: typed, swapped, or chosen from the vocabulary."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.api.question import (
    Context,
    Direction,
    Encoded,
    InputEmbeddings,
    LoadedModel,
    Predictor,
    Query,
    UserMistake,
)
from explorer.document import Document
from explorer.hf.text.vocabularies.neighbours import nearest_words, spelled_like
from explorer.hf.text.vocabularies.word_lists import folds
from explorer.questions.cause.edits.places import EditPlace, places_of
from explorer.questions.cause.patching.question import PatchingRequest, WordOffer
from explorer.questions.cause.patching.swaps import Swap, swapped, swaps_of
from explorer.text import N_

OFFERED = 5
"""Words that are offered in the place of each."""


MOST_TRIED = 60
"""Texts that are tried where the program chooses."""


@dataclass(frozen=True)
class PatchedText:
    """One of the two.

    Attributes:
        encoded: As the model reads it.
        hidden: Positions that are masked beside those that the text masks itself.
    """

    encoded: Encoded
    hidden: tuple[int, ...] = ()

    def query(self, place: int) -> Query:
        """What is expected at a mask."""
        return Query(self.encoded, (place,), dict.fromkeys(self.hidden))


@dataclass(frozen=True)
class Swapped:
    """A text that is as long with another word in the place of one.

    Attributes:
        word: The other one.
        document: The text with it.
        encoded: That as the model reads it.
    """

    word: str
    document: Document
    encoded: Encoded


Offered = Sequence[tuple[EditPlace, Sequence[Swapped]]]
"""What could stand in the place of each word, nearest first."""


@dataclass(frozen=True)
class PatchingPair:
    """Both.

    Attributes:
        document: The first text and its masks.
        clean: The first text.
        corrupt: The second.
        other_text: The second as it is typed.
        swap: What was swapped, as it is typed.
        is_chosen: By the program.
        offered: What it chose from; None where it did not.
    """

    document: Document
    clean: PatchedText
    corrupt: PatchedText
    other_text: str
    swap: tuple[str, ...] = field(default=())
    is_chosen: bool = False
    offered: Offered | None = None


def pair_of(model: LoadedModel, request: PatchingRequest, context: Context) -> PatchingPair:
    """The two texts that a request is about.

    Raises:
        UserMistake: They differ in length, or in what is masked.
    """
    document = Document(request.text, None, tuple(m for m in request.masks if m.part == 0))
    clean = _encoded(model, document)
    if request.swap:
        swaps = swaps_of(request.swap)
        other = swapped(document, swaps)
        corrupt = PatchedText(_encoded(model, other))
        _check(clean, corrupt)
        written = tuple(one.written() for one in swaps)
        return PatchingPair(document, PatchedText(clean), corrupt, other.text, written)
    if request.pair is not None and request.pair.strip():
        own = tuple(type(m)(m.start, m.end, 0, m.nth) for m in request.masks if m.part == 1)
        encoded = _encoded(model, Document(request.pair, None, own))
        hidden = () if encoded.mask_positions else clean.mask_positions
        if hidden and model.port(Predictor).direction is Direction.SPANS:
            raise UserMistake(
                N_("Nothing is masked in the second text."), N_("Mask the same word in it.")
            )
        corrupt = PatchedText(encoded, hidden)
        _check(clean, corrupt)
        return PatchingPair(document, PatchedText(clean), corrupt, request.pair)
    return _chosen(model, document, clean, context)


def _encoded(model: LoadedModel, document: Document) -> Encoded:
    encoded: Encoded = model.encode(document.text, None, document.masks)
    if encoded.left_out is not None:
        raise UserMistake(N_("The text is longer than the model takes."), N_("Shorten it."))
    return encoded


def _check(clean: Encoded, corrupt: PatchedText) -> None:
    """Refuse texts between which states can't be exchanged.

    Raises:
        UserMistake: They differ in length or in where masks stand, or in nothing.
    """
    one, other = clean.tokens, corrupt.encoded.tokens
    if len(one) != len(other):
        raise UserMistake(
            N_("The first text is {first} tokens long, the second {second}."),
            N_("Swap words for others with the same number of tokens; the page offers some."),
            first=len(one),
            second=len(other),
        )
    masks = corrupt.hidden or corrupt.encoded.mask_positions
    if tuple(masks) != clean.mask_positions:
        raise UserMistake(
            N_("The masks of the two texts are at different places."),
            N_("Mask the same word in both, or none in the second text."),
        )
    if all(a.id == b.id for n, (a, b) in enumerate(zip(one, other, strict=True)) if n not in masks):
        raise UserMistake(
            N_("The two texts are the same to the model."), N_("Change a word of one of them.")
        )


def offers_of(model: LoadedModel, pair: PatchingPair) -> tuple[WordOffer, ...]:
    """For every word of the first text others of as many tokens, nearest first."""
    offered = pair.offered
    if offered is None:
        offered = list(_offered(model, pair.document, pair.clean.encoded, OFFERED))
    return tuple(
        WordOffer(
            place.word.word, place.word.start, place.positions[0], tuple(o.word for o in others)
        )
        for place, others in offered
        if others
    )


def _offered(
    model: LoadedModel, document: Document, encoded: Encoded, count: int
) -> Iterator[tuple[EditPlace, list[Swapped]]]:
    """Words whose vectors are near that of each word, and whose texts are as long."""
    known = model.ports.get(InputEmbeddings)
    if known is None:
        return
    vectors: Any = known.vectors
    before = _seen(model, encoded)
    places = [one for one in places_of(document, encoded) if one.positions[-1] < before]
    tokenizer, folded = model.tokenizer, folds(model.tokenizer)
    near = nearest_words(tokenizer, vectors, [one.ids for one in places], 3 * count)
    for place, found in zip(places, near, strict=True):
        others: list[Swapped] = []
        for one in found:
            if len(others) == count:
                break
            word = spelled_like(one.word, place.word.word) if folded else one.word
            if (other := _swapped(model, document, encoded, place, word)) is not None:
                others.append(other)
        yield place, others


def _seen(model: LoadedModel, encoded: Encoded) -> int:
    """Position of the first token that a prediction at the first mask does not go by."""
    if model.port(Predictor).direction is Direction.CAUSAL and encoded.mask_positions:
        return encoded.mask_positions[0]
    return len(encoded.tokens)


def _swapped(
    model: LoadedModel, document: Document, encoded: Encoded, place: EditPlace, word: str
) -> Swapped | None:
    """The text with a word in the place of all that are spelled like one; None if not as long."""
    try:
        other = swapped(document, (Swap(place.word.word, word),))
    except UserMistake:
        return None
    made = model.encode(other.text, None, other.masks)
    as_long = len(made.tokens) == len(encoded.tokens)
    is_like = as_long and made.mask_positions == encoded.mask_positions
    return Swapped(word, other, made) if is_like else None


def _chosen(
    model: LoadedModel, document: Document, clean: Encoded, context: Context
) -> PatchingPair:
    """A swap that moves the prediction at the first mask furthest, of a few that are tried.

    Raises:
        UserMistake: There is none.
    """
    masks = clean.mask_positions
    offered = list(_offered(model, document, clean, OFFERED))
    # What stands beside the mask is no riddle: a cause further off is worth following.
    far = [one for one in offered if all(abs(n - m) > 1 for n in one[0].positions for m in masks)]
    tried = [(place, other) for place, others in far or offered for other in others][:MOST_TRIED]
    if not tried or not masks:
        raise UserMistake(
            N_("There is no second text, and no word that could be swapped for another."),
            N_("Type a second text, or a swap: plant > build."),
        )
    queries = [Query(one, (masks[0],)) for one in (clean, *(o.encoded for _, o in tried))]
    before, *rows = _rows(model, queries, context)
    moved = [float((row.exp() - before.exp()).abs().sum()) for row in rows]
    place, best = tried[moved.index(max(moved))]
    return PatchingPair(
        document,
        PatchedText(clean),
        PatchedText(best.encoded),
        best.document.text,
        (Swap(place.word.word, best.word).written(),),
        is_chosen=True,
        offered=offered,
    )


def _rows(model: LoadedModel, queries: Sequence[Query], context: Context) -> list[Any]:
    return [rows[0] for rows in model.port(Predictor).log_probabilities(queries, context)]
