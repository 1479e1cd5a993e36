"""Masks as the user draws them, and tokens as every result carries them.

A token holds enough to draw the sentence without the tokenizer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.text import N_, NN_, Phrase
from explorer.text.pieces import readable

EVERY = -1
"""Every token that a mask's characters touch."""


@dataclass(frozen=True, order=True)
class Mask:
    """A masked range of characters, end exclusive.

    Attributes:
        start: First character.
        end: One past the last character.
        part: 0 for the text, 1 for the second text of a pair.
        nth: Of the tokens that these characters touch the only one that is masked, in order from
            0, as where a space is a token of its own and has the next one's characters; EVERY for
            all of them, and where there are not so many.
        letters: A space before these characters that is a token of its own ("Ġ", "▁") is not one
            of those that they touch: what a mask was before such a token belonged to its word, and
            what masks of that time stay.
    """

    start: int
    end: int
    part: int = 0
    nth: int = EVERY
    letters: bool = False

    def __post_init__(self) -> None:
        """Leave the defaults to the class, so that most masks are written as they always were."""
        if self.nth == EVERY:
            self.__dict__.pop("nth", None)
        if not self.letters:
            self.__dict__.pop("letters", None)


def mask_of(tokens: Sequence["Token"], position: int) -> Mask:
    """The mask that hides one token of a text and no other.

    Args:
        tokens: Of the input, all of them.
        position: Which one.
    """
    token = tokens[position]
    touched = [
        i
        for i, one in enumerate(tokens)
        if not one.special
        and one.part == token.part
        and one.start < token.end
        and token.start < one.end
    ]
    alone = len(touched) < 2 or position not in touched
    nth = EVERY if alone else touched.index(position)
    return Mask(token.start, token.end, token.part, nth)


@dataclass(frozen=True)
class Token:
    """One token of the model's input.

    Attributes:
        text: The piece as the tokenizer writes it ("##ing", "Ġthe", "[CLS]").
        id: Its number in the vocabulary.
        start: First character in the user's text; equals end for tokens the model adds. A space
            before a word that is a token of its own ("Ġ", "▁") has the characters of the word's
            first token, as it belongs to that word.
        end: One past the last character.
        special: Added by the model, not in the user's text.
        part: 0 for the text, 1 for the second text.
        masked: The model sees a mask here.
        original: Id of what stands here in the user's text, where masked by the user; None for
            a mask that was typed.
        unknown: The vocabulary has no piece for these characters.
        joined: Continues the word of the token before it.
        reserved: The user typed one of the tokenizer's own special tokens ("[SEP]", "</s>"),
            and the model sees that token, not the characters.
    """

    text: str
    id: int
    start: int
    end: int
    special: bool
    part: int = 0
    masked: bool = False
    original: int | None = None
    unknown: bool = False
    joined: bool = False
    reserved: bool = False


def tokens_at(tokens: Sequence[Token], start: int, end: int, part: int = 0) -> tuple[int, ...]:
    """Positions of the tokens that share a character with a range of a text: a word's pieces.

    Args:
        tokens: Of the input, all of them.
        start: The first character.
        end: One past the last character.
        part: 0 for the text, 1 for the second text.
    """
    return tuple(
        place
        for place, one in enumerate(tokens)
        if not one.special and one.part == part and one.start < end and one.end > start
    )


def alone(token: Token) -> str:
    """A token as it is read without its neighbours: dots where the rest of its word would be."""
    if token.masked:
        return "[MASK]"
    piece = readable(token.text)
    return f"…{piece}" if token.joined and piece[:1].isalnum() else piece


@dataclass(frozen=True)
class LeftOut:
    """What did not fit into the model.

    Attributes:
        tokens: How many tokens were left out.
        limit: How many the model takes, special ones included.
        part: In which text the cut is.
        start: First character that was left out.
        masks: How many masks lie in what was left out.
    """

    tokens: int
    limit: int
    part: int
    start: int
    masks: int = 0

    @property
    def said(self) -> Phrase:
        """What the model did not see, in a sentence."""
        values = {
            "limit": self.limit,
            "some": Phrase(NN_("{count} token", "{count} tokens"), count=self.tokens),
            "masks": Phrase(NN_("{count} mask", "{count} masks"), count=self.masks),
        }
        if self.masks:
            return Phrase(
                N_(
                    "The model takes {limit} tokens and did not see the last {some}, with {masks} "
                    "among them."
                ),
                **values,
            )
        return Phrase(
            N_("The model takes {limit} tokens and did not see the last {some}."), **values
        )
