"""From raw scores to what a token is drawn from, and who cut what.

The cuts are transformers' own warpers, in the order in which its `generate` applies them: which
tokens are left is then right by construction. They are applied one by one, so that every token
that is gone is known to have been cut by the first one behind which it has no score.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

TEMPERATURE, TOP_K, TOP_P, MIN_P, TYPICAL = "temperature", "top_k", "top_p", "min_p", "typical_p"
BARRED = "barred"
"""Cut before the others: pieces that are no text."""
RULES = "rules"
"""Cut before the others: what the checkpoint's generation config does not let it write."""


@dataclass(frozen=True)
class Sampling:
    """What is done to a distribution before a token is drawn from it; nothing, by default.

    Attributes:
        temperature: Scores are divided by it.
        top_k: So many of the most probable tokens are left (Fan et al. 2018); 0 for all.
        top_p: The fewest that have this probability together (Holtzman et al. 2020); 1 for all.
        min_p: Those that have this share of the top one's probability; 0 for all.
        typical_p: The fewest that have this probability together, those first whose surprisal is
            nearest to the entropy (Meister et al. 2023); 1 for all.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    typical_p: float = 1.0

    def warpers(self) -> list[tuple[str, Any]]:
        """Those that change anything, with their names, in transformers' order."""
        from transformers.generation import logits_process as own

        found: list[tuple[str, Any]] = []
        if self.temperature != 1.0:
            found.append((TEMPERATURE, own.TemperatureLogitsWarper(float(self.temperature))))
        if self.top_k > 0:
            found.append((TOP_K, own.TopKLogitsWarper(self.top_k)))
        if self.top_p < 1.0:
            found.append((TOP_P, own.TopPLogitsWarper(self.top_p)))
        if self.min_p > 0.0:
            found.append((MIN_P, own.MinPLogitsWarper(self.min_p)))
        if self.typical_p < 1.0:
            found.append((TYPICAL, own.TypicalLogitsWarper(self.typical_p)))
        return found


@dataclass(frozen=True)
class Warped:
    """One distribution before and after.

    Attributes:
        logs: The model's own log-probabilities, natural (vocabulary), float32.
        shares: What is drawn from: probabilities that add up to one (vocabulary), float32.
        cut_by: For each piece 0, or one more than the place in `names` of what cut it
            (vocabulary).
        names: What was applied, in order.
    """

    logs: Any
    shares: Any
    cut_by: Any
    names: tuple[str, ...]


def warped(
    logits: Any,
    warpers: Sequence[tuple[str, Any]],
    barred: tuple[int, ...] = (),
    written: Sequence[int] = (),
) -> Warped:
    """Apply warpers one by one.

    Args:
        logits: Raw scores of one place (vocabulary).
        warpers: As `Sampling.warpers` gives them.
        barred: Pieces that can't be drawn.
        written: What was written before, which rules go by.
    """
    import torch

    names = tuple(name for name, _ in warpers)
    scores, cut_by = logits.float()[None], torch.zeros(len(logits), dtype=torch.uint8)
    cut_by = cut_by.to(logits.device)
    if barred:
        names = (BARRED, *names)
        scores = scores.index_fill(1, torch.tensor(barred, device=scores.device), -torch.inf)
        cut_by[scores[0] == -torch.inf] = 1
    for number, (_name, apply) in enumerate(warpers, start=1 + bool(barred)):
        scores = apply([written], scores)  # only rules look at what stands before
        cut_by[(scores[0] == -torch.inf) & (cut_by == 0)] = number
    return Warped(logits.float().log_softmax(-1), scores[0].softmax(-1), cut_by, names)


def draw(one: Warped, seed: tuple[int, ...] | None) -> int:
    """A piece: the most probable one, or one drawn.

    Args:
        one: The distribution.
        seed: Of this token alone, so that a text that is gone on with differently later on is
            drawn the same way before; the same on every device. None for the most probable.
    """
    if seed is None:
        return int(one.shares.argmax())
    import numpy as np

    sums = one.shares.cpu().double().cumsum(-1).numpy()
    point = np.random.default_rng(seed).random() * sums[-1]
    return int(np.searchsorted(sums, point, side="right").clip(max=len(sums) - 1))
