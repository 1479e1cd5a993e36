"""What to look at first: what the vocabulary lacks, or the word that is cut into most pieces."""

from collections.abc import Sequence

from explorer.api import Headline, Token
from explorer.questions.tokenizers.tokens.question import TokensResult
from explorer.text import N_, NN_, Phrase
from explorer.text.phrase import NOTHING
from explorer.text.pieces import readable

LISTED = 6
"""Pieces of a word that are named."""


def headline(result: TokensResult) -> Headline:
    """Unknown tokens where there are any: of these the model learns nothing."""
    unknown = [n for n, one in enumerate(result.tokens) if one.unknown and not one.special]
    if unknown:
        first = unknown[0]
        sentence = Phrase(
            NN_(
                "At position {position} the model sees only “{piece}”: its vocabulary can't spell "
                "what stands there.",
                "{count} tokens are only “{piece}” to the model, which can't spell what stands "
                "there; the first is at position {position}.",
            ),
            count=len(unknown),
            piece=result.tokens[first].text,
            position=str(first),
        )
        return Headline(sentence, first)
    words = _words(result.tokens)
    if not words:
        return Headline(NOTHING)
    longest = max(words, key=len)
    if len(longest) == 1:
        return Headline()
    tokens = [result.tokens[position] for position in longest]
    spelled = "".join(readable(one.text) for one in tokens)
    if len(spelled) != tokens[-1].end - tokens[0].start:
        # Pieces that are bytes, or letters rewritten, do not spell the word.
        sentence = Phrase(
            N_("The word at position {position} is cut into the most pieces: {pieces}."),
            position=str(longest[0]),
            pieces=str(len(longest)),
        )
    elif len(longest) <= LISTED:
        sentence = Phrase(
            N_("“{word}” is cut into the most pieces, {pieces}: {all}."),
            word=spelled,
            pieces=str(len(longest)),
            all=" ".join(one.text for one in tokens),
        )
    else:
        sentence = Phrase(
            N_("“{word}” is cut into the most pieces, {pieces}."),
            word=spelled,
            pieces=str(len(longest)),
        )
    return Headline(sentence, longest[0])


def _words(tokens: Sequence[Token]) -> list[list[int]]:
    """The positions of every word's tokens; masks hide what they stand for."""
    words: list[list[int]] = []
    for position, token in enumerate(tokens):
        if token.special or token.masked:
            continue
        if token.joined and words and words[-1][-1] == position - 1:
            words[-1].append(position)
        else:
            words.append([position])
    return words
