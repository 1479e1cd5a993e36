"""The user's own words at every mask: probability, rank and log-odds, whole words always."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

from explorer.api import Prediction
from explorer.document import Mask, matched
from explorer.questions.masking.candidate_words.question import (
    OPERATION,
    CandidateWordsResult,
    GapScores,
    WordScore,
    probability_of,
)
from explorer.questions.masking.joint_decoding.fillings import times
from explorer.text import N_, _, said
from explorer.text.formatting.numbers import signed
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.beside import Beside
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
from explorer.ui.parts.pinned_masks import no_mask_said

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
        put = _put(shown, result.gaps[number])
        yield scores(rows, number, axis, put, _("Words at {names}", names=names[number]))
    yield Beside()
    yield note(_(ABOUT), above=Space.APART)
    yield note(_(result.method), above=Space.TIGHT)
    if result.note:
        yield note(said(result.note), above=Space.TIGHT)


def _put(shown: Shown, gap: GapScores) -> Callable[[str], Edit]:
    """What puts a word into a gap."""
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
    scores = (one for one in (*gap.scores, gap.original) if one is not None)
    return {one.word: value for one in scores if (value := probability_of(one)) is not None}


def rows_of(gap: GapScores, pinned: Mapping[str, float] | None = None) -> tuple[Row, ...]:
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
    known = pinned or {}
    rows = [Row(one, tags.get(one.word.casefold(), ""), known.get(one.word)) for one in found]
    return tuple(sorted(rows, key=lambda row: -row.log))


def _own(favourite: Prediction | None) -> WordScore | None:
    """The model's own word as the user's are scored; None where it is no word alone."""
    if favourite is None or favourite.glue:
        return None
    log = math.log(max(favourite.probability, 1e-300))
    odds = log - math.log(max(1.0 - favourite.probability, 1e-300))
    return WordScore(favourite.word, (favourite,), log, odds, 1)


def axis_of(rows: Sequence[Row]) -> int:
    """Powers of ten that the axis holds, so that the least probable word has a bar."""
    least = min((row.log for row in rows if row.log > -math.inf), default=0.0) / math.log(10)
    return min(max(math.ceil(-least), 2), DEEPEST)


def details(row: Row) -> str:
    """What is known of a word that has a number."""
    one = row.score
    lines = [one.word, _("Probability: {in_digits}", in_digits=in_digits(math.exp(row.log)))]
    if one.rank is not None:
        lines.append(_("Rank {rank} in the vocabulary", rank=one.rank))
    if len(one.pieces) > 1:
        lines += [
            _(
                "{token}: {in_digits}, rank {rank}{after}",
                token=piece.token,
                in_digits=in_digits(piece.probability),
                rank=piece.rank,
                after="" if number == 0 else _(", after the pieces before it"),
            )
            for number, piece in enumerate(one.pieces)
        ]
    if row.before is not None:
        lines.append(_("Pinned answer: {in_digits}", in_digits=in_digits(row.before)))
    return "\n".join((*lines, _("Click to put it into the sentence.")))


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
        Column(_("rank"), "muted"),
        Column(_("log-odds"), dispensable=True),
        Column(_("change"), "accent"),
    )
    there = (True, ranked, True, pinned)
    made = [_row(row, gap, put) for row in rows]
    return BarTable(
        [replace(row, cells=tuple(compress(row.cells, there))) for row in made],
        tuple(compress(columns, there)),
        Axis(powers=axis),
        title,
    )


def _row(row: Row, gap: int, put: Callable[[str], Any]) -> table.Row:
    one = row.score
    if one.log_probability is None:
        cells, why = (NOT_THERE, "", "", ""), said(one.problem)
        muted = table.Row(one.word, cells, below=why, below_colour="warning", words=why, muted=True)
        return replace(muted, tag=_(row.tag))
    change = "" if row.before is None else times(row.log - math.log(max(row.before, 1e-300)))
    return table.Row(
        one.word,
        (
            in_digits(math.exp(row.log)),
            "" if one.rank is None else f"{one.rank:,}",
            "" if one.log_odds is None else signed(one.log_odds, 2),
            change,
        ),
        (Bar(math.exp(row.log), "bar_original" if row.tag == ORIGINAL else "bar"),),
        mark=row.before or None,
        tag=_(row.tag),
        below=row.pieces,
        words=details(row),
        key=("word", gap, one.word),
        act=put(one.word),
    )


PAGE = Page(OPERATION, blocks, draws_pinned=True)
