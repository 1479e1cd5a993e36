"""The answers that this folder keeps of every question, as each schema of the log stored them.

Whoever goes through all questions takes them from here, so that a question which is added is tried
without a line there.
"""

import shutil
from pathlib import Path
from typing import Any

from explorer.exact_answers.asking import About, ExactAnswersRequest
from explorer.questions.attention.attention.question import AttentionRequest
from explorer.sessions.change.merging import merge
from explorer.sessions.read.reader import SessionReader

FOLDER = Path(__file__).parent
STORED = (
    FOLDER / "every-question-schema-4.db",
    *sorted(
        path
        for path in FOLDER.glob("*-schema-*.db")
        if not path.name.startswith(("every-question-", "two-models-"))
    ),
)
"""The questions of then, and those that came since, each in a file of its own."""


def kind_of(request: Any) -> str:
    """What tells a recorded answer from others to the same question; "" for the usual one."""
    if isinstance(request, AttentionRequest) and request.heads:
        # Of attention there are two: all heads, and a few of them in full.
        return " of few heads"
    if isinstance(request, ExactAnswersRequest) and request.about is not About.WORDS:
        return f" of {request.about}"
    return ""


RECORDED = {}
for _path in STORED:
    _reader = SessionReader(_path)
    for _run in _reader.runs():
        _stored = _reader.run(_run.id)
        RECORDED[f"{_run.operation}{kind_of(_stored.request)}"] = _stored


def put_all(database: Path) -> None:
    """Every recorded run in one database."""
    database.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(STORED[0], database)
    for other in STORED[1:]:
        merge(database, other)
