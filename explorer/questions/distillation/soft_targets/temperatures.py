"""The likeliest words at four temperatures, on one scale."""

from collections.abc import Mapping, Sequence

from explorer.numerics.distributions.temperature import COOLEST, HOTTEST
from explorer.questions.distillation.soft_targets.at_mask import MANY, words_at
from explorer.questions.distillation.soft_targets.question import TEMPERATURES, Targets
from explorer.questions.distillation.soft_targets.settings import TEMPERATURE
from explorer.text import _
from explorer.text.bidi import isolated
from explorer.text.formatting.probabilities import in_digits
from explorer.ui.blocks.columns import Card, Columns
from explorer.ui.blocks.remembered import remembered
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth
from explorer.ui.blocks.tables.bar_table import BarTable
from explorer.ui.blocks.tables.pairs import Pair, axis_of, bars_of
from explorer.ui.blocks.tables.rows import Axis, Row
from explorer.ui.blocks.text import Text

AT_EACH = 6
"""Words that are drawn at each of the four temperatures."""


@remembered(MANY)
def at_each(targets: Targets) -> Mapping[float, Sequence[Pair]]:
    """The likeliest words at four temperatures."""
    return {t: words_at(targets, targets.at(t))[:AT_EACH] for t in TEMPERATURES}


def axis_at_one(targets: Targets, before: Targets | None = None) -> Axis:
    """The axis of the bars at every temperature: the one that holds those at T = 1.

    On an axis that follows the longest bar of now, bars would grow while the distribution becomes
    more even. Below 1, where one may be longer than it, that bar is drawn cut.

    Args:
        targets: Both models' logits.
        before: The pinned answer's, whose student is marked on the same axis.
    """
    return axis_of(_at_one(targets) if before is None else (*_at_one(targets), *_at_one(before)))


@remembered(MANY)
def _at_one(targets: Targets) -> Sequence[Pair]:
    return words_at(targets, targets.at(1.0))


@remembered(MANY)
def widest(targets: Targets) -> Sequence[Pair]:
    """The words at the ends of the temperatures too, whose numbers take most room.

    With columns as wide as these take, the bars have the same room at all temperatures.
    """
    return [one for t in (COOLEST, 1.0, HOTTEST) for one in words_at(targets, targets.at(t))]


def temperatures(
    shown: Shown, at: Mapping[float, Sequence[Pair]], now: float, axis: Axis
) -> Columns:
    """The words at each, on one axis; choosing a card is choosing its temperature."""
    every = [one for words in at.values() for one in words]
    return Columns(
        [
            Card(
                [
                    Text(f"T = {t:g}", "strong"),
                    BarTable(
                        [Row(one.word, bars=bars_of(one)) for one in words],
                        axis=axis,
                        bold=False,
                        peers=[Row(one.word) for one in every],
                    ),
                ],
                _("Temperature {t}", t=t),
                act=shown.setting(TEMPERATURE, t, _("change temperature")),
                key=("temperature", t),
                words=_listed(t, words),
                chosen=abs(t - now) < 1e-9,
            )
            for t, words in at.items()
        ],
        narrowest=CardWidth.NARROW,
    )


def _listed(temperature: float, words: Sequence[Pair]) -> str:
    lines = [_("T = {temperature} (click to choose it): teacher, student", temperature=temperature)]
    lines += [
        f"{isolated(o.word)}: {in_digits(o.first or 0)}, {in_digits(o.second or 0)}" for o in words
    ]
    return "\n".join(lines)
