"""How methods are called, and what is said of the benchmark."""

from explorer.questions.cause.attribution_benchmark.question import MethodVariant, WayTested
from explorer.questions.cause.method import AttributionMethod, Baseline
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import percent

SHORT = {
    MethodVariant(AttributionMethod.OCCLUSION, Baseline.MASK): N_("occlusion"),
    MethodVariant(AttributionMethod.DELETION): N_("deletion"),
    MethodVariant(AttributionMethod.SHAPLEY, Baseline.MASK): N_("Shapley"),
    MethodVariant(AttributionMethod.SEQUENTIAL_INTEGRATED_GRADIENTS, Baseline.MASK): N_("seq. IG"),
    MethodVariant(AttributionMethod.INTEGRATED_GRADIENTS, Baseline.MASK): N_("IG [MASK]"),
    MethodVariant(AttributionMethod.INTEGRATED_GRADIENTS, Baseline.PAD): N_("IG [PAD]"),
    MethodVariant(AttributionMethod.GRADIENT_X_INPUT): N_("grad. × in."),
    MethodVariant(AttributionMethod.GRADIENT): N_("gradient"),
    MethodVariant(AttributionMethod.LAST_ATTENTION): N_("last att."),
    MethodVariant(AttributionMethod.ATTENTION): N_("mean att."),
    MethodVariant(AttributionMethod.ROLLOUT): N_("rollout"),
}
"""Above the narrow columns of all models."""

ABOUT = N_(
    "The miniatures' world comes from a grammar, so a word's true worth is known "
    "exactly: how much less probable the hidden word is without that word too. "
    "Each place is in a text of its own that was kept from training, drawn by "
    "chance among those where some word is worth more than 0.1 nats. A method is "
    "right where it gives the word that is worth most the highest score."
)

LIMITS = N_(
    "An attribution explains the model, and the truth is of the world: where the "
    "model relies on the wrong word, even a perfect method is wrong here. "
    "Sequential integrated gradients, summed over a word's numbers, equal "
    "occlusion up to the error of the steps."
)


def way_said(one: WayTested) -> Phrase:
    """A method's share with its interval."""
    return Phrase(
        N_("{method}: {share} ({low} to {high})"),
        method=one.way.title,
        share=percent(one.share, 1),
        low=percent(one.low, 1),
        high=percent(one.high, 1),
    )
