"""What two runs of one question were asked otherwise: the requests compared, field by field."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from explorer.api.question import Choice, Option, Question
from explorer.api.question.options.asks import field_of
from explorer.api.question.options.values import as_kept, in_words
from explorer.questions.former_names import question_named
from explorer.sessions.export.settings import asked_each_time
from explorer.sessions.records import StoredRun
from explorer.text import N_, Phrase
from explorer.text.language import for_programs

ANOTHER_DOCUMENT = Phrase(N_("another text, other masks or other options"))
"""The reason that something else was asked, where nobody can read any more what that was."""
_OF_TEXT = {
    "text": N_("another text"),
    "pair": N_("another second text"),
    "masks": N_("other masks"),
    "entities": N_("other entities"),
}
"""Fields whose values are longer than a sentence bears."""


def asked_otherwise(first: StoredRun, second: StoredRun) -> tuple[Phrase, ...]:
    """What was asked otherwise in the second of two runs, as likely reasons for another answer.

    Documents decide only where a request can't be read: they hold options of other pages too, and
    not what only the command line sets.
    """
    question = question_named(first.summary.operation)
    if question is None or first.request is None or second.request is None:
        return () if first.document == second.document else (ANOTHER_DOCUMENT,)
    found = tuple(dict.fromkeys(_apart(question, first.request, second.request)))
    if first.seed != second.seed:
        return (*found, another_seed(first.seed, second.seed))
    return found


def another_seed(old: int, new: int) -> Phrase:
    """The reason that chance was drawn otherwise."""
    return Phrase(N_("another seed ({old} then, {new} now)"), old=str(old), new=str(new))


def _apart(question: Question[Any, Any], first: Any, second: Any) -> Iterator[Phrase]:
    each, other = asked_each_time(question, first), asked_each_time(question, second)
    names = [one.name for one in fields(first) if one.name != "seed"]
    if each is not None and other is not None and each[0].name == other[0].name:
        names.remove("request")
        yield from _apart(each[0], each[1], other[1])
    for name in names:
        old, new = getattr(first, name), getattr(second, name)
        if old == new:
            continue
        if name in _OF_TEXT:
            yield Phrase(_OF_TEXT[name])
            continue
        own = field_of(question.request, name)
        option = None if own is None else own.option
        label = name.replace("_", "-") if option is None else Phrase(option.label)
        told = {"old": _said(option, old), "new": _said(option, new)}
        yield Phrase(N_("another value of {name} ({old} then, {new} now)"), name=label, **told)


def _said(option: Option[Any] | None, value: Any) -> str:
    kept = as_kept(value)
    if isinstance(option, Choice) and option.accepts(kept):
        return Phrase(option.entry(kept).title)
    if isinstance(value, bool):
        return Phrase(N_("on") if value else N_("off"))
    with for_programs():
        return in_words(kept)
