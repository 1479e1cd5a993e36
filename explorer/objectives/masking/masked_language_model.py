"""Masked language modelling.

Devlin et al. 2019, section 3.1 (task 1): 15 % of the tokens are selected. A selected token becomes
[MASK] in 80 % of cases, a random token in 10 %, and stays itself in 10 %; the model predicts the
selected tokens and nothing else.

Liu et al. 2019 (RoBERTa), section 4.1: BERT masked each text once, before training (static; in ten
copies, so that a text met each of ten patterns in turn). Drawing the pattern anew each time a text
is met is dynamic masking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from explorer.objectives import IGNORED

Tokens = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class MaskingPolicy:
    """How many tokens are selected, what they become, and how often the draw is repeated."""

    selected: float = 0.15
    masked: float = 0.80
    random: float = 0.10
    dynamic: bool = True
    # Static masking only: how many patterns a text has.
    copies: int = 10

    def generator(self, seed: int, text: int, epoch: int) -> np.random.Generator:
        """The random numbers for one text in one epoch.

        Static patterns depend on the epoch only through the copy; dynamic ones fully.
        """
        pattern = epoch if self.dynamic else epoch % self.copies
        return np.random.default_rng((seed, text, pattern))


# BERT: ten patterns a text, drawn before training and met in turn (one copy of the corpus each).
STATIC: Final = MaskingPolicy(dynamic=False, copies=10)
# RoBERTa: a new pattern each time a text is met.
DYNAMIC: Final = MaskingPolicy(dynamic=True)


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A text with its masks.

    Attributes:
        inputs: what the model sees, shape [length].
        labels: the original token where one was selected, `IGNORED` elsewhere, shape [length].
    """

    inputs: Tokens
    labels: Tokens


def mask_text(
    tokens: Tokens,
    candidates: NDArray[np.bool_],
    ordinary: Tokens,
    mask_token: int,
    policy: MaskingPolicy,
    generator: np.random.Generator,
) -> MaskedText:
    """Select and replace tokens of one text.

    Args:
        tokens: the text, shape [length].
        candidates: True where a token may be selected (not at special tokens), shape [length].
        ordinary: the tokens a random replacement is drawn from, shape [vocabulary].
        mask_token: the number of [MASK].
        policy: shares of selected, masked and random tokens.
        generator: source of randomness.
    """
    places = np.flatnonzero(candidates)
    count = min(len(places), max(1, round(policy.selected * len(places))))
    chosen = generator.choice(places, size=count, replace=False)
    return replace_tokens(tokens, chosen, ordinary, mask_token, policy, generator)


def replace_tokens(
    tokens: Tokens,
    chosen: NDArray[np.int64],
    ordinary: Tokens,
    mask_token: int,
    policy: MaskingPolicy,
    generator: np.random.Generator,
) -> MaskedText:
    """Select certain tokens, and draw the fate of each by itself.

    Args:
        tokens: the text, shape [length].
        chosen: the places that are selected, shape [selected].
        ordinary: the tokens a random replacement is drawn from, shape [vocabulary].
        mask_token: the number of [MASK].
        policy: shares of masked and random tokens.
        generator: source of randomness.
    """
    fate = generator.random(len(chosen))

    labels = np.full_like(tokens, IGNORED)
    labels[chosen] = tokens[chosen]

    inputs = tokens.copy()
    become_mask = fate < policy.masked
    become_random = ~become_mask & (fate < policy.masked + policy.random)
    inputs[chosen[become_mask]] = mask_token
    inputs[chosen[become_random]] = generator.choice(ordinary, size=int(become_random.sum()))
    return MaskedText(inputs, labels)
