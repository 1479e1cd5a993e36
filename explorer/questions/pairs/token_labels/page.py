"""The sentence with labels, and all labels of one token."""

from collections.abc import Iterator

from explorer.questions.pairs.class_table import class_table
from explorer.questions.pairs.token_labels.question import (
    AT,
    OPERATION,
    OUTSIDE,
    TokenLabelsResult,
)
from explorer.text import N_, _
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.left_out import left_out
from explorer.ui.blocks.page import Page
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.text import heading, note
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens
from explorer.ui.sentence.pieces import of_tokens

ABOUT = N_(
    "Below a token stands its likeliest label, coloured by how probable that is; tokens labelled "
    "“O” are nothing. Labels are made for pieces: the training data say whether only the first "
    "piece of a word counts."
)
LISTED = 30
"""Labels that have a row; the table for export has the likeliest of each token."""


def blocks(shown: Shown) -> Iterator[Block]:
    """The sentence, and the chosen token's labels."""
    result: TokenLabelsResult = shown.result
    yield from left_out(result.left_out)
    yield note(_(ABOUT))
    at = place_of(shown)
    yield ScoredTokens(_tokens(shown, at), _("Labels of the tokens"))
    if at is None:
        return
    pieces = of_tokens(result.tokens, shown.asked)
    yield heading(_("All labels of “{token}”", token=pieces[at].text))
    yield _labels(result, at)


def place_of(shown: Shown) -> int | None:
    """The token whose labels are listed: the chosen one, the first with a label, or the first."""
    result: TokenLabelsResult = shown.result
    chosen = next(iter(shown.value(AT)), None)
    if chosen in result.places:
        return int(chosen)
    return next(iter((*result.labelled, *result.places)), None)


def _tokens(shown: Shown, at: int | None) -> list[ScoredToken]:
    result: TokenLabelsResult = shown.result
    tokens = []
    for place, piece in enumerate(of_tokens(result.tokens, shown.asked)):
        if piece.special:
            tokens.append(ScoredToken(piece.text, ("token", place), special=True, part=piece.part))
            continue
        best = result.best[place]
        label, chance = result.labels[best], float(result.probabilities[place, best])
        outside = label == OUTSIDE
        words = _(
            "“{token}”: {label}, {chance}",
            token=piece.text,
            label=label,
            chance=in_digits(chance),
        )
        act = None
        if place != at:
            act = shown.setting(AT, (place,), _("choose a token"))
        tokens.append(
            ScoredToken(
                piece.text,
                ("token", place),
                None if outside else chance,
                "" if outside else label,
                words=words,
                act=act,
                joined=piece.joined,
                part=piece.part,
            )
        )
    return tokens


def _labels(result: TokenLabelsResult, at: int) -> BarTable:
    chances = result.probabilities[at].tolist()
    return class_table(
        result.labels,
        chances,
        result.logits[at].tolist(),
        titles=(_("Labels of one token"), _("label")),
        key=lambda number: ("label", number),
        order=sorted(range(len(chances)), key=lambda n: -chances[n])[:LISTED],
    )


PAGE = Page(
    OPERATION,
    blocks,
    elsewhere=N_(
        "Labels are given by models that were fine-tuned for them, as bert-labels-miniature; "
        "their class is called ...ForTokenClassification."
    ),
)
