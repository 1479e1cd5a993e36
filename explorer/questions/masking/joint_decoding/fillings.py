"""Whole fillings as rows: two bars each, one for the words together and one for each alone."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from explorer.api.question import CHARACTERS, TOKENS, Mask, Put, Puts, Ranked, RowLook, column
from explorer.questions.masking.joint_decoding.question import Filling, JointDecodingResult
from explorer.text import N_, Phrase, verbatim
from explorer.text.formatting.numbers import ten_to
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible

BETWEEN_WORDS = " · "
TOGETHER, ALONE = N_("together"), N_("each alone")


@dataclass(frozen=True)
class SeenFilling:
    """A filling as it is read; the same one in another answer has its first and last mask there."""

    words: str = column(N_("filling"), key=True)
    together: float = column(TOGETHER, written=in_digits)
    alone: float | None = column(
        ALONE, written=in_digits, compared=False, ink=lambda _alone: "muted"
    )
    factor: str = column(N_("ratio"), compared=False, dispensable=True)
    rank: int | None = column(N_("rank"), shown=False)
    masks: int = column(N_("masks"), key=True, shown=False)
    position: int = column(N_("position"), key=True, place=TOKENS, shown=False)
    start: int = column(N_("first character"), key=True, place=CHARACTERS, shown=False)
    end: int = column(N_("one past the last"), compared=False, shown=False)
    part: int = column(N_("text"), compared=False, shown=False)


def words_of(filling: Filling) -> str:
    """The words of a filling, in order."""
    return BETWEEN_WORDS.join(visible(word) or "␣" for word in filling.words)


def factor(filling: Filling) -> str:
    """How many times as probable the words are together as they would be each alone."""
    if filling.log_independent is None:
        return ""
    return times(filling.log_joint - filling.log_independent)


def times(log_ratio: float) -> str:
    """A ratio given as its logarithm: "× 2.2", "÷ 43"."""
    sign = "×" if log_ratio >= 0 else "÷"
    if abs(log_ratio) > math.log(9_999.5):
        return f"{sign} {ten_to(math.floor(abs(log_ratio) / math.log(10)))}"
    ratio = math.exp(abs(log_ratio))
    return f"{sign} {ratio:.1f}" if ratio < 9.95 else f"{sign} {ratio:,.0f}"


def fillings_of(result: JointDecodingResult) -> Ranked:
    """A row a filling: a bar for the words together, an outline for each alone."""
    ranked = list(ranked_fillings(result))
    rows = {_row(result, filling, rank): (filling, rank) for filling, rank in ranked}
    numbers = {row: number for number, row in enumerate(rows)}

    def look(row: SeenFilling) -> RowLook:
        filling, rank = rows[row]
        alone = is_alone(result, filling)
        return RowLook(
            verbatim(row.words),
            lead=verbatim("–" if rank is None else str(rank)),
            tag=ALONE if alone else "",
            words=tuple(_details(filling)),
            spoken=Phrase(
                N_("{text}: together {in_digits}"),
                text=row.words,
                in_digits=in_digits(row.together),
            ),
            ground="mask_fill" if alone else "",
            key=("filling", numbers[row]),
        )

    has_alone = any(filling.log_independent is not None for filling, _rank in ranked)
    return Ranked(
        SeenFilling,
        tuple(rows),
        "together",
        second_bar="alone" if has_alone else "",
        gesture=lambda row: put_filling(result, rows[row][0]),
        in_files=False,
        look=look,
        hollow=True,
        place="rank",
        hidden=() if has_alone else ("alone", "factor"),
        name=N_("Fillings"),
    )


def ranked_fillings(result: JointDecodingResult) -> Iterator[tuple[Filling, int | None]]:
    """What the method found, and the words of each mask alone where they are not among it."""
    for rank, one in enumerate(result.fillings, start=1):
        yield one, rank
    alone = result.independent
    if alone is None or len(result.order) < 2:
        return
    if not any(is_alone(result, one) for one in result.fillings):
        yield alone, None


def is_alone(result: JointDecodingResult, filling: Filling) -> bool:
    """Whether a filling has the best word of every mask alone."""
    alone = result.independent
    return alone is not None and filling.words == alone.words and len(result.order) > 1


def _row(result: JointDecodingResult, filling: Filling, rank: int | None) -> SeenFilling:
    independent = filling.log_independent
    last = gap_places(result)[-1]
    return SeenFilling(
        words_of(filling),
        math.exp(filling.log_joint),
        None if independent is None else math.exp(independent),
        factor(filling),
        rank,
        len(result.order),
        result.positions[0],
        last.start,
        last.end,
        last.part,
    )


def put_filling(result: JointDecodingResult, filling: Filling) -> Puts:
    """Put a filling into the sentence."""
    three = zip(result.gaps, gap_places(result), filling.words, strict=True)
    return Puts(
        tuple(
            Put(place, words, glued=filling.chosen[gap[0]].glue == "before")
            for gap, place, words in three
        )
    )


def gap_places(result: JointDecodingResult) -> tuple[Mask, ...]:
    """The characters under every gap."""
    at = [[result.tokens[result.positions[mask]] for mask in gap] for gap in result.gaps]
    return tuple(Mask(gap[0].start, gap[-1].end, gap[0].part) for gap in at)


def _details(filling: Filling) -> Iterator[str]:
    """What is known of a filling, mask by mask."""
    together = in_digits(math.exp(filling.log_joint))
    yield verbatim(words_of(filling))
    yield Phrase(N_("Together: {in_digits}"), in_digits=together)
    if filling.log_independent is not None:
        alone = in_digits(math.exp(filling.log_independent))
        yield Phrase(N_("If each mask were alone: {in_digits}"), in_digits=alone)
    for number, chosen in enumerate(filling.chosen):
        values = {"word": chosen.word, "rank": chosen.rank}
        values["in_digits"] = in_digits(chosen.probability)
        code = N_("{word}: {in_digits} when it was filled (rank {rank})")
        if filling.alone:
            beside = filling.alone[number]
            values |= {"alone": in_digits(beside.probability), "other": beside.rank}
            code = N_(
                "{word}: {in_digits} when it was filled (rank {rank}), {alone} alone (rank {other})"
            )
        yield Phrase(code, **values)
