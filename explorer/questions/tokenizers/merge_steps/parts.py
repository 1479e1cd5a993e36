"""Every step from letters to pieces, a row each below the letters; forwards and back."""

from collections.abc import Iterator
from itertools import pairwise

from explorer.api.question import Cards, Choices, Manner, OneCard, OneChoice, Said, Width, sets
from explorer.api.question.parts.tokens.cut_text import CutPiece, CutRow, CutText
from explorer.hf.text.alone import bytes_of
from explorer.questions.tokenizers.algorithms import algorithm_said
from explorer.questions.tokenizers.merge_steps.question import (
    STEP,
    WORD,
    MergeStep,
    MergeStepsResult,
    SegmentationMethod,
    WordPart,
    spans,
)
from explorer.text import N_, Phrase, verbatim
from explorer.text.formatting.numbers import whole, with_minus
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible

ABOUT = {
    SegmentationMethod.MERGES: N_(
        "The word begins as single letters. Of all pairs of neighbours the one that was learnt "
        "first, with the lowest rank, is merged, until no pair is left that was ever learnt "
        "(Sennrich et al. 2016)."
    ),
    SegmentationMethod.LONGEST: N_(
        "From the left, the longest beginning that the vocabulary has becomes a "
        "piece; the rest is split in the same way. Where nothing fits, the whole word"
        " is unknown (Wu et al. 2016)."
    ),
    SegmentationMethod.LATTICE: N_(
        "Every piece has a probability. For each letter, the likeliest way to it is "
        "kept; it continues the likeliest way to an earlier letter (Kudo 2018). The "
        "numbers are log-probabilities, in nats."
    ),
}
PATHS = N_("Every way to split the word has a probability: that of its pieces together, among all.")
DISAGREES = N_(
    "These steps end at other pieces than the tokenizer's own code, which prepares the word in a "
    "way of its own: {pieces}."
)
NOTHING_MERGED = N_("No two neighbours were ever merged in training: each letter is a piece.")
MOST_WORDS = 30
"""Words of a text that are offered."""


def parts(result: MergeStepsResult, step: int = 0) -> Iterator[Choices | Said | Cards | CutText]:
    """The words to choose from, then every part of the word with its steps.

    Args:
        result: The word on its way.
        step: How many steps are shown; 0 for all.
    """
    words = (_word(one, chosen=one == result.word) for one in result.words[:MOST_WORDS])
    yield Choices(tuple(words), N_("Word"))
    named = {"title": verbatim(result.title), "word": verbatim(result.word)}
    named["algorithm"] = algorithm_said(result.algorithm)
    yield Said(Phrase("{title}  ·  {algorithm}  ·  {word}", **named), Manner.HEADING)
    yield Said(ABOUT[result.method], Manner.EXPLANATION, near=True)
    if not result.agrees:
        yield Said(Phrase(DISAGREES, pieces=" ".join(result.pieces)), Manner.WARNING)
    longest = max((len(part.steps) for part in result.parts), default=1)
    count = min(step or longest, longest)
    if longest > 1:
        yield Choices(tuple(_moves(count, longest)))
    if longest == 1 and result.parts and result.method is SegmentationMethod.MERGES:
        yield Said(NOTHING_MERGED)
    of_bytes = result.algorithm == "byte-level BPE"
    cards = [OneCard("", (_steps(part, count, of_bytes=of_bytes),)) for part in result.parts]
    if count == longest:
        several = (part for part in result.parts if len(part.paths) > 1)
        cards += [
            OneCard(
                N_("The likeliest ways"), (Said(PATHS, Manner.EXPLANATION, near=True), _ways(p))
            )
            for p in several
        ]
    yield Cards(tuple(cards), Width.WIDE, framed=False)
    if count == longest:
        said = Phrase(N_("Pieces: {pieces}"), pieces="  ".join(result.pieces))
        yield Said(said, Manner.STRONG)
    if not result.parts:
        yield Said(N_("Nothing of this word is left after it was prepared."), Manner.TITLE)


def _word(word: str, *, chosen: bool) -> OneChoice:
    step = Phrase(N_("follow “{word}”"), word=word)
    return OneChoice(verbatim(word), sets(WORD, word, step), chosen, key=("word", word))


def _moves(count: int, longest: int) -> Iterator[OneChoice]:
    """Back, forward, and all at once."""
    for title, to, key in (
        (N_("First"), 1, "first"),
        (N_("Back"), max(1, count - 1), "back"),
        (N_("Forward"), min(longest, count + 1), "forward"),
        (N_("All"), 0, "all"),
    ):
        step = Phrase(N_("go to step {number}"), number=to or longest)
        yield OneChoice(title, sets(STEP, to, step), key=("move", key))


def _steps(part: WordPart, count: int, *, of_bytes: bool) -> CutText:
    """A row a step, below the letters that it begins with.

    Args:
        part: Of the word.
        count: Steps that are shown.
        of_bytes: Its letters are signs for bytes: where those are not read at once, the bytes and
            what they are of stand above.
    """
    rows = [*_of_bytes(part)] if of_bytes else []
    last = min(count, len(part.steps)) - 1
    rows += [
        CutRow(_label(step, number), _pieces(part, step.ends, step), strong=number == last)
        for number, step in enumerate(part.steps[:count])
    ]
    return CutText(_letters(part), tuple(rows), N_("Steps of the tokenizer"))


def _of_bytes(part: WordPart) -> Iterator[CutRow]:
    """The characters that letters are the bytes of, and those bytes; none where all are ASCII."""
    data = bytes_of("".join(part.letters))
    if data.isascii() or len(data) != len(part.letters):
        return
    characters, ends = data.decode("utf-8", "replace"), [0]
    for character in characters:
        ends.append(ends[-1] + len(character.encode()))
    if ends[-1] != len(data):  # half a character stands in it
        characters, ends = "", [0]
    written = (
        CutPiece(start, end, visible(one), ink="muted", lines=(verbatim(one),))
        for one, (start, end) in zip(characters, pairwise(ends), strict=True)
    )
    yield CutRow(N_("characters"), tuple(written))
    digits = (
        CutPiece(at, at + 1, f"{byte:02X}", at > 0, "text", "pair_fill", small=True)
        for at, byte in enumerate(data)
    )
    yield CutRow(N_("bytes"), tuple(digits))


def _label(step: MergeStep, number: int) -> str:
    if step.at < 0:
        return N_("letters") if step.ends else N_("nothing yet")
    if step.rank is not None:
        return Phrase(N_("{number}. rank {rank}"), number=number, rank=whole(step.rank))
    if step.score is not None:
        return verbatim(f"{number}.  {with_minus(step.score, 1)}")
    return Phrase(N_("{number}. found") if step.found else N_("{number}. no"), number=number)


def _letters(part: WordPart) -> str:
    """What is cut; a mark that ends words is told by the pieces, not by a letter."""
    return "".join(letter[:1] for letter in part.letters)


def _pieces(
    part: WordPart, ends: tuple[int, ...], step: MergeStep | None = None
) -> tuple[CutPiece, ...]:
    made = step.at if step is not None else -1
    found = step is None or step.found
    return tuple(
        CutPiece(
            start,
            end,
            joined=number > 0,
            ink=("accent" if found else "danger") if number == made else "text",
            ground="selection" if number == made and found else "raised",
            dotted=number == made and not found,
            lines=(verbatim("".join(part.letters[start:end])),),
        )
        for number, (start, end) in enumerate(spans(ends))
    )


def _ways(part: WordPart) -> CutText:
    """The likeliest ways to cut it, the best first."""
    rows = (
        CutRow(verbatim(in_digits(path.probability)), _pieces(part, path.ends), strong=number == 0)
        for number, path in enumerate(part.paths)
    )
    return CutText(_letters(part), tuple(rows), N_("The likeliest ways"))
