"""Every step from letters to pieces, a row each; forwards and back."""

from collections.abc import Iterator, Sequence

from explorer.questions.tokenizers.merge_steps.question import (
    OPERATION,
    STEP,
    WORD,
    MergeStepsResult,
    Method,
)
from explorer.questions.tokenizers.merge_steps.rows import paths, steps
from explorer.questions.tokenizers.side_by_side.wording import algorithm_said
from explorer.text import N_, _
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth, Space
from explorer.ui.blocks.text import Text, heading, note, section, warning

ABOUT = {
    Method.MERGES: N_(
        "The word begins as single letters. Of all pairs of neighbours the one that was learnt "
        "first, with the lowest rank, is merged, until no pair is left that was ever learnt "
        "(Sennrich et al. 2016)."
    ),
    Method.LONGEST: N_(
        "From the left, the longest beginning that the vocabulary has becomes a piece; the rest is "
        "cut in the same way. Where nothing fits, the whole word is unknown (Wu et al. 2016)."
    ),
    Method.LATTICE: N_(
        "Every piece has a probability. For each letter the likeliest way to it is kept, and goes "
        "on from the likeliest way to an earlier letter (Kudo 2018). The numbers are "
        "log-probabilities, in nats."
    ),
}
PATHS = N_("Every way to cut the word has a probability: that of its pieces together, among all.")
DISAGREES = N_(
    "These steps end at other pieces than the tokenizer's own code, which prepares the word in a "
    "way of its own: {pieces}."
)
NOTHING_MERGED = N_("No two neighbours were ever merged in training: each letter is a piece.")
MOST_WORDS = 30
"""Words of a text that are offered."""


def blocks(shown: Shown) -> Iterator[Block]:
    """The words to choose from, then every part of the word with its steps."""
    result: MergeStepsResult = shown.result
    yield Chips([*_words(shown, result.words[:MOST_WORDS])], title=_("Word"))
    said = f"{result.title}  ·  {algorithm_said(result.algorithm)}  ·  {result.word}"
    yield Text(said, "heading", above=Space.APART)
    yield note(_(ABOUT[result.method]))
    if not result.agrees:
        yield warning(_(DISAGREES, pieces=" ".join(result.pieces)))
    longest = max((len(part.steps) for part in result.parts), default=1)
    count = min(shown.value(STEP) or longest, longest)
    if longest > 1:
        yield Chips([*_moves(shown, count, longest)])
    if longest == 1 and result.parts and result.method is Method.MERGES:
        yield note(_(NOTHING_MERGED))
    of_bytes = result.algorithm == "byte-level BPE"
    cards = [Card((steps(part, count, of_bytes=of_bytes),)) for part in result.parts]
    if count == longest:
        titled = section(_("The likeliest ways"), _(PATHS))
        cards += [Card((*titled, paths(part))) for part in result.parts if len(part.paths) > 1]
    yield Columns(cards, narrowest=CardWidth.WIDE, framed=False)
    if count == longest:
        yield Text(
            _("Pieces: {pieces}", pieces="  ".join(result.pieces)), "strong", above=Space.APART
        )
    if not result.parts:
        yield heading(_("Nothing of this word is left after it was prepared."))


def _words(shown: Shown, words: Sequence[str]) -> Iterator[Chip]:
    for word in words:
        act = shown.setting(WORD, word, _("follow “{word}”", word=word))
        yield Chip(word, act, word == shown.result.word, key=("word", word))


def _moves(shown: Shown, count: int, longest: int) -> Iterator[Chip]:
    """Back, forward, and all at once."""
    for title, to, key in (
        (_("First"), 1, "first"),
        (_("Back"), max(1, count - 1), "back"),
        (_("Forward"), min(longest, count + 1), "forward"),
        (_("All"), 0, "all"),
    ):
        act = shown.setting(STEP, to, _("go to step {number}", number=to or longest))
        yield Chip(title, act, key=("move", key))


PAGE = Page(OPERATION, blocks)
