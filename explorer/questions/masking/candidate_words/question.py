"""How probable are these words of mine where something is masked?"""

import math
from dataclasses import dataclass
from typing import Any

from explorer.api.question import (
    BESIDE,
    MODEL,
    TOKENS,
    Cell,
    Condition,
    Headline,
    LeftOut,
    Listing,
    ModelStamp,
    Prediction,
    Predictor,
    Question,
    ReadsEntities,
    Switch,
    Table,
    Token,
    Topic,
    UserMistake,
    Words,
    a_mask,
    a_text,
    asked,
    check_text,
    column,
    spaces_stay_visible,
)
from explorer.document import Mask
from explorer.exact_answers.asking import exactly_at_masks
from explorer.text import N_, Phrase
from explorer.text.formatting.probabilities import in_digits, in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import drawn, visible

MOST_WORDS = 200
"""Words of one question."""


WORDS = Words(
    N_("Words"),
    "",
    N_(
        "Your words, with commas between them. A word that the model splits into "
        "several tokens is scored whole. Log-odds: ln(p / (1 − p)), 0 where the word "
        "is as likely as not."
    ),
    placeholder=N_("soup, fried rice, …"),
    key="candidate_words.words",
)


@dataclass(frozen=True)
class WordScore:
    """A word in a gap.

    Attributes:
        word: As the user wrote it.
        pieces: The pieces that the model's tokenizer makes of it in this place, each with its
            probability and rank given the pieces before it; empty where there is a problem.
        log_probability: Sum of the logarithms of the pieces' probabilities, in nats; None where
            there is a problem.
        log_odds: ln(p / (1 - p)), in nats: 0 when the word is as likely as not.
        rank: Among all pieces of the vocabulary, 1 for the most probable; None for a word of
            several pieces, which the vocabulary does not hold.
        place: Among the words of this gap, 1 for the most probable.
        problem: One sentence: why there is no number; "" where there is one.
    """

    word: str
    pieces: tuple[Prediction, ...] = ()
    log_probability: float | None = None
    log_odds: float | None = None
    rank: int | None = None
    place: int | None = None
    problem: Phrase = NOTHING


@dataclass(frozen=True)
class GapScores:
    """All words in one gap.

    Attributes:
        positions: The masked tokens of the gap, as indices in the result's tokens.
        start: First character of what the words replace.
        end: One past the last character.
        part: 0 for the text, 1 for the second text.
        scores: A score a word, in the user's order.
        original: What stands there in the text, scored as the words are; None for a mask that was
            typed.
        favourite: The model's own most probable piece where one mask stands in the gap; None
            where the model is not asked in that way.
    """

    positions: tuple[int, ...]
    start: int
    end: int
    part: int
    scores: tuple[WordScore, ...]
    original: WordScore | None = None
    favourite: Prediction | None = None


@dataclass(frozen=True)
class CandidateWordsResult:
    """The words in every gap.

    Attributes:
        model: Who says so.
        tokens: The input as the model sees the user's masks.
        gaps: In the order of the input; the pieces of one masked word are one gap.
        method: One sentence: how a word of several pieces is scored.
        left_out: What did not fit, or None.
        note: What must be known besides; "" where there is nothing to say.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    gaps: tuple[GapScores, ...]
    method: Phrase
    left_out: LeftOut | None = None
    note: Phrase = NOTHING


def _space_stays_visible(request: dict[str, Any], result: dict[str, Any] | None) -> None:
    """Words were scored beside the space before them, where that is a token of its own."""
    spaces_stay_visible(request, result)
    request["lone_space"] = False


def words_of(value: object) -> tuple[str, ...]:
    """Words out of a line with commas or line breaks between them; each once."""
    if not isinstance(value, str):
        return ()
    parts = (" ".join(part.split()) for part in value.replace("\n", ",").split(","))
    return tuple(dict.fromkeys(part for part in parts if part))


@dataclass(frozen=True)
class CandidateWordsRequest(ReadsEntities):
    """Ask for the probability of given words in every gap.

    Attributes:
        words: What is tried in every gap, in the user's order: words, or several words together.
        lone_space: A space before a word that is a token of its own ("Ġ", "▁") is hidden and scored
            with the word; without, it stays visible, and tells the place that an unusual word
            follows.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    words: tuple[str, ...] = asked(WORDS, made=words_of, kept=", ".join)
    lone_space: bool = asked(
        Switch(
            N_("A space is a piece"),
            True,
            N_("Some tokenizers have a piece that is a space alone."),
        ),
        is_held=False,
    )


def check(request: CandidateWordsRequest) -> None:
    """Refuse what can't be answered by any model.

    Raises:
        UserMistake: The text is empty, or there are no words or too many.
    """
    check_text(request.text)
    if not any(word.strip() for word in request.words):
        raise UserMistake(
            N_("There are no words to score."), N_("Type some, with commas between them.")
        )
    if len(request.words) > MOST_WORDS:
        raise UserMistake(
            N_("{count} words are more than the {most_words} that are scored at once."),
            N_("Ask for fewer."),
            count=len(request.words),
            most_words=MOST_WORDS,
        )


@dataclass(frozen=True)
class CandidateRow:
    """A word in a gap."""

    gap: int = column(N_("gap"), compared=False)
    position: int = column(N_("position"), key=True, place=TOKENS)
    place: int | None = column(N_("place"), compared=False)
    word: str = column(N_("word"), key=True)
    pieces: str = column(N_("pieces"), written=visible, compared=False)
    number_of_pieces: int = column(N_("number of pieces"), compared=False)
    log_probability: float | None = column(N_("log-probability"), unit=N_("nats"), digits=3)
    probability: float | None = column(N_("probability"), written=in_digits)
    log_odds: float | None = column(N_("log-odds"), unit=N_("nats"), digits=3)
    rank: int | None = column(N_("rank"))
    piece_probabilities: str = column(N_("probabilities of pieces"), compared=False)
    piece_ranks: str = column(N_("ranks of pieces"), compared=False)
    is_original: bool = column(N_("original"), compared=False)
    problem: str = column(N_("problem"), compared=False)


def table(result: CandidateWordsResult) -> Table:
    """One row a word in a gap; the original has a row of its own."""
    rows = (
        _row(number, gap, one, is_original=one is gap.original)
        for number, gap in enumerate(result.gaps)
        for one in (*gap.scores, gap.original)
        if one is not None
    )
    return Table.of(CandidateRow, rows)


def _row(number: int, gap: GapScores, one: WordScore, *, is_original: bool) -> CandidateRow:
    return CandidateRow(
        number,
        gap.positions[0],
        one.place,
        one.word,
        " ".join(piece.token for piece in one.pieces),
        len(one.pieces),
        one.log_probability,
        probability_of(one),
        one.log_odds,
        one.rank,
        " ".join(f"{piece.probability:.6g}" for piece in one.pieces),
        " ".join(str(piece.rank) for piece in one.pieces),
        is_original,
        one.problem,
    )


def probability_of(one: WordScore) -> float | None:
    """A word's probability; None where there is a problem."""
    return None if one.log_probability is None else math.exp(one.log_probability)


COLUMN_TITLES = {
    "p(*)": N_("p({which})"),
    "most_probable": N_("most probable"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: CandidateWordsResult) -> dict[str, Cell]:
    """The first gap's words in one row, a column a word."""
    scores = result.gaps[0].scores
    row: dict[str, Cell] = {f"p({one.word})": probability_of(one) for one in scores}
    placed = [(one.place, one.word) for one in scores if one.place]
    best = min(placed, key=lambda one: one[0], default=None)
    row["most_probable"] = best[1] if best is not None else None
    return row


def headline(result: CandidateWordsResult) -> Headline:
    """The most probable of the words, beside the next one and the model's own."""
    every = [(one, gap) for gap in result.gaps for one in gap.scores]
    scored = [(chance, *both) for both in every if (chance := probability_of(both[0])) is not None]
    if not scored:
        problem = next((one.problem for one, _gap in every), None)
        return Headline(problem or Phrase(N_("None of the words is possible there.")))
    (chance, best, gap), *rest = sorted(scored, key=lambda one: -one[0])
    values = {"word": best.word, "share": in_percent(chance), "position": str(gap.positions[0])}
    own = gap.favourite
    if len(result.gaps) > 1:
        code = N_(
            "Of your words, “{word}” at position {position} is the most probable, with {share}."
        )
    elif own is not None and own.probability > chance:
        values |= {"favourite": drawn(own), "its": in_percent(own.probability)}
        code = N_(
            "Of your words, “{word}” fits best ({share}), but the model would rather say "
            "“{favourite}” ({its})."
        )
    elif rest:
        values |= {"second": rest[0][1].word, "its": in_percent(rest[0][0])}
        code = N_("Of your words, “{word}” fits best ({share}), ahead of “{second}” ({its}).")
    else:
        code = N_("“{word}” has {share} in this place.")
    return Headline(Phrase(code, **values), gap.positions[0])


QUESTION = Question(
    name="candidate_words",
    title=N_("Candidate words"),
    asks=N_("How probable are words of my choice where something is masked?"),
    listing=Listing(Topic.PREDICT, 3, "format-list-numbered", "Alt+4"),
    found_by=("probability of a word", "rank words", "verbalizer", "후보 단어", "단어 확률"),
    request=CandidateWordsRequest,
    result=CandidateWordsResult,
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    headline=headline,
    beside=exactly_at_masks,
    options=(WORDS, BESIDE),
    conditions=(
        a_text(N_("Type a sentence, then click a word to mask it.")),
        a_mask(N_("Click a word to mask it, then type your own words for it above.")),
        Condition(
            lambda document: bool(words_of(WORDS.of(document))),
            N_(
                "Type your own words for the mask above, with commas between them: soup, fried "
                "rice."
            ),
        ),
    ),
    roles={MODEL: (Predictor,)},
    upgrades=(_space_stays_visible,),
    formerly=("score_words",),
)
