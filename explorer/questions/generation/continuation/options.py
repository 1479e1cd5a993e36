"""How the next token is chosen, and how many there are."""

import enum
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from explorer.api.question import Choice, Entry, Places, Whole, WordList
from explorer.text import N_


class Strategy(enum.StrEnum):
    """How each token is chosen."""

    GREEDY = "greedy"
    TEMPERATURE = "temperature"
    TOP_K = "top_k"
    NUCLEUS = "nucleus"
    MIN_P = "min_p"
    TYPICAL = "typical"
    COMBINED = "combined"
    BEAM = "beam"


CUTS = {
    "top_k": (Strategy.TOP_K, Strategy.COMBINED),
    "top_p": (Strategy.NUCLEUS, Strategy.COMBINED),
    "min_p": (Strategy.MIN_P, Strategy.COMBINED),
    "typical_p": (Strategy.TYPICAL, Strategy.COMBINED),
}
"""Which strategies use a cut."""

STRATEGY = Choice(
    N_("Strategy"),
    Strategy.GREEDY.value,
    N_("How each token is chosen from the model's distribution."),
    entries=(
        Entry(Strategy.GREEDY.value, N_("Greedy"), N_("The most probable token, each time")),
        Entry(
            Strategy.TEMPERATURE.value,
            N_("Sampling"),
            N_("Drawn from the whole distribution, flattened or sharpened by the temperature"),
        ),
        Entry(
            Strategy.TOP_K.value,
            N_("Top-k sampling"),
            N_("Drawn from the k most probable tokens (Fan et al. 2018)"),
        ),
        Entry(
            Strategy.NUCLEUS.value,
            N_("Nucleus sampling (top-p)"),
            N_(
                "Drawn from the fewest tokens that have the probability p together (Holtzman et "
                "al. 2020)"
            ),
        ),
        Entry(
            Strategy.MIN_P.value,
            N_("Min-p sampling"),
            N_("Drawn from tokens that have at least this share of the top one's probability"),
        ),
        Entry(
            Strategy.TYPICAL.value,
            N_("Typical sampling"),
            N_(
                "Drawn from the tokens whose surprisal is nearest to the entropy (Meister et al. "
                "2023)"
            ),
        ),
        Entry(
            Strategy.COMBINED.value,
            N_("All truncations in turn"),
            N_("Temperature, top-k, top-p, min-p and typical sampling, one after the other"),
        ),
        Entry(
            Strategy.BEAM.value,
            N_("Beam search"),
            N_("Several texts side by side: the one that is most probable as a whole"),
        ),
    ),
)


def strategy_of(document: Any) -> Strategy:
    """What a document sets."""
    return Strategy(STRATEGY.of(document))


def used_by(*these: Strategy) -> Callable[[Any], bool]:
    """Whether a document sets one of these strategies."""
    return lambda document: strategy_of(document) in these


def draws(document: Any) -> bool:
    """Whether tokens are drawn."""
    return strategy_of(document) not in (Strategy.GREEDY, Strategy.BEAM)


MAX_NEW_TOKENS = Whole(
    N_("New tokens"),
    20,
    N_("The most new tokens that are written, after those you chose yourself."),
    low=1,
    high=500,
)
NUM_BEAMS = Whole(
    N_("Beams"),
    4,
    N_("Number of beams: the texts kept at each step."),
    low=2,
    high=20,
    when=used_by(Strategy.BEAM),
)
ROUNDS = Whole(
    N_("Rounds"),
    3,
    N_("Of a masked model: how often each token is drawn, given all others."),
    low=1,
    high=50,
)


@dataclass(frozen=True)
class Taken(WordList):
    """Pieces that the user chose, kept with what text they stand behind: they go with it."""

    def of(self, document: Any) -> tuple[str, ...]:
        """Those of this text; none of another."""
        held = super().of(document)
        return held[1:] if held[:1] == (mark_of(document),) else ()

    def written_in(self, document: Any, value: tuple[str, ...]) -> Any:
        """With the mark of the text."""
        return [mark_of(document), *value] if value else None


def mark_of(document: Any) -> str:
    """By what a text is known: it is not kept twice."""
    return blake2b(document.text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


TAKEN = Taken(N_("Chosen tokens"), (), in_bar=False)
AT = Places(N_("Step"), (), redraws=True, in_bar=False, count=1, key="continuation.at")
"""The step whose distribution is shown; none for the first that the model chose itself."""
