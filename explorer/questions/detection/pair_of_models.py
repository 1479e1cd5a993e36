"""Which of the loaded models judges, and which may fill masks for it."""

from collections.abc import Mapping

from explorer.api.question import ModelCard, ModelStamp
from explorer.api.question.roles import other_slot
from explorer.questions.detection.casting import FILLS, generator_of, judge_of
from explorer.text import N_, _

NEEDS_A_DISCRIMINATOR = N_("ELECTRA's discriminators and DeBERTa v3 detect replaced tokens.")


class DetectorPair:
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
            self.notice = _(
                "Double-click a word to put another one in its place. To have words drawn, load "
                "a generator as {slot}: its own, or any masked language model of the same "
                "vocabulary.",
                slot=self.free,
            )
            self.partner = judge.partner
            return
        name = f"{other.title} ({self.free})"
        self.generator = generator_of(cards, self.discriminator)
        if self.generator:
            self.generator_title = name
        elif FILLS not in other.operations:
            self.notice = _("{name} fills no masks, so it can't be a generator.", name=name)
            self.partner = judge.partner
        else:
            self.notice = _(
                "{name} can't be the generator: it has {pieces} pieces and the discriminator "
                "{own}.",
                name=name,
                pieces=other.vocabulary_size,
                own=judge.vocabulary_size,
            )
            self.partner = judge.partner


def pair_of(discriminator: ModelStamp, cards: Mapping[str, ModelCard]) -> DetectorPair:
    """The discriminator of an answer, and who may draw for it; nobody where it is not loaded."""
    found = (slot for slot, card in cards.items() if card.stamp == discriminator)
    slot = next(found, "")
    return DetectorPair(cards if slot else {}, slot)
