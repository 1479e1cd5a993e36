"""Which models a question can be asked of, and why not of the others; nothing is loaded for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.api.family.checkpoint import Checkpoint, Source
from explorer.api.ports.missing import NOT_THEIRS
from explorer.api.question import ModelName, Question
from explorer.api.question.needs import Need, are_met, ports_of
from explorer.api.question.options.asks import asked_fields
from explorer.text import N_, Phrase
from explorer.text.phrase import NOTHING

UNKNOWN = Phrase(N_("Which heads it holds is known once it is loaded."))


@dataclass(frozen=True)
class CanBeAsked:
    """Whether a question can be asked of a model, as far as its files say.

    Attributes:
        roles: What the model can be in the question; none where it can't be asked.
        why: Why not; nothing where it can be.
    """

    roles: tuple[str, ...] = ()
    why: Phrase = NOTHING


def can_play(
    question: Question[Any, Any], needs: Mapping[str, tuple[Need, ...]], role: str, one: Checkpoint
) -> bool:
    """Whether a checkpoint has what a role needs, as far as its files say.

    Args:
        question: The question.
        needs: Ports by role, of what is asked.
        role: Which.
        one: The checkpoint.
    """
    if question.delegates_to is None and role == question.first_role:
        return question.name in one.operations
    return are_met(needs.get(role, ()), one.ports)


def asked_of(question: Question[Any, Any], one: Checkpoint) -> CanBeAsked:
    """Which roles of a question a model can play, once it is downloaded and loaded.

    Of what has no weights nothing can be asked, whatever its config says.
    """
    weightless = one.source is Source.CONFIG
    if weightless and one.architecture and _reads_configs(question):
        return CanBeAsked((question.first_role,))
    roles = tuple(role for role in question.roles if can_play(question, question.roles, role, one))
    if roles and not weightless and not _is_unreadable(one):
        return CanBeAsked(roles)
    if one.problem and (weightless or _is_unreadable(one)):
        return CanBeAsked(why=Phrase.joined([one.problem]))
    if not one.ports and one.pickled:
        return CanBeAsked(why=UNKNOWN)
    missing = next(
        (
            ports_of(need)[0]
            for need in question.roles.get(question.first_role, ())
            if not are_met((need,), one.ports)
        ),
        None,
    )
    why = NOT_THEIRS.get(missing, "") if missing is not None else ""
    return CanBeAsked(why=Phrase(why or N_("This model can't answer this.")))


def _reads_configs(question: Question[Any, Any]) -> bool:
    """Whether a model may be named that has no weights: its config is enough."""
    return any(isinstance(one.option, ModelName) for one in asked_fields(question.request).values())


def _is_unreadable(one: Checkpoint) -> bool:
    """Whether its files can't be loaded; what is only to be downloaded is none of these."""
    return bool(one.problem) and one.folder is not None
