"""A sentence before and after some of its tokens are replaced, token for token.

The generator's draws take the place of single tokens. A user's word may have more pieces, or
fewer, than the one it replaces: then the whole corrupted text is cut anew, and what is unchanged
is found again by its characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.api.question import EVERY, LeftOut, LoadedModel, Token, UserMistake, mask_of
from explorer.hf.text.encoding import tokens_of
from explorer.text import N_

if TYPE_CHECKING:
    from explorer.questions.detection.replaced_tokens.options import Replacement
    from explorer.questions.detection.replaced_tokens.question import (
        ChosenToken,
        ReplacedTokensRequest,
    )

SPECIAL = -1
"""In the place of a part, for tokens that the model adds."""

CHOOSING, DRAWING = 0, 1
"""Streams of random numbers of one seed, so that one never disturbs the other."""


@dataclass(frozen=True)
class CorruptionSource:
    """The sentence as it was, and which of its tokens are masked for the generator.

    Attributes:
        tokens: As they were, none of them masked.
        types: Token type (0 or 1) of each.
        masked: Positions that the generator fills, in order.
        uniform: A number from [0, 1) for each token, which decides what is drawn there.
        left_out: What did not fit, or None.
        limit: The longest input both models take; None for no limit.
    """

    tokens: tuple[Token, ...]
    types: tuple[int, ...]
    masked: tuple[int, ...]
    uniform: tuple[float, ...]
    left_out: LeftOut | None
    limit: int | None

    @staticmethod
    def read(
        discriminator: LoadedModel, generator: LoadedModel | None, request: ReplacedTokensRequest
    ) -> CorruptionSource:
        """Cut the text with the discriminator's tokenizer and choose what is masked.

        Raises:
            UserMistake: A typed mask is in the text, or no token can be masked.
        """
        limits = [one.max_length for one in (discriminator, generator) if one is not None]
        limit = min((one for one in limits if one is not None), default=None)
        cut, types, left_out = tokens_of(
            discriminator.tokenizer, request.text, request.pair, request.masks, limit
        )
        if any(token.masked and token.original is None for token in cut):
            raise UserMistake(
                N_(
                    "A [MASK] was typed: nobody knows which word it hides, so no verdict on it is "
                    "right or wrong."
                ),
                N_("Type the word, and click it to mask it."),
            )
        masked: tuple[int, ...] = ()
        if generator is not None and request.masks:
            masked = tuple(i for i, token in enumerate(cut) if token.masked)
            if not masked:
                raise UserMistake(
                    N_(
                        "Every mask lies in the part of the text that does not fit into the models."
                    ),
                    N_("Mask an earlier word, or shorten the text."),
                )
        elif generator is not None:
            masked = choose(cut, request.rate, request.seed)
        piece_of = discriminator.tokenizer.convert_ids_to_tokens
        tokens = tuple(
            token
            if token.original is None
            else replace(
                token,
                text=str(piece_of(token.original)),
                id=token.original,
                masked=False,
                original=None,
            )
            for token in cut
        )
        uniform = np.random.default_rng((request.seed, DRAWING)).random(len(tokens))
        return CorruptionSource(
            tokens, tuple(types), masked, tuple(uniform.tolist()), left_out, limit
        )


def choose(tokens: Sequence[Token], rate: float, seed: int) -> tuple[int, ...]:
    """Positions that are masked: a share of the tokens of the text, and at least one.

    Raises:
        UserMistake: The text has no token that could be masked.
    """
    places = [i for i, token in enumerate(tokens) if not token.special and not token.reserved]
    if not places:
        raise UserMistake(N_("There is no token to replace."), N_("Type a sentence."))
    amount = min(len(places), max(1, round(rate * len(places))))
    source = np.random.default_rng((seed, CHOOSING))
    return tuple(sorted(source.choice(places, size=amount, replace=False).tolist()))


@dataclass(frozen=True)
class CorruptedText:
    """What the discriminator reads.

    Attributes:
        tokens: In order; their characters are those of the user's text.
        types: Token type (0 or 1) of each.
        original: The piece that stood at each; "" where none did.
        original_ids: Their numbers; -1 where none did.
        sources: Position in the sentence as it was; that of the replaced word for pieces that
            have none of their own.
        by_user: Positions at which the user's words stand.
    """

    tokens: tuple[Token, ...]
    types: tuple[int, ...]
    original: tuple[str, ...]
    original_ids: tuple[int, ...]
    sources: tuple[int, ...]
    by_user: frozenset[int]

    @property
    def truth(self) -> tuple[bool, ...]:
        """Whether each token was replaced: by another one, so a right guess is an original."""
        return tuple(
            token.id != was for token, was in zip(self.tokens, self.original_ids, strict=True)
        )

    @property
    def wanted(self) -> dict[int, int]:
        """The user's pieces by the position, in the sentence as it was, of what they replace."""
        return {
            self.sources[i]: self.tokens[i].id for i in self.by_user if self.original_ids[i] >= 0
        }

    def with_draws(self, proposed: Sequence[ChosenToken]) -> CorruptedText:
        """Put in what the generator drew, where the user has put nothing."""
        drawn = {one.position: one.sampled for one in proposed if one.drawn}
        tokens = list(self.tokens)
        for i, place in enumerate(self.sources):
            sampled = drawn.get(place)
            if sampled is not None and i not in self.by_user:
                tokens[i] = replace(tokens[i], text=sampled.token, id=sampled.id)
        return replace(self, tokens=tuple(tokens))

    def choices(self, proposed: Sequence[ChosenToken]) -> tuple[ChosenToken, ...]:
        """Everything that was chosen, by the generator's masks or by the user."""
        from explorer.questions.detection.replaced_tokens.question import ChosenToken

        asked = {one.position: one for one in proposed}
        found: list[ChosenToken] = []
        for i, place in enumerate(self.sources):
            known = asked.get(place) if self.original_ids[i] >= 0 else None
            if known is not None:
                found.append(replace(known, position=i))
            elif i in self.by_user:
                found.append(ChosenToken(i, drawn=False))
        return tuple(found)


def with_words(
    tokenizer: Any, source: CorruptionSource, request: ReplacedTokensRequest
) -> CorruptedText:
    """The sentence with the user's words in it.

    Raises:
        UserMistake: Two replacements overlap.
    """
    plain = CorruptedText(
        source.tokens,
        source.types,
        tuple(token.text for token in source.tokens),
        tuple(token.id for token in source.tokens),
        tuple(range(len(source.tokens))),
        frozenset(),
    )
    whole: list[Replacement] = []
    pieces: dict[int, tuple[str, int]] = {}
    for one in request.replacements:
        place = _only_token(source.tokens, one)
        piece = one.piece
        if place is not None and one.nth != EVERY:
            piece = piece or _as_piece(tokenizer, source.tokens[place], one.word)
        number = _number_of(tokenizer, piece) if place is not None else None
        if place is not None and number is not None:
            pieces[place] = (piece, number)
        else:
            whole.append(one)
    made = _cut_anew(tokenizer, source, request, whole) if whole else plain
    if not pieces:
        return made
    tokens, by_user = list(made.tokens), set(made.by_user)
    for i, place in enumerate(made.sources):
        if place in pieces and i not in made.by_user:
            text, number = pieces[place]
            tokens[i] = replace(tokens[i], text=text, id=number)
            by_user.add(i)
    return replace(made, tokens=tuple(tokens), by_user=frozenset(by_user))


def _only_token(tokens: Sequence[Token], one: Replacement) -> int | None:
    """The token whose characters a replacement covers exactly."""
    for i, token in enumerate(tokens):
        here = (token.part, token.start, token.end) == (one.part, one.start, one.end)
        if not token.special and here and one.nth in (EVERY, mask_of(tokens, i).nth):
            return i
    return None


def _as_piece(tokenizer: Any, token: Token, word: str) -> str:
    """A word as a piece, in the place of a token that shares its characters.

    Raises:
        UserMistake: The vocabulary has it neither within a word nor at the beginning of one.
    """
    for piece in (word, f"▁{word}"):
        if _number_of(tokenizer, piece) is not None:
            return piece
    raise UserMistake(
        N_('"{word}" is not one piece of the vocabulary, and "{text}" has no letters of its own.'),
        N_("Name a piece, or replace the token after it."),
        word=word,
        text=token.text,
    )


def _number_of(tokenizer: Any, piece: str) -> int | None:
    number = tokenizer.get_vocab().get(piece) if piece else None
    return None if number is None else int(number)


@dataclass(frozen=True)
class _Shift:
    """A replaced range, in the characters of the corrupted text."""

    start: int
    end: int
    longer: int


def _cut_anew(
    tokenizer: Any,
    source: CorruptionSource,
    request: ReplacedTokensRequest,
    words: Sequence[Replacement],
) -> CorruptedText:
    """Cut the corrupted text as a whole and find again what is unchanged."""
    texts, shifts = [], []
    for part, text in enumerate((request.text, request.pair or "")):
        changed, moved = _replaced(text, [one for one in words if one.part == part])
        texts.append(changed)
        shifts.append(moved)
    cut, types, _ = tokens_of(tokenizer, texts[0], texts[1] or None, (), source.limit)
    # Special tokens have no characters; they are told apart by their order.
    known = {place: i for i, place in enumerate(_places(source.tokens))}
    returned = [token if token.special else _moved_back(token, shifts[token.part]) for token in cut]
    found: list[int | None] = []
    last = -1
    for token, where in zip(cut, _places(returned), strict=True):
        place = known.get(where)
        if place is not None and (place <= last or source.tokens[place].id != token.id):
            place = None
        found.append(place)
        last = last if place is None else place
    return _aligned(source, cut, types, found)


def _places(tokens: Sequence[Token | None]) -> list[tuple[int, ...]]:
    """Where each stands; which one it is of those that stand there too, as special ones do."""
    counted: Counter[tuple[int, ...]] = Counter()
    found = []
    for token in tokens:
        here: tuple[int, ...] = ()
        if token is not None and not token.special:
            here = (token.part, token.start, token.end)
        elif token is not None:
            here = (SPECIAL,)
        found.append((*here, counted[here]))
        counted[here] += 1
    return found


def _replaced(text: str, words: Sequence[Replacement]) -> tuple[str, list[_Shift]]:
    made, last, shifts = "", 0, []
    for one in sorted(words, key=lambda one: one.start):
        if one.start < last:
            raise UserMistake(N_("Two replacements overlap."), N_("Replace each word once."))
        made += text[last : one.start]
        start = len(made)
        made += one.word
        last = one.end
        shifts.append(_Shift(start, len(made), len(one.word) - (one.end - one.start)))
    return made + text[last:], shifts


def _moved_back(token: Token, shifts: Sequence[_Shift]) -> Token | None:
    """A token with the characters it has in the user's text; None inside a replaced word."""
    back = 0
    for shift in shifts:
        if token.end <= shift.start:
            break
        if token.start < shift.end:
            return None
        back += shift.longer
    return replace(token, start=token.start - back, end=token.end - back)


def _aligned(
    source: CorruptionSource,
    cut: Sequence[Token],
    types: Sequence[int],
    found: Sequence[int | None],
) -> CorruptedText:
    """Give every piece that is new the piece that stood in its place, as long as there are any."""
    sources: list[int] = []
    originals: list[int | None] = []
    last = -1
    for i, place in enumerate(found):
        if place is not None:
            sources.append(place)
            originals.append(place)
            last = place
            continue
        following = next((one for one in found[i:] if one is not None), len(source.tokens))
        fresh = last + 1 < following
        last = last + 1 if fresh else last
        sources.append(max(0, last))
        originals.append(last if fresh else None)
    tokens, pieces, ids = [], [], []
    for token, place, was in zip(cut, sources, originals, strict=True):
        home = source.tokens[place]
        tokens.append(replace(token, start=home.start, end=home.end, part=home.part))
        pieces.append("" if was is None else source.tokens[was].text)
        ids.append(-1 if was is None else source.tokens[was].id)
    return CorruptedText(
        tuple(tokens),
        tuple(types),
        tuple(pieces),
        tuple(ids),
        tuple(sources),
        frozenset(i for i, place in enumerate(found) if place is None),
    )
