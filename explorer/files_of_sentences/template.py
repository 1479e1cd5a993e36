"""What is asked about every sentence of a file, read back from how a request holds it."""

import dataclasses
from typing import Any

from explorer.api.question import Question, UserMistake
from explorer.serialise import from_json
from explorer.text import N_


def template_read(question: Question[Any, Any], written: str) -> Any:
    """The request that is asked about every sentence, without one.

    Args:
        question: The question.
        written: The request as JSON, whatever sentence it has; "" for the usual settings.

    Raises:
        UserMistake: It can't be read.
    """
    if not written:
        return question.request(text="")
    try:
        template = from_json(question.request, written)
    except ValueError as error:
        raise UserMistake(
            N_('The settings of "{title}" can\'t be read ({error}).'),
            N_("Choose them again."),
            title=question.title,
            error=error,
        ) from error
    fields = {field.name: field for field in dataclasses.fields(question.request)}
    blank: dict[str, Any] = {"text": "", "pair": None, "masks": (), "expected": None}
    if question.pair_field in fields:
        blank[question.pair_field] = fields[question.pair_field].default
    return dataclasses.replace(
        template, **{name: value for name, value in blank.items() if name in fields}
    )
