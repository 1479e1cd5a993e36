"""Places at which a method picks another word than the one that matters."""

from collections.abc import Iterator
from dataclasses import replace

from explorer.document import Document, Mask
from explorer.questions.cause.attribution_benchmark.places import KnownPlace
from explorer.questions.cause.attribution_benchmark.question import (
    SHOWN,
    AttributionBenchmarkResult,
)
from explorer.questions.cause.attribution_benchmark.wording import (
    title_of,
)
from explorer.text import _
from explorer.text.formatting.numbers import decimal
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.rows import Column, Row
from explorer.ui.blocks.text import heading, note
from explorer.ui.document.gestures import Edit

MISTAKES = 8
"""Places that are listed; the table for export has all."""


def mistakes(shown: Shown) -> Iterator[Block]:
    """Places at which one method picks another word; a click brings one into the sentence."""
    result: AttributionBenchmarkResult = shown.result
    chosen = SHOWN.of(shown.now)
    one = next((way for way in result.ways if way.way.name == chosen), result.ways[0])
    wrong = [
        (place, pick)
        for place, pick in zip(result.places, one.picks, strict=True)
        if pick not in place.right
    ]
    wrong.sort(key=lambda pair: -max(pair[0].losses))
    yield heading(_("Where it is wrong: {method}", method=title_of(one.way)))
    if not wrong:
        yield note(_("Nowhere."))
        return
    rows = [_mistake(shown, place, pick) for place, pick in wrong[:MISTAKES]]
    columns = (
        Column(_("matters most"), left=True),
        Column(_("worth"), words=_("In nats of the hidden word's exact log-probability.")),
        Column(_("picked"), left=True),
        Column(_("worth"), key=("worth", "picked")),
    )
    yield BarTable(
        rows,
        columns,
        title=_("Where it is wrong: {method}", method=title_of(one.way)),
        bold=False,
        ruled=True,
        label=Column(_("place, with the hidden word in brackets")),
    )
    if len(wrong) > MISTAKES:
        yield note(
            _(
                "The {listed} where most is at stake, of {count}; the table of places has all.",
                listed=MISTAKES,
                count=len(wrong),
            )
        )


def _mistake(shown: Shown, place: KnownPlace, pick: int) -> Row:
    start, end = place.words[place.asked]
    text = f"{place.text[:start]}[{place.text[start:end]}]{place.text[end:]}"
    return Row(
        text,
        (
            " / ".join(place.word(n) for n in place.right),
            decimal(max(place.losses), 2),
            place.word(pick),
            decimal(place.losses[pick], 2),
        ),
        words="\n".join((text, _("Click to bring it into the sentence, with the word masked."))),
        key=("place", place.text),
        act=take_place(shown.now, place.text, Mask(start, end)),
    )


def take_place(seen: Document, text: str, mask: Mask) -> Edit:
    """Bring a place into the sentence, with its word masked."""
    return Edit(
        _("take a place of the benchmark"),
        seen,
        lambda now, _where: replace(now, text=text, pair=None, masks=(mask,)),
    )
