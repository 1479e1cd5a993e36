"""Two models part by part."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from explorer.api.family import Role
from explorer.architecture.weights import Weight
from explorer.architecture.wording import plain_sizes
from explorer.text import N_


@dataclass(frozen=True)
class RoleSide:
    """What one model has of a role.

    Attributes:
        shapes: Of its weights, without biases: "768 x 768".
        copies: How many sets are stored.
        places: How often they are used in one forward pass.
        parameters: Stored.
    """

    shapes: tuple[str, ...] = ()
    copies: int = 0
    places: int = 0
    parameters: int = 0


@dataclass(frozen=True)
class ComparedRole:
    """One role in both models.

    Attributes:
        role: What it does.
        first: In the first model.
        second: In the second.
    """

    role: str
    first: RoleSide
    second: RoleSide

    @property
    def verdict(self) -> str:
        """In a few words: the same, only in one, other sizes, more or fewer of them."""
        if not self.first.places:
            return N_("only in the second")
        if not self.second.places:
            return N_("only in the first")
        if self.first.shapes != self.second.shapes:
            return N_("other sizes")
        if self.first.copies != self.second.copies:
            if self.first.places == self.second.places:
                return N_("shared in one")
            more = self.first.copies > self.second.copies
            return N_("more in the first") if more else N_("more in the second")
        return N_("the same")


@dataclass
class _TensorSum:
    shapes: dict[str, None] = field(default_factory=dict)
    sets: dict[str, list[int]] = field(default_factory=dict)
    parameters: int = 0

    def add(self, weight: Weight) -> None:
        self.parameters += weight.stored
        if len(weight.shape) > 1 or weight.name.endswith(".weight"):
            self.shapes[plain_sizes(weight.shape)] = None
        # The same matrix of other layers, and of the decoder's beside the encoder's.
        plain = re.sub(r"^(encoder|decoder)\.|\.(\d+-\d+|\d+|\*)(?=\.)", "", weight.name)
        counts = self.sets.setdefault(plain, [0, 0])
        counts[0] += 0 if weight.tied else weight.copies
        counts[1] += weight.places

    def side(self) -> RoleSide:
        copies = max((one[0] for one in self.sets.values()), default=0)
        places = max((one[1] for one in self.sets.values()), default=0)
        return RoleSide(tuple(self.shapes), copies, places, self.parameters)


def compare(first: Iterable[Weight], second: Iterable[Weight]) -> tuple[ComparedRole, ...]:
    """Lay two models side by side, read from below."""
    sums: tuple[dict[Role, _TensorSum], dict[Role, _TensorSum]] = ({}, {})
    for weights, into in zip((first, second), sums, strict=True):
        for weight in weights:
            into.setdefault(Role(weight.role).group, _TensorSum()).add(weight)
    roles = [role for role in Role if role in sums[0] or role in sums[1]]
    return tuple(
        ComparedRole(
            role.value,
            sums[0].get(role, _TensorSum()).side(),
            sums[1].get(role, _TensorSum()).side(),
        )
        for role in roles
    )
