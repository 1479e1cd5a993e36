"""An answer in words: beside the pinned one, and in a caption."""

from collections.abc import Mapping

from explorer.questions.detection.replaced_tokens.options import THRESHOLD
from explorer.questions.detection.replaced_tokens.question import ReplacedTokensResult
from explorer.text import _
from explorer.ui.blocks.shown import Shown


def compared(shown: Shown) -> str:
    """What the pinned answer and that of now found; "" where nothing is pinned."""
    pinned: ReplacedTokensResult | None = shown.before
    threshold = shown.value(THRESHOLD)
    if pinned is None:
        return ""

    def found(result: ReplacedTokensResult) -> Mapping[str, object]:
        counts = result.counts_at(threshold)
        return {
            "who": _("by hand") if result.other is None else shown.title_of(result.other),
            "hits": counts.hits,
            "replaced": counts.replaced,
            "alarms": counts.false_alarms,
            "loss": f"{result.losses.discriminator:.3f}",
        }

    said = [
        _(
            "Pinned {who}: {hits} of {replaced} found, false alarms {alarms}, loss {loss}.",
            **found(pinned),
        ),
        _(
            "Now {who}: {hits} of {replaced} found, false alarms {alarms}, loss {loss}.",
            **found(shown.result),
        ),
    ]
    if pinned.original != shown.result.original:
        said.append(_("The sentences differ, so tokens are not compared."))
    return " ".join(said)
