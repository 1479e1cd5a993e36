"""A generator and its discriminator as they are laid side by side on a sheet."""

from explorer.api import SLOTS, Asked, Situation, Template, UserMistake
from explorer.questions.detection.casting import FILLS, JUDGES, judge_of, other_slot
from explorer.text import N_, _


def generator_and_discriminator(at: Situation) -> list[Asked]:
    """The detection, and what the generator expects at the masks.

    Raises:
        UserMistake: There are no two models, or none of them judges.
    """
    at.both()
    judge = judge_of(at.cards, SLOTS[0])
    if not judge:
        raise UserMistake(
            N_("None of the two models detects replaced tokens."),
            N_("Load an ELECTRA discriminator or a DeBERTa v3, and its generator."),
        )
    generator = other_slot(judge)
    found = [Asked(JUDGES, at.document, label=_("Generator and discriminator"))]
    if at.document.masks and FILLS in at.cards[generator].operations:
        found.append(Asked(FILLS, at.document, generator, at.cards[generator].title))
    return found


BOTH = Template(
    "detection",
    N_("Generator and discriminator"),
    N_("What the generator proposes and what the discriminator notices."),
    generator_and_discriminator,
)
