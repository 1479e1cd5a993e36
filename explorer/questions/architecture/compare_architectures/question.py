"""What does one model have that the other has not, and did one come from the other?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api import (
    FIRST,
    SECOND,
    Blueprint,
    Cast,
    Context,
    ModelCard,
    ModelName,
    ModelStamp,
    Operation,
    Table,
)
from explorer.api.roles import Options
from explorer.questions.architecture.architecture.counting.weights import Parameters, parameters_of
from explorer.questions.architecture.architecture.opening import open_model
from explorer.questions.architecture.compare_architectures.ancestry import Ancestry, ancestry_of
from explorer.questions.architecture.compare_architectures.comparing import Compared, compare
from explorer.questions.architecture.compare_architectures.likeness import (
    TensorsCompared,
    compare_tensors,
)


@dataclass(frozen=True)
class CompareAnatomy:
    """Lay two models side by side.

    Attributes:
        first: A checkpoint, whose weights need not be here; "" for the model that plays this role.
        second: The other; "" for the model that plays that one.
    """

    first: str = ""
    second: str = ""


@dataclass(frozen=True)
class CompareAnatomyResult:
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
    """

    model: ModelStamp
    other: ModelStamp
    titles: tuple[str, str]
    blueprints: tuple[Blueprint, Blueprint]
    parameters: tuple[Parameters, Parameters]
    parts: tuple[Compared, ...]
    ancestry: Ancestry | None = None
    tensors: TensorsCompared | None = None


def run(model: Any, request: CompareAnatomy, context: Context) -> CompareAnatomyResult:
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
    return CompareAnatomyResult(
        model=first.stamp,
        other=second.stamp,
        titles=(first.title, second.title),
        blueprints=(first.blueprint, second.blueprint),
        parameters=(parameters_of(weights[0]), parameters_of(weights[1])),
        parts=compare(*weights),
        ancestry=ancestry,
        tensors=tensors,
    )


def table(result: CompareAnatomyResult) -> Table:
    """One row a role."""
    return Table(
        (
            "part",
            "verdict",
            "first_shapes",
            "first_sets",
            "first_uses",
            "first_parameters",
            "second_shapes",
            "second_sets",
            "second_uses",
            "second_parameters",
        ),
        tuple(
            (
                one.role,
                one.verdict,
                ", ".join(one.first.shapes),
                one.first.copies,
                one.first.places,
                one.first.parameters,
                ", ".join(one.second.shapes),
                one.second.copies,
                one.second.places,
                one.second.parameters,
            )
            for one in result.parts
        ),
    )


CHOSEN = {
    FIRST: ModelName("compare_architectures.first", "The first model", ""),
    SECOND: ModelName("compare_architectures.second", "The second model", "", other=True),
}
"""Name the two; what is not named is the active model, and the other one."""


def names_of(cards: Mapping[str, ModelCard], active: str, document: Options) -> dict[str, str]:
    """Ids of the two by role; "" where nothing is chosen or loaded."""
    others = (slot for slot in cards if slot != active)
    defaults = {FIRST: cards.get(active), SECOND: cards.get(next(others, ""))}
    return {
        role: name.of(document) or (card.stamp.id if card is not None else "")
        for (role, name), card in zip(CHOSEN.items(), defaults.values(), strict=True)
    }


def asked(document: Options, cards: Mapping[str, ModelCard], active: str) -> CompareAnatomy | None:
    """The question of a document: asked as soon as there are two."""
    names = names_of(cards, active, document)
    return CompareAnatomy(names[FIRST], names[SECOND]) if all(names.values()) else None


def casting(cards: Mapping[str, ModelCard], active: str, document: Options) -> Cast:
    """Whichever of the two are loaded."""
    found = {}
    for role, name in names_of(cards, active, document).items():
        here = [slot for slot, card in cards.items() if card.stamp.id == name]
        if here:
            found[role] = here[0]
    return found


OPERATION = Operation(
    name="compare_architectures",
    title="Compare architectures",
    question="What does one model have that the other has not, and did one come from the other?",
    request=CompareAnatomy,
    result=CompareAnatomyResult,
    run=run,
    table=table,
    roles={FIRST: (), SECOND: ()},
    optional=frozenset({FIRST, SECOND}),
    casting=casting,
    formerly=("compare_anatomy",),
    options=tuple(CHOSEN.values()),
)
