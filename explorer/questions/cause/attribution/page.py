"""Attribution: the methods of plugins, and the one that is in a file, are offered too."""

from collections.abc import Mapping

from explorer.api.question import ModelCard
from explorer.attribution.bringing import brought
from explorer.attribution.choice import entries_with
from explorer.attribution.foreign import is_file
from explorer.document import Document
from explorer.questions.cause.attribution.options import BESIDE, METHOD
from explorer.questions.cause.attribution.question import QUESTION
from explorer.ui.blocks import Offer, Shown, page_of_parts


def offers(now: Document, _shown: Shown | None, _card: ModelCard | None) -> Mapping[str, Offer]:
    """Every method that is known, and the file that is chosen."""
    return {
        one.key: Offer(entries_with(tuple(one.translated().entries), one.of(now)), one.of(now))
        for one in (METHOD, BESIDE)
        # What the options declare is there as it is.
        if brought() or is_file(one.of(now))
    }


PAGE = page_of_parts(QUESTION, offers=offers)
"""`AttributionRequest`'s answer."""
