"""The patterns by which attention heads are measured, each with its definition."""

from dataclasses import dataclass

from explorer.text import N_


@dataclass(frozen=True)
class PatternMeasure:
    """A number that says how much a head has of a pattern.

    Attributes:
        name: In tables and options.
        title: What a user reads.
        meaning: One sentence that defines it.
        within: Only where a text attends to itself, not from one text to another.
        share: Between 0 and 1.
    """

    name: str
    title: str
    meaning: str
    within: bool = False
    share: bool = True


MEASURES = (
    PatternMeasure(
        "previous",
        N_("previous token"),
        N_("Mean weight from a token to the one right before it."),
        within=True,
    ),
    PatternMeasure(
        "next",
        N_("next token"),
        N_("Mean weight from a token to the one right after it."),
        within=True,
    ),
    PatternMeasure(
        "same", N_("same token"), N_("Mean weight from a token to itself."), within=True
    ),
    PatternMeasure("first", N_("first token"), N_("Mean weight from a token to the first one.")),
    PatternMeasure(
        "separator",
        N_("separator"),
        N_("Mean weight from a token to all separators together ([SEP], </s>)."),
    ),
    PatternMeasure(
        "strongest",
        N_("one token"),
        N_("Mean of the largest weight of each token: 1 where all go to one token."),
    ),
    PatternMeasure(
        "entropy",
        N_("spread"),
        N_(
            "Mean entropy of a token's weights in nats: 0 where all go to one token, the logarithm "
            "of their number where all tokens get the same."
        ),
        share=False,
    ),
    PatternMeasure(
        "distance",
        N_("distance"),
        N_(
            "Mean distance in tokens from a token to what it looks at, each weighted by its weight."
        ),
        within=True,
        share=False,
    ),
)
"""Means are over all tokens that can have the pattern: the first token has none before it."""

NAMES = tuple(measure.name for measure in MEASURES)
