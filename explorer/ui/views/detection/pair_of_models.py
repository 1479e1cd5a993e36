"""Which of the loaded models judges, and which may fill masks for it."""

from collections.abc import Mapping

from explorer.api import ModelCard

JUDGES = "detect_replaced"
FILLS = "fill_mask"


class Pair:
    """Discriminator and generator among the loaded models.

    The active model judges where it can, else the other one. Of the generator only the size of
    the vocabulary is compared here; the engine compares every piece.
    """

    def __init__(self, cards: Mapping[str, ModelCard], active: str) -> None:
        order = [active, *(slot for slot in sorted(cards) if slot != active)]
        able = [slot for slot in order if slot in cards and JUDGES in cards[slot].operations]
        self.discriminator = able[0] if able else ""
        self.generator = ""
        self.generator_title = ""
        self.notice = ""
        others = [slot for slot in sorted(cards) if slot != self.discriminator]
        if not self.discriminator:
            return
        judge = cards[self.discriminator]
        if not others:
            self.notice = self._missing(judge)
            return
        other = cards[others[0]]
        if FILLS not in other.operations:
            self.notice = f"{other.title} ({others[0]}) fills no masks, so it can't be a generator."
        elif other.vocabulary_size != judge.vocabulary_size:
            self.notice = (
                f"{other.title} ({others[0]}) can't be the generator: it has "
                f"{other.vocabulary_size:,} pieces and the discriminator "
                f"{judge.vocabulary_size:,}."
            )
        else:
            self.generator = others[0]
            self.generator_title = f"{other.title} ({others[0]})"

    @staticmethod
    def _missing(judge: ModelCard) -> str:
        free = "B" if judge.slot == "A" else "A"
        return (
            f"Without a generator you replace words yourself. To have them drawn, load one as "
            f"{free}: its own generator, or any masked language model of the same vocabulary."
        )

    def slots(self, *, alone: bool) -> tuple[str, ...]:
        """The models a question takes, the discriminator first; empty where none can judge."""
        if not self.discriminator:
            return ()
        if alone or not self.generator:
            return (self.discriminator,)
        return (self.discriminator, self.generator)
