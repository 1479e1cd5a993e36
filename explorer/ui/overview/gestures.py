"""What a click on the overview does."""

from dataclasses import dataclass

from explorer.api.question import Headline
from explorer.document import Document
from explorer.ui.views.frame.state_pages import Way


@dataclass(frozen=True)
class Go:
    """Open the page of a question, at what its sentence names.

    Attributes:
        question: Its name.
        headline: What it tells; None to leave the page as it is.
        document: That the answer was asked of; None where there is none.
    """

    question: str
    headline: Headline | None = None
    document: Document | None = None


@dataclass(frozen=True)
class LoadFor:
    """Load models that can answer a question, and open its page.

    Attributes:
        question: Its name.
        way: What does so, and what it is called.
    """

    question: str
    way: Way
