"""Which of the loaded models judges, and which may fill masks for it."""

from collections.abc import Mapping

from explorer.api import ModelCard
from explorer.questions.detection.casting import FILLS, generator_of, judge_of, other_slot

NEEDS_A_DISCRIMINATOR = (
    "ELECTRA's discriminators and DeBERTa v3 tell replaced tokens: choose one in the library, "
    "which loads its generator along with it."
)


class Pair:
    """Discriminator and generator among the loaded models.

    Attributes:
        discriminator: Its slot; "" where no model judges.
        generator: Its slot; "" where none can be.
        generator_title: Its name and slot.
        notice: Why there is no generator, and what to do.
        partner: The id of the discriminator's own generator, where it is known and not loaded.
        free: The slot a generator would be loaded into.
    """

    def __init__(self, cards: Mapping[str, ModelCard], active: str) -> None:
        self.discriminator = judge_of(cards, active)
        self.generator = ""
        self.generator_title = ""
        self.notice = ""
        self.partner = ""
        self.free = ""
        if not self.discriminator:
            return
        judge = cards[self.discriminator]
        self.free = other_slot(self.discriminator)
        other = cards.get(self.free)
        if other is None:
            self.notice = (
                "Double-click a word to put another one in its place. To have words drawn, load "
                f"a generator as {self.free}: its own, or any masked language model of the same "
                "vocabulary."
            )
            self.partner = judge.partner
            return
        name = f"{other.title} ({self.free})"
        self.generator = generator_of(cards, self.discriminator)
        if self.generator:
            self.generator_title = name
        elif FILLS not in other.operations:
            self.notice = f"{name} fills no masks, so it can't be a generator."
            self.partner = judge.partner
        else:
            self.notice = (
                f"{name} can't be the generator: it has "
                f"{other.vocabulary_size:,} pieces and the discriminator "
                f"{judge.vocabulary_size:,}."
            )
            self.partner = judge.partner
