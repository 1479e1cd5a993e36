"""What a question answered when a plugin was proved: what is tried with it goes from here."""

from dataclasses import dataclass
from typing import Any

from explorer.api.family import Context
from explorer.api.question import Question
from explorer.api.question.roles import RoleBinding
from explorer.document import Document
from explorer.sessions.records import LoggedRun


@dataclass(frozen=True)
class TriedAnswer:
    """What a question answered.

    Attributes:
        question: The question.
        document: What was looked at.
        request: What was asked.
        cast: Who played its roles.
        context: With which.
        result: The answer.
    """

    question: Question[Any, Any]
    document: Document
    request: Any
    cast: RoleBinding
    context: Context
    result: Any

    @property
    def run(self) -> LoggedRun:
        """As the log has it, but for whose answer it is."""
        return LoggedRun(self.question, self.document, self.request, self.result)
