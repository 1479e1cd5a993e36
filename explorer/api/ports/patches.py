"""States of one run of a model in the place of those of another: activation patching, as a port.

Vig et al. 2020 ("causal mediation analysis"), Meng et al. 2022 ("causal tracing"), and as it is
done today Zhang and Nanda 2024, arXiv 2309.16042.
"""

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from explorer.api.context import Context
from explorer.api.ports.heads import Query
from explorer.api.tokens import Token


class Component(enum.StrEnum):
    """What of a layer is put back."""

    RESIDUAL = "residual"
    """The stream behind a layer, or behind the embeddings: all that is known of a token there."""
    ATTENTION = "attention"
    """What attention adds to the stream."""
    FEED_FORWARD = "feed_forward"
    """What the feed-forward part adds to the stream."""
    HEAD = "head"
    """What one attention head hands to the projection behind its layer's heads."""
    NEURON = "neuron"
    """What the feed-forward part's neurons hand to its last matrix: how active each one is."""


@dataclass(frozen=True)
class PatchStack:
    """States of one component that lie one above the other.

    Attributes:
        component: What of a layer.
        kind: "encoder", "decoder" or "cross", as attention's stacks are called.
        rows: What its rows are called, in the order in which a run passes through them:
            "emb.", "0" and so on, "decoder 1" for a pass of a decoder that applies a layer again;
            of heads "0.0", layer and head.
    """

    component: Component
    kind: str
    rows: tuple[str, ...]


@dataclass(frozen=True)
class StatePlace:
    """States of one row.

    Attributes:
        component: What of a layer.
        kind: Of the stack.
        row: In the stack, counted from 0.
        positions: Of tokens; None for all.
    """

    component: Component
    kind: str
    row: int
    positions: tuple[int, ...] | None = None


Patch = tuple[StatePlace, ...]
"""All that is put back in one run."""


class PatchedRuns(Protocol):
    """Runs on one input, with some states of a run on another one of the same length.

    Attributes:
        into: Log-probabilities (vocabulary) of the input as it is.
        source: Of the input whose states are put into it.
    """

    into: Any
    source: Any

    def tokens(self, kind: str) -> tuple[Token, ...]:
        """The tokens that the states of a kind of stack belong to, of the input as it is."""

    def log_probabilities(self, patches: Sequence[Patch]) -> Any:
        """What is predicted at the asked position with states put back.

        Runs that are patched late do not begin at the embeddings: what is below is known.

        Returns:
            Tensor (patches x vocabulary), float32.

        Raises:
            MachineFault: The logits are not numbers.
            Cancelled: The run was cancelled; checked before every layer.
        """

    def first_order(self, measure: Callable[[Any], Any]) -> Mapping[tuple[Component, str], Any]:
        """About how far a measure moves with each state put back, from one gradient.

        gradient x (source - into), summed over the state's numbers (attribution patching, Nanda
        2023; Syed et al. 2023, arXiv 2310.10348).

        Args:
            measure: From log-probabilities (vocabulary) to a number.

        Returns:
            For every stack, by component and kind, a tensor (rows x tokens), float32.

        Raises:
            Unavailable: The model gives no gradients.
        """


class ActivationPatching(Protocol):
    """Lets a model go on with states of another of its runs."""

    def stacks(self) -> tuple[PatchStack, ...]:
        """What can be put back."""

    def between(self, into: Query, source: Query, context: Context) -> PatchedRuns:
        """Run both inputs, each with one asked position, and keep the states.

        Args:
            into: The input that is run again and again.
            source: The input whose states are put into it.
            context: Can stop it and every run after it.

        Raises:
            UserMistake: They differ in length.
            Cancelled: The run was cancelled.
        """
