"""The user's own words at every mask: probability, rank and log-odds, whole words always."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.api.question import (
    TOKENS,
    Manner,
    Mask,
    Prediction,
    Put,
    Puts,
    Ranked,
    RowLook,
    Said,
    Sentence,
    column,
)
from explorer.questions.masking.candidate_words.question import (
    CandidateWordsResult,
    GapScores,
    WordScore,
    probability_of,
)
from explorer.text import N_, Phrase, verbatim
from explorer.text.formatting.probabilities import in_digits

ABOUT = N_(
    "The axis is logarithmic, so that rare words can be told apart. Rank: the "
    "place in the whole vocabulary; a word of several pieces has none. Log-odds: "
    "0 is as likely as not."
)
DEEPEST = 12
"""Powers of ten below 1 that the axis goes down to at most."""
FAVOURITE, ORIGINAL = N_("the model's own"), N_("original")


@dataclass(frozen=True)
class SeenWord:
    """A word at a mask as it is read."""

    word: str = column(N_("word"), key=True)
    position: int = column(N_("position"), key=True, place=TOKENS, shown=False)
    probability: float | None = column(N_("probability"), written=in_digits)
    rank: int | None = column(N_("rank"), compared=False, ink=lambda _rank: "muted")
    log_odds: float | None = column(
        N_("log-odds"), digits=2, is_signed=True, compared=False, dispensable=True
    )


@dataclass(frozen=True)
class Candidate:
    """A word among those of a gap.

    Attributes:
        score: Its numbers.
        tag: What it is besides a word of the user's: the original, or the model's own choice.
    """

    score: WordScore
    tag: str = ""

    @property
    def log(self) -> float:
        """The logarithm of its probability; less than any where it has none."""
        own = self.score.log_probability
        return -math.inf if own is None else own

    @property
    def pieces(self) -> str:
        """Its pieces, where there are several."""
        pieces = self.score.pieces
        spaced = (one.token.replace("Ġ", "␣").replace("▁", "␣") for one in pieces)
        return " + ".join(spaced) if len(pieces) > 1 else ""


def parts(result: CandidateWordsResult) -> Iterator[Sentence | Ranked | Said]:
    """A table for every gap; they share one axis."""
    every = [candidates_of(gap) for gap in result.gaps]
    names = [Phrase(N_("Mask {number}"), number=number + 1) for number in range(len(every))]
    several = len(every) > 1
    notes = {gap.positions[0]: name for gap, name in zip(result.gaps, names, strict=True)}
    yield Sentence(result.tokens, notes if several else {}, only_alone=not several)
    powers = max(axis_of(words) for words in every)
    for number, (gap, words) in enumerate(zip(result.gaps, every, strict=True)):
        title = names[number] if several else ""
        yield _table(number + 1, gap, words, title, powers)
    yield Said(ABOUT, Manner.ABOUT)
    yield Said(result.method, Manner.ABOUT, near=True)
    yield Said(result.note, near=True)


def _table(
    number: int, gap: GapScores, words: Sequence[Candidate], title: str, powers: int
) -> Ranked:
    at, place = gap.positions[0], Mask(gap.start, gap.end, gap.part)
    of = {one.score.word: one for one in words}
    rows = tuple(
        SeenWord(score.word, at, probability_of(score), score.rank, score.log_odds)
        for score in (one.score for one in words)
    )

    def look(row: SeenWord) -> RowLook:
        one = of[row.word]
        tag = Phrase(one.tag) if one.tag else ""
        problem = one.score.problem
        if row.probability is None:
            return RowLook(verbatim(row.word), tag=tag, below=problem, muted=True)
        return RowLook(
            verbatim(row.word),
            tag=tag,
            below=verbatim(one.pieces),
            words=details(one),
            ground="mask_fill" if one.tag == ORIGINAL else "",
            key=("word", number - 1, row.word),
        )

    def puts(row: SeenWord) -> Puts:
        return Puts((Put(place, row.word),))

    return Ranked(
        SeenWord,
        rows,
        "probability",
        title=title,
        gesture=puts,
        in_files=False,
        look=look,
        powers=powers,
        hidden=() if any(row.rank for row in rows) else ("rank",),
        name=Phrase(N_("Words at {names}"), names=Phrase(N_("mask {number}"), number=number)),
    )


def candidates_of(gap: GapScores) -> tuple[Candidate, ...]:
    """The words of a gap, most probable first; those without a number last.

    The hidden word and the model's own favourite are put among them, unless the user asked for
    them.
    """
    found, tags = list(gap.scores), dict[str, str]()
    for one, tag in ((gap.original, ORIGINAL), (_own(gap.favourite), FAVOURITE)):
        if one is not None:
            tags.setdefault(one.word.casefold(), tag)
            if one.word.casefold() not in {other.word.casefold() for other in found}:
                found.append(one)
    rows = [Candidate(one, tags.get(one.word.casefold(), "")) for one in found]
    return tuple(sorted(rows, key=lambda row: -row.log))


def _own(favourite: Prediction | None) -> WordScore | None:
    """The model's own word as the user's are scored; None where it is no word alone."""
    if favourite is None or favourite.glue:
        return None
    log = math.log(max(favourite.probability, 1e-300))
    odds = log - math.log(max(1.0 - favourite.probability, 1e-300))
    return WordScore(favourite.word, (favourite,), log, odds, 1)


def axis_of(words: Sequence[Candidate]) -> int:
    """Powers of ten that the axis holds, so that the least probable word is on it."""
    least = min((one.log for one in words if one.log > -math.inf), default=0.0) / math.log(10)
    return min(max(math.ceil(-least), 2), DEEPEST)


def details(one: Candidate) -> tuple[str, ...]:
    """What is known of a word that has a number."""
    score = one.score
    lines = [
        verbatim(score.word),
        Phrase(N_("Probability: {in_digits}"), in_digits=in_digits(math.exp(one.log))),
    ]
    if score.rank is not None:
        lines.append(Phrase(N_("Rank {rank} in the vocabulary"), rank=score.rank))
    if len(score.pieces) > 1:
        after = Phrase(N_(", after the pieces before it"))
        lines += [
            Phrase(
                N_("{token}: {in_digits}, rank {rank}{after}"),
                token=piece.token,
                in_digits=in_digits(piece.probability),
                rank=piece.rank,
                after=after if number else "",
            )
            for number, piece in enumerate(score.pieces)
        ]
    return tuple(lines)
