"""The user's own words at every mask: probability, rank and log-odds, whole words always."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.document import Mask, matched
from explorer.questions.masking.candidate_words.question import (
    OPERATION,
    CandidateWordsResult,
    GapScores,
    WordScore,
    probability_of,
)
from explorer.questions.masking.exact_answers.beside import exact_cards
from explorer.questions.masking.joint_decoding.fillings import times
from explorer.questions.masking.pinned_masks import no_mask_said
from explorer.text import N_, _, said
from explorer.text.formatting.numbers import signed
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.tables import rows as table
from explorer.ui.blocks.tables.bar_table import NOT_THERE, BarTable
from explorer.ui.blocks.tables.rows import Axis, Bar, Column
from explorer.ui.blocks.text import heading, note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.document.gestures import Edit, put_words

ABOUT = N_(
    "The axis counts in powers of ten, so that rare words can be told apart. Rank: the place in "
    "the whole vocabulary, where a word of several pieces has none. Log-odds: 0 is as likely as "
    "not."
)
DEEPEST = 12
"""Powers of ten below 1 that the axis goes down to at most."""

FAVOURITE, ORIGINAL = N_("the model's own"), N_("original")


@dataclass(frozen=True)
class Row:
    """A word.

    Attributes:
        score: Its numbers.
        tag: What it is besides a word of the user's: the original, or the model's own choice.
        before: Its probability in the pinned answer; None where nothing is pinned, or it was not
            asked for.
    """

    score: WordScore
    tag: str = ""
    before: float | None = None

    @property
    def pieces(self) -> str:
        """Its pieces, where there are several."""
        pieces = self.score.pieces
        spaced = (one.token.replace("Ġ", "␣").replace("▁", "␣") for one in pieces)
        return " + ".join(spaced) if len(pieces) > 1 else ""


def blocks(shown: Shown) -> Iterator[Block]:
    """A table for every gap; they share one axis."""
    result: CandidateWordsResult = shown.result
    before = _pinned_probabilities(shown)
    every = [rows_of(gap, words) for gap, words in zip(result.gaps, before, strict=True)]
    axis = max(axis_of(rows) for rows in every)
    names = [_("mask {number}", number=number) for number in range(1, len(every) + 1)]
    notes = {}
    if len(every) > 1:
        notes = {gap.positions[0]: name for gap, name in zip(result.gaps, names, strict=True)}
    if shown.alone or notes:
        yield Tokens(result.tokens, shown.asked, notes)
    for number, rows in enumerate(every):
        if len(every) > 1:
            yield heading(names[number].capitalize())
        if before[number] is None and shown.pinned is not None:
            yield note(no_mask_said(shown.asked, shown.pinned.document))
        yield scores(
            rows, number, axis, _put(shown, number), _("Words at {names}", names=names[number])
        )
    yield from exact_cards(shown)
    yield note(_(ABOUT), above=Space.APART)
    yield note(_(result.method), above=Space.TIGHT)
    if result.note:
        yield note(said(result.note), above=Space.TIGHT)


def _put(shown: Shown, number: int) -> Callable[[str], Edit]:
    """What puts a word into a gap."""
    gap: GapScores = shown.result.gaps[number]
    place = Mask(gap.start, gap.end, gap.part)
    return lambda word: put_words(shown.asked, (place, word))


def _pinned_probabilities(shown: Shown) -> tuple[dict[str, float] | None, ...]:
    """For every gap, the pinned probability of each word asked for, the hidden one included.

    None for a gap that the pinned answer has not.
    """
    result, pinned = shown.result, shown.pinned
    if pinned is None:
        return (None,) * len(result.gaps)
    then: CandidateWordsResult = pinned.result
    places, pinned_places = (
        [Mask(gap.start, gap.end, gap.part) for gap in one.gaps] for one in (result, then)
    )
    numbers = matched(places, shown.asked, pinned_places, pinned.document)
    return tuple(_probabilities(then.gaps[n]) if n is not None else None for n in numbers)


def _probabilities(gap: GapScores) -> dict[str, float]:
    scores = [*gap.scores, *([gap.original] if gap.original is not None else [])]
    values = {one.word: probability_of(one) for one in scores}
    return {word: value for word, value in values.items() if value is not None}


def rows_of(gap: GapScores, pinned: Mapping[str, float] | None = None) -> tuple[Row, ...]:
    """The words of a gap, most probable first; those without a number last.

    The hidden word and the model's own favourite are put among them, unless the user asked for
    them.
    """
    asked = {one.word.casefold() for one in gap.scores}
    rows = [Row(one, _tag(one, gap)) for one in gap.scores]
    original, favourite = gap.original, gap.favourite
    if original is not None and original.word.casefold() not in asked:
        rows.append(Row(original, ORIGINAL))
        asked.add(original.word.casefold())
    if favourite is not None and favourite.word.casefold() not in asked and not favourite.glue:
        log = math.log(max(favourite.probability, 1e-300))
        odds = log - math.log(max(1.0 - favourite.probability, 1e-300))
        own = WordScore(favourite.word, (favourite,), log, odds, 1)
        rows.append(Row(own, FAVOURITE))
    if pinned is not None:
        rows = [Row(row.score, row.tag, pinned.get(row.score.word)) for row in rows]
    return tuple(sorted(rows, key=lambda row: -(row.score.log_probability or -math.inf)))


def _tag(one: WordScore, gap: GapScores) -> str:
    if gap.original is not None and one.word.casefold() == gap.original.word.casefold():
        return ORIGINAL
    best = gap.favourite
    if best is not None and not best.glue and one.word.casefold() == best.word.casefold():
        return FAVOURITE
    return ""


def axis_of(rows: Sequence[Row]) -> int:
    """Powers of ten that the axis holds, so that the least probable word has a bar."""
    logs = [row.score.log_probability for row in rows if row.score.log_probability is not None]
    least = min(logs, default=0.0) / math.log(10)
    return min(max(math.ceil(-least), 2), DEEPEST)


def details(row: Row) -> str:
    """What is known of a word."""
    one = row.score
    if one.log_probability is None:
        return said(one.problem)
    lines = [
        one.word,
        _("Probability: {in_digits}", in_digits=in_digits(math.exp(one.log_probability))),
    ]
    if one.rank is not None:
        lines.append(_("Rank {rank} in the vocabulary", rank=one.rank))
    for number, piece in enumerate(one.pieces):
        if len(one.pieces) > 1:
            after = "" if number == 0 else _(", after the pieces before it")
            lines.append(
                _(
                    "{token}: {in_digits}, rank {rank}{after}",
                    token=piece.token,
                    in_digits=in_digits(piece.probability),
                    rank=piece.rank,
                    after=after,
                )
            )
    if row.before is not None:
        lines.append(_("Pinned answer: {in_digits}", in_digits=in_digits(row.before)))
    lines.append(_("Click to put it into the sentence."))
    return "\n".join(lines)


def scores(
    rows: Sequence[Row], gap: int, axis: int, put: Callable[[str], Any], title: str
) -> BarTable:
    """The words of one gap, on an axis of powers of ten.

    Args:
        rows: Most probable first.
        gap: The number of the gap, for the rows' keys.
        axis: Powers of ten the bars' axis holds; the same for gaps that are compared.
        put: The gesture that puts a word into the gap.
        title: What a screen reader calls the table.
    """
    ranked = any(row.score.rank for row in rows)
    pinned = any(row.before is not None for row in rows)
    columns = (
        Column(_("probability")),
        *((Column(_("rank"), "muted"),) if ranked else ()),
        Column(_("log-odds"), dispensable=True),
        *((Column(_("change"), "accent"),) if pinned else ()),
    )
    return BarTable(
        [_row(row, gap, put, ranked=ranked, pinned=pinned) for row in rows],
        columns,
        Axis(powers=axis),
        title,
    )


def _row(row: Row, gap: int, put: Callable[[str], Any], *, ranked: bool, pinned: bool) -> table.Row:
    one, log = row.score, row.score.log_probability
    change = ""
    if row.before is not None and log is not None:
        change = times(log - math.log(max(row.before, 1e-300)))
    cells = (
        NOT_THERE if log is None else in_digits(math.exp(log)),
        *(("" if one.rank is None else f"{one.rank:,}",) if ranked else ()),
        "" if one.log_odds is None else signed(one.log_odds, 2),
        *((change,) if pinned else ()),
    )
    colour = "bar_original" if row.tag == ORIGINAL else "bar"
    return table.Row(
        one.word,
        cells,
        () if log is None else (Bar(math.exp(log), colour),),
        mark=row.before or None,
        tag=_(row.tag),
        below=said(one.problem) or row.pieces,
        below_colour="warning" if one.problem else "muted",
        muted=log is None,
        words=details(row),
        key=("word", gap, one.word) if log is not None else None,
        act=put(one.word) if log is not None else None,
    )


PAGE = Page(OPERATION, blocks, draws_pinned=True)
