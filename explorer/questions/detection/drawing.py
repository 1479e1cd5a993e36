"""What one draw of replaced tokens and many of them are set by, and how verdicts are cut.

Their names are those of the question of one draw, in documents and on the command line.
"""

from explorer.api.question import Number, Share, Switch
from explorer.numerics.evaluation.outcomes import DEFAULT_THRESHOLD
from explorer.text import N_

PAPER_RATE = 0.15
"""Clark et al. 2020, section 2: the share of tokens that are masked."""

GREEDY = Switch(
    N_("Always the likeliest token"),
    False,
    N_("Take the generator's most probable token instead of drawing one."),
    key="replaced_tokens.greedy",
)
TEMPERATURE = Number(
    N_("Temperature"),
    1.0,
    N_(
        "The generator's logits are divided by it before a token is drawn: below 1 likely tokens "
        "become likelier, above 1 all become more alike."
    ),
    low=0.05,
    high=100.0,
    step=0.1,
    ratios=True,
    idle=lambda document: (
        N_("The most probable token is taken, at any temperature.") if GREEDY.of(document) else ""
    ),
    key="replaced_tokens.temperature",
)
RATE = Share(
    N_("Replaced"),
    PAPER_RATE,
    N_("The share of the tokens: 15 % in the paper. Click tokens to choose them yourself."),
    low=0.01,
    high=1.0,
    idle=lambda document: (
        N_("The masked tokens are replaced, and no others.") if document.masks else ""
    ),
    key="replaced_tokens.rate",
)
THRESHOLD = Number(
    N_("Threshold"),
    DEFAULT_THRESHOLD,
    N_("A token is called replaced where its probability is above this."),
    redraws=True,
    key="replaced_tokens.threshold",
)
