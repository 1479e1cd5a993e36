"""The sentence with a label below every token, and all labels of one of them."""

from collections.abc import Iterator

from explorer.api.question import Labels
from explorer.text import _
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.text import heading
from explorer.ui.matrices.scored_tokens import ScoredToken, ScoredTokens
from explorer.ui.parts.looking import Looking
from explorer.ui.parts.predictions.class_table import class_table
from explorer.ui.sentence.pieces import pieces_of_tokens

LISTED = 30
"""Labels that have a row; the table for export has the likeliest of each token."""


def blocks(part: Labels, looking: Looking) -> Iterator[Block]:
    """The sentence, and the chosen token's labels."""
    at = place_of(part, looking)
    yield ScoredTokens(_tokens(part, looking, at), _("Labels of the tokens"))
    if at is None:
        return
    pieces = pieces_of_tokens(part.tokens, looking.shown.asked)
    yield heading(_("All labels of “{token}”", token=pieces[at].text))
    chances = part.probabilities[at].tolist()
    yield class_table(
        part.labels,
        chances,
        part.logits[at].tolist(),
        titles=(_("Labels of one token"), _("label")),
        key=lambda number: ("label", number),
        order=sorted(range(len(chances)), key=lambda n: -chances[n])[:LISTED],
    )


def place_of(part: Labels, looking: Looking) -> int | None:
    """The token whose labels are listed: the chosen one, the first with a label, or the first."""
    chosen = next(iter(looking.chosen), None)
    if chosen in part.places:
        return chosen
    return next(iter((*part.labelled, *part.places)), None)


def _tokens(part: Labels, looking: Looking, at: int | None) -> list[ScoredToken]:
    tokens = []
    for place, piece in enumerate(pieces_of_tokens(part.tokens, looking.shown.asked)):
        if piece.special:
            tokens.append(ScoredToken(piece.text, ("token", place), special=True, part=piece.part))
            continue
        best = part.best[place]
        label, chance = part.labels[best], float(part.probabilities[place, best])
        is_none = label == part.nothing
        tokens.append(
            ScoredToken(
                piece.text,
                ("token", place),
                None if is_none else chance,
                "" if is_none else label,
                words=_(
                    "“{token}”: {label}, {chance}",
                    token=piece.text,
                    label=label,
                    chance=in_digits(chance),
                ),
                act=looking.choose(place) if place != at else None,
                joined=piece.joined,
                part=piece.part,
            )
        )
    return tokens
