"""Why a mask has nothing in the pinned answer to be compared with."""

from explorer.document import Document
from explorer.text import _


def no_mask_said(now: Document, pinned: Document) -> str:
    """Why a mask is shown without a difference to the pinned answer."""
    if (now.text, now.pair) == (pinned.text, pinned.pair):
        return _("The pinned answer has no mask here, so no difference is shown.")
    return _(
        "The pinned answer is of another text and has no mask at this very place, so no "
        "difference is shown."
    )
