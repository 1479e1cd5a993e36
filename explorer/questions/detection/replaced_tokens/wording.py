"""An answer in words: beside the pinned one, and in a caption."""

from collections.abc import Mapping

from explorer.questions.detection.replaced_tokens.options import GREEDY, TEMPERATURE, THRESHOLD
from explorer.questions.detection.replaced_tokens.picture.rows import rows_of
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


def caption(shown: Shown) -> str:
    """What decides the picture beside the sentence: who drew how, and the threshold."""
    result: ReplacedTokensResult = shown.result
    corrupted = " ".join(row.corrupted for row in rows_of(result) if not row.special)
    said = [
        "",
        _("Corrupted: “{text}”.", text=corrupted),
        _("Threshold {threshold}.", threshold=f"{shown.value(THRESHOLD):.2f}"),
    ]
    if result.other is not None and shown.value(GREEDY):
        said.append(_("Generator: {name}, argmax.", name=result.other.id))
    elif result.other is not None:
        warmth = f"{shown.value(TEMPERATURE):g}"
        said.append(
            _(
                "Generator: {name}, drawn at temperature {temperature}.",
                name=result.other.id,
                temperature=warmth,
            )
        )
    if shown.pinned is not None:
        said.append(compared(shown))
    return " ".join(said)
