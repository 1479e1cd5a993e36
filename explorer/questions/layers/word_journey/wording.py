"""What the page of a word's journey says in words."""

from explorer.api.question import row_phrase
from explorer.questions.layers.word_journey.question import (
    CONCAT_FOUR,
    MEAN,
    SUM_FOUR,
    PlacedWord,
    WordJourneyResult,
)
from explorer.text import N_, NN_, Phrase, _
from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import decimal

AROUND = 26
"""Characters of the sentence on either side of a word, where it has more."""
SLACK = 4
NO_BREAK = "\u00a0"

COMBINED_SAID = {
    MEAN: N_("mean of all layers"),
    SUM_FOUR: N_("sum of the last four layers"),
    CONCAT_FOUR: N_("last four layers, concatenated"),
}
ABOUT = N_(
    "Each point is a word of the sentences; each sentence is read on its own. The axes are the two "
    "principal components of all words' vectors in that layer: directions in one layer have "
    "nothing to do with those in another. Trustworthiness says how far neighbours in the picture "
    "are neighbours in truth (1: all of them)."
)
ABOUT_TSNE = N_(
    "Each point is a word of the sentences; each sentence is read on its own. "
    "t-SNE (van der Maaten and Hinton 2008; perplexity {perplexity}) begins at "
    "the principal components and keeps neighbours together: how far groups are "
    "from each other, and how wide they are, means nothing. Trustworthiness says "
    "how far neighbours in the picture are neighbours in truth (1: all of them)."
)


def vector_phrase(name: str) -> Phrase:
    """A vector's name in a sentence."""
    return Phrase(COMBINED_SAID[name]) if name in COMBINED_SAID else row_phrase(name)


def numbered(word: PlacedWord) -> Phrase:
    """A word with the number of its sentence, so that it is told from others like it."""
    return Phrase(N_("{word} ({sentence})"), word=word.word, sentence=str(word.sentence + 1))


def neighbours_said(result: WordJourneyResult, vector: int, occurrence: int, count: int) -> str:
    """The nearest words of an occurrence with their cosines."""
    near = result.neighbours[vector, occurrence, :count].tolist()
    cosines = result.cosines[vector, occurrence, :count].tolist()
    said = [
        f"{isolated(numbered(result.words[number]).said)} {decimal(value, 2)}"
        for number, value in zip(near, cosines, strict=True)
    ]
    return ", ".join(one.replace(" ", NO_BREAK) for one in said)


def in_context(result: WordJourneyResult, word: PlacedWord) -> str:
    """A word with what stands around it."""
    sentence = result.sentences[word.sentence]
    left, right = sentence[: word.start], sentence[word.end :]
    if len(left) > AROUND + SLACK:
        left = "…" + left[-AROUND:].partition(" ")[2]
    if len(right) > AROUND + SLACK:
        right = right[:AROUND].rpartition(" ")[0] + " …"
    return f"{left}{word.word}{right}"


def place_said(result: WordJourneyResult, number: int) -> str:
    """A word, its pieces where there are several, and its sentence."""
    word = result.words[number]
    lines = [
        _(
            "“{word}” in sentence {number}: {sentence}",
            word=word.word,
            number=word.sentence + 1,
            sentence=result.sentences[word.sentence],
        )
    ]
    if len(word.pieces) > 1:
        lines.append(_("Pieces: {pieces}", pieces="  ".join(word.pieces)))
    return "\n".join(lines)


def counted(result: WordJourneyResult) -> Phrase:
    """How often the word stands in how much text."""
    count = NN_("“{word}” occurs {count} time.", "“{word}” occurs {count} times.")
    where = NN_(
        "It is in {count} sentence of {all}, among {words} words.",
        "It is in {count} sentences of {all}, among {words} words.",
    )
    found = Phrase(
        where,
        count=len({result.words[number].sentence for number in result.occurrences}),
        all=len(result.sentences),
        words=len(result.words),
    )
    return Phrase.joined((Phrase(count, count=len(result.occurrences), word=result.word), found))


def pictures_said(result: WordJourneyResult) -> Phrase:
    """What the pictures show, and what they do not."""
    if result.perplexity is None:
        return Phrase(ABOUT)
    return Phrase(ABOUT_TSNE, perplexity=decimal(result.perplexity, 1))
