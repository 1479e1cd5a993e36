"""Replaced-token detection in one picture: choose, mask, draw, put in, judge, compare."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from explorer.document import Document
from explorer.questions.detection.drawing import GREEDY, RATE, TEMPERATURE, THRESHOLD
from explorer.questions.detection.outcomes import Outcomes
from explorer.questions.detection.pair_of_models import pair_of
from explorer.questions.detection.replaced_tokens.gestures import drop_words
from explorer.questions.detection.replaced_tokens.options import CURVES, SEED, Corruption
from explorer.questions.detection.replaced_tokens.parts import ASIDE, EXACTLY, LOOP
from explorer.questions.detection.replaced_tokens.picture.loop import Loop
from explorer.questions.detection.replaced_tokens.picture.painting import LoopLook
from explorer.questions.detection.replaced_tokens.picture.rows import rows_of
from explorer.questions.detection.replaced_tokens.question import QUESTION, ReplacedTokensResult
from explorer.text import _
from explorer.text.formatting.numbers import percent
from explorer.ui.blocks import Beside, Block, Chip, Chips, Load, Shown, Text, note, page_of_parts


def loop(shown: Shown) -> Iterator[Block]:
    """The loop itself."""
    result: ReplacedTokensResult = shown.result
    yield Loop(
        rows_of(result, shown.before),
        LoopLook(
            shown.value(THRESHOLD),
            shown.title_of(result.model),
            "" if result.other is None else shown.title_of(result.other),
            None if shown.alone else shown.selected,
        ),
        # Masks come and go without an answer.
        replace(shown.asked, masks=shown.now.masks),
        can_mask=result.other is not None,
    )


def aside(shown: Shown) -> Iterator[Block]:
    """What is missing and what is one's own, and what a pinned answer found."""
    if not shown.alone:
        yield from _missing_and_own(shown)
    if shown.pinned is not None:
        yield Text(compared(shown))


def _missing_and_own(shown: Shown) -> Iterator[Block]:
    """Why there is no generator, and what to do; how to take one's own words back."""
    result: ReplacedTokensResult = shown.result
    pair = pair_of(result.model, shown.cards)
    chips = []
    if pair.notice:
        yield Text(pair.notice)
    if pair.partner:
        load = Load(pair.partner, pair.free)
        chips.append(Chip(_("Load its own generator"), load, tip=pair.partner))
    if Corruption.of(shown.now).words:
        words = _("Put back what was where you put words of your own.")
        chips.append(Chip(_("Discard my replacements"), drop_words(shown.now), tip=words))
    if chips:
        yield Chips(chips)
    if result.other is not None and not shown.asked.masks and not shown.asked.literal_masks():
        share = RATE.of(shown.asked)
        chosen = _(
            "Nothing is masked, so {share} of the tokens were chosen at random.",
            share=percent(share),
        )
        yield note(chosen, hint=_("Mask the tokens that you want replaced."))


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


def stays(shown: Shown) -> Iterator[Block]:
    """The outcomes, which are in sight however long the sentence is."""
    if not shown.value(CURVES):
        yield Outcomes(shown.result.counts_at(shown.value(THRESHOLD)))


def disabled(_document: Document, result: ReplacedTokensResult) -> Mapping[str, str]:
    """Without a generator nothing is drawn."""
    why = _("No generator takes part, so nothing is drawn.")
    drawn = (SEED, TEMPERATURE, GREEDY, RATE)
    return {one.key: why for one in drawn} if result.other is None else {}


OF_PARTS = page_of_parts(
    QUESTION,
    {LOOP: loop, ASIDE: aside, EXACTLY: lambda _shown: (Beside(),)},
    follows=True,
    draws_pinned=True,
    stays=stays,
    disabled=disabled,
)


def blocks(shown: Shown) -> Iterable[Block]:
    """On paper the answer, also where the screen tells how such models learned."""
    still = replace(shown, now=shown.now.with_option(CURVES.key, None)) if shown.alone else shown
    return OF_PARTS.blocks(still)


PAGE = replace(OF_PARTS, blocks=blocks)
