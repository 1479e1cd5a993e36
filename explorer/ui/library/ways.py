"""What to press where no loaded model can answer: the models here that can, and the library."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from explorer.api import Cast, Checkpoint, Operation, Source
from explorer.api.question.needs import are_met
from explorer.text import _
from explorer.ui.library.actions import LibraryActions
from explorer.ui.views.frame.state_pages import Way

MOST = 2
"""Models that are offered, of different families where there are several; the library has all."""

USUAL = "bert-miniature"
"""Offered before others that can do the same."""


class Ways:
    """Finds them by the ports that a question needs; there is no list of who answers what."""

    def __init__(self, actions: LibraryActions) -> None:
        self._actions = actions
        self._models = actions.models

    def to_ask(self, operation: Operation[Any, Any], request: Any, cast: Cast) -> tuple[Way, ...]:
        """How to come by an answer.

        Args:
            operation: The question.
            request: What the document asks; None where it asks nothing yet.
            cast: Which slot plays which role, empty or with a model that may lack a port.

        Returns:
            Buttons, the best one first; none where every role is played by a model that can.
        """
        search = _Search(operation, request)
        for role, slot in cast.items():
            card, known = self._models.cards.get(slot), self._held(slot)
            if card is None or (known is not None and not search.can_play(role, known)):
                library = partial(self._actions.library_wanted.emit, slot)
                return (*self._models_for(search, role, slot), (_("Open the library"), library))
        return ()

    def _models_for(self, search: "_Search", role: str, slot: str) -> Iterator[Way]:
        """The models on this machine that can play a role in a slot."""
        held = {one.id: where for where in self._models.cards if (one := self._held(where))}
        if search.is_alone:
            for checkpoint_id, where in held.items():
                one = self._actions.checkpoints.find(checkpoint_id)
                if one is not None and where != slot and search.can_play(role, one):
                    said = _("Ask {title}, which is loaded as {slot}", title=one.title, slot=where)
                    yield said, partial(self._models.set_active, where)
        here = [
            one
            for one in self._actions.checkpoints.all
            if one.source not in {Source.HUB, Source.CONFIG}
            and not one.problem
            and one.id not in held
            and search.can_play(role, one)
        ]
        beside = [known for where in held.values() if (known := self._held(where)) is not None]
        here.sort(
            key=lambda one: (
                not any(_belong(one, other) for other in beside),
                one.source is not Source.BUNDLED,
                one.id != USUAL,
                len(one.operations),  # of the rest, what was made for this question
            )
        )
        first_of_family = list({one.family: one for one in reversed(here)}.values())[::-1]
        chosen = sorted(here, key=lambda one: (one not in first_of_family, here.index(one)))
        for one in chosen[:MOST]:
            yield self._load(search, role, one, slot)

    def _load(self, search: "_Search", role: str, one: Checkpoint, slot: str) -> Way:
        partner = self._actions.checkpoints.find(one.partner) if one.partner else None
        begins = role == next(iter(search.needs), "")
        if begins and partner is not None and not partner.problem and search.suits(partner, role):
            said = _("Load {title}, with its generator", title=one.title)
            return said, partial(self._actions.load_pair, one)
        load = partial(self._actions.load, one, slot)
        if search.is_alone:
            return _("Load {title}", title=one.title), load
        return _("Load {title} as {slot}", title=one.title, slot=slot), load

    def _held(self, slot: str) -> Checkpoint | None:
        card = self._models.cards.get(slot)
        return self._actions.checkpoints.find(card.stamp.id) if card is not None else None


class _Search:
    """What a question needs of whoever plays a role.

    Attributes:
        needs: Ports by role.
        is_alone: One model answers it.
    """

    def __init__(self, operation: Operation[Any, Any], request: Any) -> None:
        self._operation = operation
        asks = operation.asks is not None
        self.needs = {} if asks and request is None else dict(operation.needs_of(request))
        self.is_alone = len(self.needs) < 2

    def can_play(self, role: str, one: Checkpoint) -> bool:
        """Whether a checkpoint has what a role needs, as far as its files say."""
        if self._operation.asks is None and role == self._operation.first_role:
            return self._operation.name in one.operations
        return are_met(self.needs.get(role, ()), one.ports)

    def suits(self, one: Checkpoint, role: str) -> bool:
        """Whether a checkpoint can play another role beside one."""
        return any(self.can_play(other, one) for other in self.needs if other != role)


def _belong(one: Checkpoint, other: Checkpoint) -> bool:
    """Whether two were made for each other: a pair, a teacher and its student."""
    return one.id in (other.partner, other.teacher) or other.id in (one.partner, one.teacher)
