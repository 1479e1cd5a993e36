"""What a plan can't ask for together, each in one sentence that says what to change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from explorer.api.question import UserMistake
from explorer.learning.plan.choices import (
    FAMILIES,
    NORMS,
    ModelFamily,
    Norms,
    Objective,
    PairObjective,
)
from explorer.learning.plan.options import FAMILY, OBJECTIVE
from explorer.text import N_, Phrase
from explorer.text.lists import any_of

MOST_DROPPED = 0.4
"""Share of the pieces that can be dropped on average where no text loses more than half of them."""
FACTORISED = (ModelFamily.ALBERT, ModelFamily.ELECTRA)
"""Families whose pieces can be narrower than their layers."""


class Contradictable(Protocol):
    """What of a plan is looked at."""

    @property
    def objective(self) -> Objective:
        """What is learnt."""

    @property
    def of_family(self) -> ModelFamily:
        """Whose layers."""

    @property
    def of_norms(self) -> Norms:
        """Where their norms stand."""

    @property
    def width(self) -> int:
        """Of the layers."""

    @property
    def heads(self) -> int:
        """Which share the width."""

    @property
    def embedding_width(self) -> int:
        """Of the pieces; 0 for that of the layers."""

    @property
    def pairs(self) -> PairObjective:
        """What is asked about two texts."""

    @property
    def selected(self) -> float:
        """The masking rate."""

    def matters(self, name: str) -> bool:
        """Whether a field changes anything."""


def refuse(plan: Contradictable) -> None:
    """Refuse a plan that contradicts itself.

    Raises:
        UserMistake: It does.
    """
    found = next(_contradictions(plan), None)
    if found is not None:
        raise found


def _contradictions(plan: Contradictable) -> Iterator[UserMistake]:
    family = FAMILY.entry(plan.of_family.value).title
    if plan.of_family not in FAMILIES[plan.objective]:
        yield UserMistake(
            N_("{family} can't learn “{objective}”: choose the family {families}."),
            family=family,
            objective=Phrase(OBJECTIVE.entry(plan.objective.value).title),
            families=_any_of(FAMILIES[plan.objective]),
        )
        return
    if plan.width % plan.heads:
        yield UserMistake(
            N_("{heads} heads can't share a width of {width}: choose a multiple of {heads}."),
            heads=plan.heads,
            width=plan.width,
        )
    narrow = plan.matters("embedding_width") and plan.embedding_width
    if narrow and plan.of_family not in FACTORISED:
        yield UserMistake(
            N_(
                "{family}'s pieces are as wide as its layers: leave the width of embeddings at 0, "
                "or choose the family {families}."
            ),
            family=family,
            families=_any_of(FACTORISED),
        )
    if plan.of_norms not in NORMS[plan.of_family] or (
        plan.objective is Objective.BOUNDARY and plan.of_norms is not NORMS[plan.of_family][0]
    ):
        yield UserMistake(
            N_("There is no {family} with its norms there: leave them as in the family."),
            family="SpanBERT" if plan.objective is Objective.BOUNDARY else family,
        )
    if (
        plan.matters("pairs")
        and plan.pairs is not PairObjective.NONE
        and plan.of_family is ModelFamily.ELECTRA
    ):
        yield UserMistake(
            N_("ELECTRA has no head for pairs: choose BERT or ALBERT, or no sentence pairs.")
        )
    if plan.matters("adversarial_step") and plan.of_norms is Norms.PRE:
        yield UserMistake(
            N_(
                "The adversarial loss needs a norm over the embeddings: leave the norms as in the "
                "family, or the loss at 0."
            )
        )
    if plan.objective is Objective.DROPPED and plan.selected > MOST_DROPPED:
        yield UserMistake(
            N_("Half of a text is dropped at most: choose a masking rate of {most} or less."),
            most=f"{MOST_DROPPED:.0%}",
        )


def _any_of(families: tuple[ModelFamily, ...]) -> str:
    return any_of([FAMILY.entry(one.value).title for one in families])
