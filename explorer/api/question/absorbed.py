"""A question that another one took over, and how its runs are read since."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer.api.question.upgrades import Upgrade


@dataclass(frozen=True)
class Absorbed:
    """A question that another one answers too now: its runs are read as runs of the other.

    Attributes:
        become: Changes its request and its result, in place, to what the other stores.
        schema: The other's schema that `become` makes; what the other was upgraded by since is
            applied after it.
        upgrades: Its own, as they were when it was absorbed.
        roles: What its models do in the other question, by what they did in it; what is not named
            here is called the same in both.
        options: The other's option of each of its own, both without the question's name
            ("width"); what is not named here is called the same in both.
        implies: What asking it is in the other: fields of the other's request, which are also
            options of the other under these names.
    """

    become: Upgrade
    schema: int = 1
    upgrades: tuple[Upgrade, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    implies: Mapping[str, Any] = field(default_factory=dict)
