"""Which of the loaded models judges, and which may fill masks for it."""

from collections.abc import Mapping

from explorer.api import ModelCard

JUDGES = "detect_replaced"
FILLS = "fill_mask"

NEEDS_A_DISCRIMINATOR = (
    "ELECTRA's discriminators and DeBERTa v3 tell replaced tokens: choose one in the library, "
    "which loads its generator along with it."
)


class Pair:
    """Discriminator and generator among the loaded models.

    The active model judges where it can, else the other one. Of the generator only the size of
    the vocabulary is compared here; the engine compares every piece.

    Attributes:
        discriminator: Its slot; "" where no model judges.
        generator: Its slot; "" where none can be.
        generator_title: Its name and slot.
        notice: Why there is no generator, and what to do.
        partner: The id of the discriminator's own generator, where it is known and not loaded.
        free: The slot a generator would be loaded into.
    """

    def __init__(self, cards: Mapping[str, ModelCard], active: str) -> None:
        order = [active, *(slot for slot in sorted(cards) if slot != active)]
        able = [slot for slot in order if slot in cards and JUDGES in cards[slot].operations]
        self.discriminator = able[0] if able else ""
        self.generator = ""
        self.generator_title = ""
        self.notice = ""
        self.partner = ""
        self.free = ""
        others = [slot for slot in sorted(cards) if slot != self.discriminator]
        if not self.discriminator:
            return
        judge = cards[self.discriminator]
        self.free = "B" if self.discriminator == "A" else "A"
        if not others:
            self.notice = (
                "Double-click a word to put another one in its place. To have words drawn, load "
                f"a generator as {self.free}: its own, or any masked language model of the same "
                "vocabulary."
            )
            self.partner = judge.partner
            return
        other = cards[others[0]]
        if FILLS not in other.operations:
            self.notice = f"{other.title} ({others[0]}) fills no masks, so it can't be a generator."
            self.partner = judge.partner
        elif other.vocabulary_size != judge.vocabulary_size:
            self.notice = (
                f"{other.title} ({others[0]}) can't be the generator: it has "
                f"{other.vocabulary_size:,} pieces and the discriminator "
                f"{judge.vocabulary_size:,}."
            )
            self.partner = judge.partner
        else:
            self.generator = others[0]
            self.generator_title = f"{other.title} ({others[0]})"

    def slots(self, *, alone: bool) -> tuple[str, ...]:
        """The models a question takes, the discriminator first; empty where none can judge."""
        if not self.discriminator:
            return ()
        if alone or not self.generator:
            return (self.discriminator,)
        return (self.discriminator, self.generator)
