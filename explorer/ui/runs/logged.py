"""Answers from the log: what their page says of them, and whom they are asked of again."""

from dataclasses import dataclass

from explorer.api import ModelCard
from explorer.document import Document
from explorer.sessions.records import StoredRun


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
