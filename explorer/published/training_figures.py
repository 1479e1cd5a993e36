"""What training came to in papers and cards, by what was learnt."""

import math
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from explorer.paths import own_resources
from explorer.text.sources import UNCHECKED


@dataclass(frozen=True)
class TrainingFigure:
    """What a published training came to.

    Attributes:
        model: Its name.
        objective: What it learnt, as curves name it.
        quantity: "perplexity" or "accuracy".
        value: As printed; a share for accuracies.
        source: Where, without a note whether it was looked up.
        date: The year and month.
        is_checked: Somebody has looked it up.
        words: Of the text, in millions; 0 where that is not told.
        batch: Texts a step; 0 where that is not told.
        steps: 0 where that is not told.
    """

    model: str
    objective: str
    quantity: str
    value: float
    source: str
    date: str
    is_checked: bool
    words: int = 0
    batch: int = 0
    steps: int = 0

    @property
    def loss(self) -> float:
        """Nats a word or piece, of a perplexity."""
        return math.log(self.value)


@cache
def training_figures() -> tuple[TrainingFigure, ...]:
    """All of them, in the order of the file."""
    text = (own_resources() / "figures" / "training_curves.toml").read_text("utf-8")
    return tuple(
        TrainingFigure(
            one["model"],
            one["objective"],
            one["quantity"],
            float(one["value"]),
            one["source"].removesuffix(UNCHECKED).strip(),
            one["date"],
            UNCHECKED not in one["source"],
            one.get("words", 0),
            one.get("batch", 0),
            one.get("steps", 0),
        )
        for one in tomllib.loads(text)["figures"]
    )


def figures_of(learnt: Iterable[tuple[str, str]]) -> tuple[TrainingFigure, ...]:
    """Those of quantities and objectives.

    Args:
        learnt: "perplexity" or "accuracy", and an objective.
    """
    wanted = set(learnt)
    return tuple(one for one in training_figures() if (one.quantity, one.objective) in wanted)
