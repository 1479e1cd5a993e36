"""What a click on the overview does."""

from dataclasses import dataclass

from explorer.api.question import Headline
from explorer.document import Document
from explorer.ui.views.frame.state_pages import Way


@dataclass(frozen=True)
class Go:
    """Open the page of a question, at what its sentence names.

    Attributes:
        operation: The question.
        headline: What it tells; None to leave the page as it is.
        document: That the answer was asked of; None where there is none.
    """

    operation: str
    headline: Headline | None = None
    document: Document | None = None


@dataclass(frozen=True)
class LoadFor:
    """Load models that can answer a question, and open its page.

    Attributes:
        operation: The question.
        way: What does so, and what it is called.
    """

    operation: str
    way: Way
