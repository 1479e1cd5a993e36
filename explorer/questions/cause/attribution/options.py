"""What an attribution can be set to."""

import enum
from collections.abc import Callable

from explorer.api.question import Choice, Entry, FilePath, Optioned, Places, Whole
from explorer.attribution.bringing import brought
from explorer.attribution.choice import MethodChoice, own_entries
from explorer.attribution.foreign import RIGHTS, is_file
from explorer.attribution.kinds import Baseline
from explorer.attribution.known import own_methods
from explorer.text import N_

NONE = "none"


class ExplainedTarget(enum.StrEnum):
    """Whose answer is explained."""

    USUAL = "usual"
    """The prediction of a word; where the model makes none, or nothing is masked in a pair that it
    judges, its judgement."""
    WORD = "word"
    """A word at a mask, or the next one after a text."""
    REPLACED = "replaced"
    """Whether a token was replaced."""
    LABEL = "label"
    """A label of the whole text, or of the pair."""
    TOKEN_LABEL = "token_label"  # noqa: S105 - what is explained
    """The label of a token."""
    START = "start"
    """Where the answer to the second text begins in the first."""
    END = "end"
    """Where it ends."""


class ExplainedMeasure(enum.StrEnum):
    """Which number of the answer is explained; never a probability, which is flat at its ends."""

    LOG_PROBABILITY = "log_probability"
    DIFFERENCE = "difference"
    ENTROPY = "entropy"


class Quantity(enum.StrEnum):
    """What number was explained."""

    LOG_PROBABILITY = "log_probability"
    LOG_ODDS = "log_odds"
    """The logarithm of p / (1 - p): of a discriminator the logit itself."""
    DIFFERENCE = "difference"
    ENTROPY = "entropy"


class NormalisedOver(enum.StrEnum):
    """Among what the probabilities behind a number add up to one."""

    VOCABULARY = "vocabulary"
    LABELS = "labels"
    REPLACED_OR_NOT = "replaced_or_not"
    PASSAGE = "passage"
    """The tokens of the text that holds the answer, and neither the question's nor special ones."""
    PASSAGE_AND_NULL = "passage_and_null"
    """These, and the position that stands for no answer."""


class ScoredUnit(enum.StrEnum):
    """What has a score of its own."""

    PIECE = "piece"
    WORD = "word"


METHOD = MethodChoice(
    N_("Method"),
    "integrated_gradients",
    N_("One of the methods, or a file of yours with one: docs/methods.md says how it is written."),
    entries=own_entries(),
    key="attribution.method",
)
BESIDE = MethodChoice(
    N_("Second method"),
    "occlusion",
    N_("A second method, to see whether both say the same."),
    entries=(Entry(NONE, N_("Nothing"), N_("One method alone")), *own_entries()),
    key="attribution.beside",
)
FILE = FilePath(
    N_("Method from a file…"),
    "",
    RIGHTS,
    redraws=True,
    kinds=N_("Methods (*.py)"),
    endings=(".py",),
    sets=METHOD.key,
    key="attribution.file",
)
TARGET = Choice(
    N_("Explained"),
    ExplainedTarget.USUAL.value,
    entries=(
        Entry(
            ExplainedTarget.USUAL.value,
            N_("What it answers"),
            N_("What the model is made to answer"),
        ),
        Entry(
            ExplainedTarget.WORD.value, N_("A word"), N_("At a mask, or the next one after a text")
        ),
        Entry(
            ExplainedTarget.REPLACED.value,
            N_("Replaced or not"),
            N_("What a discriminator says of a token"),
        ),
        Entry(ExplainedTarget.LABEL.value, N_("A label"), N_("Of the whole text, or of the pair")),
        Entry(
            ExplainedTarget.TOKEN_LABEL.value,
            N_("A token's label"),
            N_("Of the first one, or of another"),
        ),
        Entry(
            ExplainedTarget.START.value,
            N_("An answer's start"),
            N_("Where the text answers the question that is its second text"),
        ),
        Entry(
            ExplainedTarget.END.value,
            N_("An answer's end"),
            N_("Of the answer to the question that is the second text"),
        ),
    ),
    key="attribution.target",
)
MEASURE = Choice(
    N_("Measure"),
    ExplainedMeasure.LOG_PROBABILITY.value,
    N_("What is explained is never a probability: close to 0 and 1 it hardly moves."),
    entries=(
        Entry(
            ExplainedMeasure.LOG_PROBABILITY.value,
            N_("Log-probability"),
            N_("Of the word or label; whether a token was replaced has its logit"),
        ),
        Entry(
            ExplainedMeasure.DIFFERENCE.value,
            N_("Logit difference"),
            N_("To a second word or label: what speaks for the one and not for the other"),
        ),
        Entry(
            ExplainedMeasure.ENTROPY.value, N_("Entropy"), N_("How unsure the model is, in nats")
        ),
    ),
    key="attribution.measure",
)
BASELINE = Choice(
    N_("Baseline"),
    Baseline.MASK.value,
    N_("What replaces words to say nothing. Other baselines give other scores."),
    entries=(
        Entry(Baseline.MASK.value, N_("[MASK]"), N_("The vector of the mask token")),
        Entry(Baseline.PAD.value, N_("[PAD]"), N_("The vector of padding")),
        Entry(Baseline.ZERO.value, N_("Zeros"), N_("No vector at all")),
        Entry(Baseline.TEXT.value, N_("A text"), N_("Another text with the same number of tokens")),
    ),
    key="attribution.baseline",
)


def takes(what: str) -> Callable[[Optioned], bool]:
    """Whether a method is chosen, first or beside the first, that goes by "steps" or "samples".

    Of one in a file nobody knows before it is run.
    """

    def is_taken(document: Optioned) -> bool:
        chosen = {METHOD.of(document), BESIDE.of(document)}
        known = [own_methods().get(name) for name in chosen]
        known += [brought()[name].method for name in chosen if name in brought()]
        wanted = any(one is not None and what in one.takes for one in known)
        return wanted or any(map(is_file, chosen))

    return is_taken


def texts_read(name: str, tokens: float, steps: int, samples: int) -> float:
    """About how many texts are read for a method and its curves."""
    method = own_methods().get(name)
    if method is None:
        method = brought()[name].method if name in brought() else own_methods()[METHOD.default]
    return method.texts(tokens, steps, samples) + 2.0 * tokens


FIRST_STEPS = 50
MOST_STEPS_NEEDED = 400
"""Points along the way, where as many are taken as are needed."""

STEPS = Whole(
    N_("Integration steps"),
    0,
    N_(
        "Integration steps from the baseline to the text (Gauss-Legendre). “As many "
        "as needed” starts at 50 and doubles, up to 400, until the scores add up to "
        "within 1 %."
    ),
    low=0,
    high=500,
    least_said=N_("as needed"),
    when=takes("steps"),
    key="attribution.steps",
)
AT = Places(N_("Place"), (), in_bar=False, count=1, key="attribution.at")
"""The position of the token that is explained; none for the first mask, or what comes next."""
