"""What is said of tokenizers that were trained: how each learns, from what, and how much."""

from collections.abc import Mapping

from explorer.questions.tokenizers.train_tokenizer.options import NAMES, Algorithm
from explorer.questions.tokenizers.train_tokenizer.trainer.trained import (
    TrainedVocabulary,
    TrainingText,
)
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import percent, whole

ABOUT = N_(
    "Each algorithm learns its pieces from the same text, with the tokenizers "
    "library, then splits the sentence above."
)
HOW: Mapping[Algorithm, str] = {
    Algorithm.WORDPIECE: N_(
        "The library's WordPiece trainer merges the most frequent pair of pieces, as byte-pair "
        "encoding does; a piece inside a word begins with “##”. The published WordPiece (Schuster "
        "and Nakajima 2012) takes the pair that raises the likelihood of the text most, which the "
        "library does not do. Words are then cut by the longest piece first, not by these merges."
    ),
    Algorithm.BYTES: N_(
        "Starting from the 256 bytes, the most frequent pair of neighbours becomes a piece, again "
        "and again (Sennrich et al. 2016; bytes: Radford et al. 2019). “Ġ” is the space before a "
        "word. Of equally frequent pairs the one whose pieces are older comes first."
    ),
    Algorithm.CHARACTERS: N_(
        "Starting from letters, with “</w>” at the end of each word, the most frequent pair of "
        "neighbours becomes a piece, again and again (Sennrich et al. 2016). Of equally frequent "
        "pairs the one whose pieces are older comes first."
    ),
    Algorithm.UNIGRAM: N_(
        "Starting from all frequent substrings, each piece gets a probability by "
        "expectation-maximisation, and the pieces that the text can best do without are dropped, "
        "until few enough are left (Kudo 2018). “▁” is the space before a word."
    ),
}


def name_of(algorithm: Algorithm) -> Phrase:
    """What it is called."""
    return Phrase(NAMES[algorithm])


def sized(one: TrainedVocabulary) -> Phrase:
    """How many pieces it has, and of which kinds."""
    learnt = len(one.pieces) - one.special - one.letters
    values = {
        "name": name_of(one.algorithm),
        "special": one.special,
        "letters": one.letters,
        "merges": len(one.merges),
        "learnt": learnt,
    }
    if one.algorithm is Algorithm.UNIGRAM:
        code = NN_(
            "{name}: {count} piece, {special} of them special.",
            "{name}: {count} pieces, {special} of them special.",
        )
        return Phrase(code, count=len(one.pieces), **values)
    code = NN_(
        "{name}: {count} piece; {special} special, {letters} single letters or bytes, {learnt} "
        "learnt in {merges} merges.",
        "{name}: {count} pieces; {special} special, {letters} single letters or bytes, {learnt} "
        "learnt in {merges} merges.",
    )
    return Phrase(code, count=len(one.pieces), **values)


def total_said(one: TrainedVocabulary) -> Phrase:
    """What a unigram model's probabilities add up to, and what is rounded."""
    code = N_(
        "The probabilities of these pieces add up to {total}, not to 100 %: the library's estimate "
        "takes something off every piece, most off rare ones, and it drops the last pieces without "
        "fitting the others again. It adds up in an order that changes from run to run, so that "
        "scores are rounded at the fourth digit here, and the same text gives the same tokenizer."
    )
    return Phrase(code, total=percent(one.total, 1))


def source_said(source: TrainingText) -> Phrase:
    """What was trained on."""
    values = {
        "name": source.name,
        "characters": whole(source.characters),
        "held_out": whole(source.held_out),
    }
    if not source.name:
        code = NN_(
            "Trained on {count} line of the small world, {characters} characters; {held_out} "
            "other lines are kept aside.",
            "Trained on {count} lines of the small world, {characters} characters; {held_out} "
            "other lines are kept aside.",
        )
    else:
        code = NN_(
            "Trained on {count} line of “{name}”, {characters} characters; {held_out} other lines "
            "are kept aside.",
            "Trained on {count} lines of “{name}”, {characters} characters; {held_out} other lines "
            "are kept aside.",
        )
    told = Phrase(code, count=source.lines, **values)
    if not source.is_cut:
        return told
    return Phrase.joined(
        [told, N_("The file has more than is read: what comes later is left out.")]
    )
