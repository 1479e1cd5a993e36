"""What to press where no loaded model can answer: the models here that can, and the library."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.question import SLOTS, ModelStamp, Question
from explorer.api.question.needs import ports_of
from explorer.api.question.roles import RoleBinding, cast_of, missing_of
from explorer.choosing.asked import can_play
from explorer.series.frame_folders import frame_folders, series_folder_of
from explorer.series.naming import series_named
from explorer.text import _
from explorer.ui.document.examples import ExampleFinder
from explorer.ui.library.actions import LibraryActions
from explorer.ui.views.frame.state_pages import Way

MOST = 2
"""Models that are offered, of different families where there are several; the library has all."""

USUAL = "bert-miniature"
"""Offered before others that can do the same."""


class ModelSuggestions:
    """Finds them by the ports that a question needs; there is no list of who answers what."""

    def __init__(self, actions: LibraryActions, examples: ExampleFinder) -> None:
        self._actions = actions
        self._models = actions.models
        self._examples = examples

    def to_ask(
        self, question: Question[Any, Any], request: Any, cast: RoleBinding
    ) -> tuple[Way, ...]:
        """How to come by an answer.

        Args:
            question: The question.
            request: What the document asks; None where it asks nothing yet.
            cast: Which slot plays which role, empty or with a model that may lack a port.

        Returns:
            Buttons, the best one first; none where every role is played by a model that can.
        """
        search = _Search(question, request)
        for role, slot in cast.items():
            card, known = self._models.cards.get(slot), self._held(slot)
            if card is None or (known is not None and not search.can_play(role, known)):
                library = partial(self._actions.library_wanted.emit, slot)
                models = [*self._both(search, cast), *self._models_for(search, role, slot)]
                return (*models[:MOST], (_("Open the library"), library))
        return (*self._of_steps(cast),)[:MOST] if question.needs_steps else ()

    def to_load(
        self, models: Mapping[str, ModelStamp], then: Callable[[], object]
    ) -> tuple[Way, ...]:
        """How to load the models of a logged run that are not loaded now.

        Args:
            models: Who played which role.
            then: Called once their loading has begun.

        Returns:
            A button; none where one of them is not on this machine.
        """
        missing = missing_of(models, self._models.cards)
        here = {one.id: one for one in self._here()}
        stamps = list({stamp.fingerprint: stamp for stamp in missing.values()}.values())
        if not stamps or not all(stamp.id in here for stamp in stamps):
            return ()
        kept = set(cast_of(models, self._models.cards).values())
        held = self._models.cards
        free = sorted((slot for slot in SLOTS if slot not in kept), key=lambda one: one in held)
        if len(free) < len(stamps):
            return ()
        # The first one goes where the first role is played.
        slots = sorted(free[: len(stamps)])
        wanted = tuple(zip(slots, (here[stamp.id] for stamp in stamps), strict=True))
        titles = [here[stamp.id].title for stamp in stamps]

        def load() -> None:
            for slot, one in wanted:
                self._actions.load(one, slot)
            then()

        if len(titles) == 1:
            return ((_("Load {title} and ask again", title=titles[0]), load),)
        first, second = titles
        words = _("Load {first} and {second}, and ask again", first=first, second=second)
        return ((words, load),)

    def _of_steps(self, cast: RoleBinding) -> Iterator[Way]:
        """Models that are here at several steps of their training, where none that is held is."""
        held = [self._models.cards[slot].stamp.id for slot in cast.values()]
        if not any(map(series_named, held)):
            for one in self._here():
                if _has_steps(one):
                    load = partial(self._actions.load, one, next(iter(cast.values())))
                    yield _("Load {title}", title=one.title), load

    def _both(self, search: "_Search", cast: RoleBinding) -> Iterator[Way]:
        """A teacher and its student for a question of two models, with what is asked of them."""
        if len(search.required) != 2 or not set(search.required) <= cast.keys():
            return
        first, second = search.required
        lacks_input = self._examples.lacks_input(search.question)
        known = self._held(cast[first])
        if known is not None and search.can_play(first, known) and not lacks_input:
            return  # one more model is enough
        held = {one.id for where in self._models.cards if (one := self._held(where)) is not None}
        here = self._here()
        found = [
            (teacher, student)
            for student in here
            if search.can_play(second, student)
            for teacher in here
            if teacher.id == student.teacher and search.can_play(first, teacher)
        ]
        if not found:
            return
        rank = self._rank(search, here)
        teacher, student = min(
            found,
            key=lambda pair: (
                *(one.id not in held for one in pair),
                rank(first, pair[0]),
                rank(second, pair[1]),
            ),
        )
        take = self._examples.take(search.question) if lacks_input else None
        names = {"teacher": teacher.title, "student": student.title}
        words = (
            _("Load {teacher} and its student {student}", **names)
            if take is None
            else _("Load {teacher} and its student {student}, with an example", **names)
        )

        def load() -> None:
            for one, slot in ((teacher, cast[first]), (student, cast[second])):
                card = self._models.cards.get(slot)
                if card is None or card.stamp.id != one.id:
                    self._actions.load(one, slot)
            self._models.set_active(cast[first])
            if take is not None:
                take()

        yield words, load

    def _models_for(self, search: "_Search", role: str, slot: str) -> Iterator[Way]:
        """The models on this machine that can play a role in a slot."""
        held = {one.id: where for where in self._models.cards if (one := self._held(where))}
        if search.is_alone:
            for checkpoint_id, where in held.items():
                # A second page lacks the other one: the one that answers already is no way on.
                if where == self._models.active:
                    continue
                one = self._actions.checkpoints.find(checkpoint_id)
                if one is not None and where != slot and search.can_play(role, one):
                    said = _("Ask {title}, which is loaded as {slot}", title=one.title, slot=where)
                    yield said, partial(self._models.set_active, where)
        known = self._here()
        here = [one for one in known if one.id not in held and search.can_play(role, one)]
        rank = self._rank(search, known)
        beside = [other for where in held.values() if (other := self._held(where)) is not None]
        here.sort(
            key=lambda one: (
                not any(_belong(one, other) for other in beside),
                rank(role, one),
            )
        )
        first_of_family = list({one.family: one for one in reversed(here)}.values())[::-1]
        chosen = sorted(here, key=lambda one: (one not in first_of_family, here.index(one)))
        for one in chosen[:MOST]:
            yield self._load(search, role, one, slot)

    def _here(self) -> list[Checkpoint]:
        """The models on this machine that can be loaded."""
        return [
            one
            for one in self._actions.checkpoints.all
            if one.source not in {Source.HUB, Source.CONFIG} and not one.problem
        ]

    def _rank(
        self, search: "_Search", here: Sequence[Checkpoint]
    ) -> Callable[[str, Checkpoint], tuple[bool, int, bool, bool, float]]:
        """Orders models for a role: bundled ones, the usual one, those of a family that is loaded.

        Then those that were made for the question.
        """
        loaded = {one.family for where in self._models.cards if (one := self._held(where))}
        owners = Counter(port for one in here for port in one.ports)

        def rank(role: str, one: Checkpoint) -> tuple[bool, int, bool, bool, float]:
            needs = search.needs.get(role, ())
            # Of ports of which one is enough, the first is the usual one.
            makeshift = sum(ports_of(need)[0].__name__ not in one.ports for need in needs)
            # A port that few models have and nobody asks for here tells of another purpose.
            unused = set(one.ports) - {port.__name__ for need in needs for port in ports_of(need)}
            purpose = sum(1.0 / owners[port] for port in sorted(unused))
            foreign = one.source is not Source.BUNDLED
            return foreign, makeshift, one.id != USUAL, one.family not in loaded, purpose

        return rank

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


def _has_steps(one: Checkpoint) -> bool:
    """Whether it is here at several steps; a film's folder may hold its last one alone."""
    place = series_folder_of(one.folder)
    return bool(series_named(one.id)) and (place is None or len(frame_folders(place)) > 1)


class _Search:
    """What a question needs of whoever plays a role.

    Attributes:
        question: The question.
        needs: Ports by role.
        is_alone: One model answers it.
        required: The roles that may not stay empty.
    """

    def __init__(self, question: Question[Any, Any], request: Any) -> None:
        self.question = question
        asks = question.delegates_to is not None
        self.needs = {} if asks and request is None else dict(question.needs_of(request))
        self.is_alone = len(self.needs) < 2
        optional = question.optional if asks else question.optional_of(request)
        self.required = tuple(role for role in self.needs if role not in optional)

    def can_play(self, role: str, one: Checkpoint) -> bool:
        """Whether a checkpoint has what a role needs, as far as its files say."""
        return can_play(self.question, self.needs, role, one)

    def suits(self, one: Checkpoint, role: str) -> bool:
        """Whether a checkpoint can play another role beside one."""
        return any(self.can_play(other, one) for other in self.needs if other != role)


def _belong(one: Checkpoint, other: Checkpoint) -> bool:
    """Whether two were made for each other: a pair, a teacher and its student."""
    return one.id in (other.partner, other.teacher) or other.id in (one.partner, one.teacher)
