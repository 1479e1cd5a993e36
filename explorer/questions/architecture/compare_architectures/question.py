"""What does one model have that the other has not, and did one come from the other?"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.family import Blueprint
from explorer.api.question import (
    DISCRIMINATOR,
    FIRST,
    GENERATOR,
    NOTHING_LOADED,
    SECOND,
    Absorbed,
    Asks,
    Choice,
    Context,
    Entry,
    Listing,
    Loaded,
    ModelCard,
    ModelName,
    ModelStamp,
    Question,
    Topic,
    asked,
)
from explorer.api.question.roles import Options, RoleBinding
from explorer.architecture.opening import open_model
from explorer.architecture.weights import Parameters, parameters_of
from explorer.questions.architecture.compare_architectures.absorbed import become_comparison
from explorer.questions.architecture.compare_architectures.ancestry import Ancestry, ancestry_of
from explorer.questions.architecture.compare_architectures.comparing import ComparedRole, compare
from explorer.questions.architecture.compare_architectures.likeness import (
    TensorsCompared,
    compare_tensors,
)
from explorer.text import N_


class Level(enum.StrEnum):
    """In how much detail two models are laid side by side."""

    PARTS = "parts"
    TENSORS = "tensors"


@dataclass(frozen=True)
class CompareArchitecturesResult:
    """Two models part by part.

    Attributes:
        model: The first.
        other: The second.
        titles: What a user reads.
        blueprints: Their architectures in numbers.
        parameters: How many each has.
        parts: Every role that either has.
        ancestry: How like their layers are; None where one of them has no weights here.
        tensors: Those of the same name compared; None where one of them has no weights here.
        level: What the rows are.
    """

    model: ModelStamp
    other: ModelStamp
    titles: tuple[str, str]
    blueprints: tuple[Blueprint, Blueprint]
    parameters: tuple[Parameters, Parameters]
    parts: tuple[ComparedRole, ...]
    ancestry: Ancestry | None = None
    tensors: TensorsCompared | None = None
    level: Level = Level.PARTS


def run(
    model: Any, request: "CompareArchitecturesRequest", context: Context
) -> CompareArchitecturesResult:
    """Count both; compare their weights where both are loaded.

    Raises:
        UserMistake: One of the two is not named and not loaded.
        CheckpointFault: A config makes no model.
    """
    first = open_model(model, request.first, context)
    context.check()
    loaded = context.models.get(SECOND) if request.second else context.model(SECOND)
    second = open_model(loaded, request.second, context)
    ancestry = tensors = None
    if first.loaded and second.loaded:
        ancestry = ancestry_of(
            (first.module, first.role_of), (second.module, second.role_of), context.check
        )
        tensors = compare_tensors(first.module, second.module, context.check)
    weights = first.weights(), second.weights()
    return CompareArchitecturesResult(
        model=first.stamp,
        other=second.stamp,
        titles=(first.title, second.title),
        blueprints=(first.blueprint, second.blueprint),
        parameters=(parameters_of(weights[0]), parameters_of(weights[1])),
        parts=compare(*weights),
        ancestry=ancestry,
        tensors=tensors,
        level=request.level,
    )


CHOSEN = {
    FIRST: ModelName(N_("First model"), "", key="compare_architectures.first"),
    SECOND: ModelName(N_("Second model"), "", other=True, key="compare_architectures.second"),
}
"""Name the two; what is not named is the active model, and the other one."""
LEVEL = Choice(
    N_("Compared"),
    Level.PARTS.value,
    entries=(
        Entry(Level.PARTS.value, N_("Part by part"), N_("What each has that the other has not.")),
        Entry(
            Level.TENSORS.value,
            N_("Tensor by tensor"),
            N_(
                "Which numbers they share, as a generator and its discriminator do. Both must be "
                "loaded."
            ),
        ),
    ),
    beside=True,
    key="compare_architectures.level",
)


def names_of(cards: Mapping[str, ModelCard], active: str, document: Options) -> dict[str, str]:
    """Ids of the two by role; "" where nothing is chosen or loaded."""
    others = (slot for slot in cards if slot != active)
    defaults = {FIRST: cards.get(active), SECOND: cards.get(next(others, ""))}
    return {
        role: name.of(document) or (card.stamp.id if card is not None else "")
        for (role, name), card in zip(CHOSEN.items(), defaults.values(), strict=True)
    }


@dataclass(frozen=True)
class CompareArchitecturesRequest(Asks):
    """Lay two models side by side.

    Attributes:
        first: A checkpoint, whose weights need not be here; "" for the model that plays this role.
        second: The other; "" for the model that plays that one.
    """

    first: str = asked(CHOSEN[FIRST])
    second: str = asked(CHOSEN[SECOND])
    level: Level = asked(LEVEL, made=Level)

    @classmethod
    def fields_of(cls, document: Any, loaded: Loaded = NOTHING_LOADED) -> dict[str, Any]:
        """The loaded models where none is chosen."""
        names = names_of(loaded.cards, loaded.active or "", document)
        return super().fields_of(document, loaded) | names

    @property
    def is_whole(self) -> bool:
        """There are two."""
        return bool(self.first and self.second)


def casting(cards: Mapping[str, ModelCard], active: str, document: Options) -> RoleBinding:
    """Whichever of the two are loaded."""
    found = {}
    for role, name in names_of(cards, active, document).items():
        here = [slot for slot, card in cards.items() if card.stamp.id == name]
        if here:
            found[role] = here[0]
    return found


QUESTION = Question(
    name="compare_architectures",
    title=N_("Compare architectures"),
    asks=(N_("How do two models differ, is one derived from the other, and what do they share?")),
    listing=Listing(
        Topic.LOOK_INSIDE, 2, "file-compare", "Ctrl+Shift+5", in_overview=10, tab_of="architecture"
    ),
    found_by=("compare models", "shared weights", "weight difference", "모델 비교", "가중치 비교"),
    request=CompareArchitecturesRequest,
    result=CompareArchitecturesResult,
    run=run,
    summary=None,
    roles={FIRST: (), SECOND: ()},
    optional=frozenset({FIRST, SECOND}),
    binding=casting,
    waiting_hint=N_(
        "Choose two models above: their weights need not be here. With both loaded, "
        "as A and B, their weights show whose layers came from whose."
    ),
    formerly=("compare_anatomy",),
    replaces=dict.fromkeys(
        ("weight_sharing", "embedding_sharing"),
        Absorbed(
            become_comparison,
            roles={DISCRIMINATOR: FIRST, GENERATOR: SECOND},
            implies={"level": Level.TENSORS},
        ),
    ),
    options=(*CHOSEN.values(), LEVEL),
)
