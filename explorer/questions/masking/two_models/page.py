"""Models A and B at the same masks, aligned by word."""

from collections.abc import Iterator

from explorer.api import FIRST, SECOND
from explorer.questions.masking.two_models.question import (
    OPERATION,
    ComparedMask,
    CompareFillingsResult,
)
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.pairs import Pair, pairs
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.text import Text, heading, note
from explorer.ui.blocks.tokens import Tokens


def blocks(shown: Shown) -> Iterator[Block]:
    """A table of words for every mask: a blue bar for the first model, a green for the second."""
    result: CompareFillingsResult = shown.result
    yield Text(f"First, blue: {result.model.id}. Second, green: {result.other.id}.", "strong")
    said = " ".join(part for part in (alignment_said(result), result.note) if part)
    yield note(said, above=3)
    numbered = len(result.masks) > 1
    notes = {
        mask.position: f"mask {number}"
        for number, mask in enumerate(result.masks, start=1)
        if numbered
    }
    # One mask stands for a whole word here, so characters of the document are not its tokens'.
    if shown.alone or notes:
        yield Tokens(result.tokens, None, notes)
    words = [
        [Pair(one.word, one.first, one.first_rank, one.second, one.second_rank) for one in m.words]
        for m in result.masks
    ]
    every = [pair for some in words for pair in some]
    for number, (mask, some) in enumerate(zip(result.masks, words, strict=True), start=1):
        if numbered:
            yield heading(f"Mask {number}")
        yield Text(mask_said(mask))
        yield pairs(some, (FIRST, SECOND), f"Words at mask {number}", every)


def alignment_said(result: CompareFillingsResult) -> str:
    """How the two vocabularies were brought together."""
    if result.same_vocabulary:
        return f"Both models have the same vocabulary of {result.first_words:,} words."
    aside = ", capital letters aside," if result.folded else ""
    return (
        "The vocabularies differ, so the models are compared word by word: the first has "
        f"{result.first_words:,} words as one piece, the second {result.second_words:,}, and "
        f"{result.shared_words:,}{aside} are in both."
    )


def mask_said(mask: ComparedMask) -> str:
    """How far the two are apart at one mask."""
    said = "Both expect the same word first. " if mask.agree else "They expect different words. "
    said += f"{mask.total_variation * 100:.1f} % of the belief lies on other words"
    kl = "infinite" if mask.kl is None else f"{mask.kl:.3f} nats"
    back = "infinite" if mask.kl_back is None else f"{mask.kl_back:.3f}"
    said += f" (KL divergence first to second {kl}, second to first {back})."
    if min(mask.first_covered, mask.second_covered) < 0.9995:
        said += (
            f" Words that both have hold {mask.first_covered * 100:.1f} % of the first's belief "
            f"and {mask.second_covered * 100:.1f} % of the second's; the rest counts as one word."
        )
    return said


PAGE = Page(
    OPERATION,
    blocks,
    group="Masking",
    order=11,
    glyph="compare-horizontal",
)
