"""The user's own words at every mask: probability, rank and log-odds, whole words always."""

from collections.abc import Callable, Iterator

from explorer.document import Mask, matched
from explorer.questions.masking.candidate_words.question import (
    OPERATION,
    CandidateWordsResult,
    GapScores,
    probability_of,
)
from explorer.questions.masking.candidate_words.scores import axis_of, rows_of, scores
from explorer.questions.masking.exact_answers.beside import exact_cards
from explorer.questions.masking.pinned_masks import no_mask_said
from explorer.text import N_, _, said
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import Space
from explorer.ui.blocks.text import heading, note
from explorer.ui.blocks.tokens import Tokens
from explorer.ui.document.gestures import Edit, put_words

ABOUT = N_(
    "The axis counts in powers of ten, so that rare words can be told apart. Rank: the place in "
    "the whole vocabulary, where a word of several pieces has none. Log-odds: 0 is as likely as "
    "not."
)


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


PAGE = Page(
    OPERATION,
    blocks,
    draws_pinned=True,
)
