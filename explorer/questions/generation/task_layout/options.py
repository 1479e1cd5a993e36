"""What a layout can be set to."""

from typing import Any

from explorer.api.question import Choice, Entry, Whole, Words
from explorer.questions.generation.task_layout.tasks import PAIRED, TASKS, Task, TaskKind
from explorer.text import N_

BETWEEN = "|"
"""Stands between two choices."""

TASK = Choice(
    N_("Task"),
    "cola",
    N_("What is asked of the text, by the data set that the papers measured it on."),
    entries=tuple(Entry(name, one.title) for name, one in TASKS.items()),
)
CHOICES = Words(
    N_("Choices"),
    "",
    N_("What is chosen among, with | between them."),
    placeholder=N_("One choice | another choice"),
    is_long=True,
    is_input=True,
    when=lambda document: task_of(document).kind is TaskKind.CHOICE,
)
MAX_NEW_TOKENS = Whole(
    N_("Written at most"),
    24,
    N_("Tokens of the text that a decoder writes."),
    low=1,
    high=512,
)


def task_of(document: Any) -> Task:
    """The task that a document asks."""
    return TASKS[TASK.of(document)]


def choices_of(typed: str) -> tuple[str, ...]:
    """The choices between the bars."""
    return tuple(one for one in (part.strip() for part in typed.split(BETWEEN)) if one)


def has_second(document: Any) -> bool:
    """Whether there is a second text, or the task needs none."""
    return task_of(document).kind not in PAIRED or bool((document.pair or "").strip())


def has_choices(document: Any) -> bool:
    """Whether there are two choices at least, or the task needs none."""
    needs = task_of(document).kind is TaskKind.CHOICE
    return not needs or len(choices_of(CHOICES.of(document))) > 1
