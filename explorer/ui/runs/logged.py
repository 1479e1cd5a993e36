"""Answers from the log: what their page says of them, and whom they are asked of again."""

from collections.abc import Callable
from dataclasses import dataclass

from explorer.api.question import ModelCard, ModelStamp
from explorer.api.question.roles import roles_said
from explorer.document import Document
from explorer.sessions.records import StoredRun
from explorer.text import _, said
from explorer.ui.notices.wording import when


@dataclass(frozen=True)
class Replaying:
    """A logged run that is asked again, of the models that answered it.

    Attributes:
        run: The one of then.
        document: What it is asked of now.
        active: The model that was active when it was asked again.
        is_told: The answers were compared.
    """

    run: StoredRun
    document: Document
    active: ModelCard | None
    is_told: bool = False

    def holds(self, document: Document, active: ModelCard | None) -> bool:
        """Whether nothing was changed since; what is chosen later is asked instead."""
        return document == self.document and active == self.active


def from_the_log(stored: StoredRun, title_of: Callable[[ModelStamp], str]) -> str:
    """When a logged answer was given, and by which models, for its page.

    Args:
        stored: The run.
        title_of: What the user reads for a model.
    """
    moment = when(stored.summary.created_at)
    if not stored.models:
        return _("From the log: {when}", when=moment)
    models = said(roles_said(stored.models, title_of))
    return _("From the log: {when}, {models}", when=moment, models=models)
