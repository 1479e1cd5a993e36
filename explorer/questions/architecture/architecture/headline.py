"""What to look at first: where most of the parameters are, or what the changes change most."""

from explorer.api.question import Headline
from explorer.questions.architecture.architecture.question import ArchitectureResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import whole
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING

LARGEST = {
    "embedding": N_("The embeddings hold the most: {share} of all {total} parameters."),
    "attention": N_("Attention holds the most: {share} of all {total} parameters."),
    "feed_forward": N_(
        "The feed-forward networks hold the most: {share} of all {total} parameters."
    ),
    "projection": N_("The projections hold the most: {share} of all {total} parameters."),
    "norm": N_("The normalisations hold the most: {share} of all {total} parameters."),
    "head": N_("The heads hold the most: {share} of all {total} parameters."),
}
"""By the kind of weight."""

CHANGED = {
    "embedding": N_(
        "With these changes it has {after} parameters instead of {before}; the embedding "
        "matrices change most: {new} instead of {old}."
    ),
    "attention": N_(
        "With these changes it has {after} parameters instead of {before}; attention changes "
        "most: {new} instead of {old}."
    ),
    "feed_forward": N_(
        "With these changes it has {after} parameters instead of {before}; the feed-forward "
        "networks change most: {new} instead of {old}."
    ),
    "projection": N_(
        "With these changes it has {after} parameters instead of {before}; the projections "
        "change most: {new} instead of {old}."
    ),
    "norm": N_(
        "With these changes it has {after} parameters instead of {before}; the normalisations "
        "change most: {new} instead of {old}."
    ),
    "head": N_(
        "With these changes it has {after} parameters instead of {before}; the heads change "
        "most: {new} instead of {old}."
    ),
}


def headline(result: ArchitectureResult, **_looked_at: object) -> Headline:
    """The largest kind of weights, or the one that becomes larger or smaller most."""
    total = result.parameters.unique
    if result.changed is not None:
        after = result.changed.kinds
        kind = max(result.kinds, key=lambda one: abs(after.get(one, 0) - result.kinds[one]))
        sentence = Phrase(
            CHANGED[kind],
            after=whole(result.changed.parameters.unique),
            before=whole(total),
            new=whole(after.get(kind, 0)),
            old=whole(result.kinds[kind]),
        )
        return Headline(sentence)
    if not total or not result.kinds:
        return Headline(NOTHING)
    kind = max(result.kinds, key=lambda one: result.kinds[one])
    sentence = Phrase(
        LARGEST[kind], share=in_percent(result.kinds[kind] / total), total=whole(total)
    )
    return Headline(sentence)
