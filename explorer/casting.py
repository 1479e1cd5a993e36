"""Which checkpoints play the roles of a question that is asked without a window."""

from collections.abc import Mapping
from typing import Any

from explorer import headless
from explorer.api.family.checkpoint import Source
from explorer.api.question import MODEL, Question, UserMistake
from explorer.program import Program
from explorer.text import N_
from explorer.text.lists import all_of


def cast(
    program: Program, question: Question[Any, Any], request: Any, given: Mapping[str, str]
) -> Mapping[str, str]:
    """The checkpoint of every role: the one that was named, or the usual one.

    Args:
        program: Where the checkpoints are.
        question: The question.
        request: What is asked.
        given: The checkpoints that were named, by role.

    Raises:
        UserMistake: One was named for a role that the question has not.
    """
    roles, optional = question.roles_of(request), question.optional_of(request)
    for role in given:
        if role not in roles:
            raise UserMistake(
                N_("There is no {role} in this question."),
                N_("Name {roles}."),
                role=role,
                roles=all_of(roles),
            )
    named = {}
    for role in roles:
        if role in given:
            named[role] = given[role]
        elif role not in optional:
            asks = question if question.delegates_to is None else question.delegates_to(request)
            named[role] = _answers(program, asks) if role == MODEL else headless.USUAL[role]
    return named


def _answers(program: Program, question: Question[Any, Any]) -> str:
    """The usual model, or the first bundled one that answers where it does not."""
    catalogue = program.catalogue(program.plugin_host())
    usual = catalogue.find(headless.DEFAULT_MODEL)
    if question.name in usual.operations:
        return usual.id
    bundled = (row for row in catalogue.list() if row.source is Source.BUNDLED)
    return next((row.id for row in bundled if question.name in row.operations), usual.id)
