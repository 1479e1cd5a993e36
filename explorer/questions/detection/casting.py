"""Who judges and who draws, found by what the loaded models are, whichever slot they lie in."""

from collections.abc import Mapping

from explorer.api.question import DISCRIMINATOR, GENERATOR, ModelCard
from explorer.api.question.roles import Options, RoleBinding, other_slot

JUDGES = "replaced_tokens"
FILLS = "masked_tokens"

ALONE = "replaced_tokens.without_generator"
"""The option of a document by which only the user's own words replace others."""


def judge_of(cards: Mapping[str, ModelCard], active: str) -> str:
    """The slot of the discriminator, the active one where both are; "" where none is."""
    order = [active, *(slot for slot in sorted(cards) if slot != active)]
    able = (slot for slot in order if slot in cards and JUDGES in cards[slot].operations)
    return next(able, "")


def generator_of(cards: Mapping[str, ModelCard], judge: str) -> str:
    """The slot of a model that can draw for a discriminator; "" where none is loaded.

    Only the size of the vocabulary is compared here; the engine compares every piece.
    """
    slot = other_slot(judge)
    other = cards.get(slot)
    if other is None or FILLS not in other.operations:
        return ""
    return slot if other.vocabulary_size == cards[judge].vocabulary_size else ""


def judge_and_drawer(cards: Mapping[str, ModelCard], active: str, document: Options) -> RoleBinding:
    """The discriminator, and the generator where there is one that is wanted.

    Words of the user's own stand in a sentence: where there is none, a file's for example, the
    generator draws whatever the option says.
    """
    judge = judge_of(cards, active)
    if not judge:
        return {DISCRIMINATOR: active}
    generator = generator_of(cards, judge)
    alone = document.option(ALONE, False) is True and bool(document.text)
    return {DISCRIMINATOR: judge, **({GENERATOR: generator} if generator and not alone else {})}


def judge_and_other(cards: Mapping[str, ModelCard], active: str, _document: Options) -> RoleBinding:
    """The discriminator, and the other slot: empty, it stands for the generator to be loaded."""
    judge = judge_of(cards, active)
    if not judge:
        return {DISCRIMINATOR: active}
    return {DISCRIMINATOR: judge, GENERATOR: other_slot(judge)}
