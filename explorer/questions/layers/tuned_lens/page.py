"""What every layer says through its tuned lens: a grid of words, curves, and how well it reads."""

from collections.abc import Iterator

from explorer.questions.layers.tuned_lens.question import (
    FILE,
    OPERATION,
    Training,
    TunedLensResult,
)
from explorer.text import N_, _, ngettext
from explorer.ui.blocks.block import Block
from explorer.ui.blocks.chips import Chip, Chips
from explorer.ui.blocks.page import Page, Run
from explorer.ui.blocks.shown import Shown
from explorer.ui.blocks.spacing import CardWidth
from explorer.ui.blocks.text import Text, heading, note, warning
from explorer.ui.charts.block import ChartBlock
from explorer.ui.charts.description import Axis, Chart, Line
from explorer.ui.charts.over_layers import layer_axis, over_layers
from explorer.ui.parts.page import part_blocks

ABOUT = N_(
    "Each row reads one layer's states with the model's own output head, behind a linear map that "
    "was trained for that layer to say what the last layer says. What it reads is nearer to what "
    "those states hold than what the logit lens reads."
)
NOT_YET = N_(
    "There is no tuned lens of this model yet. To train one takes half a minute for a miniature, "
    "and much longer for a large model. It is kept for all texts."
)
ON_WORLD = N_(
    "It is trained on texts of the small world. For a model that knows more of the world, choose a "
    "file of sentences with “Train on…” first."
)


def blocks(shown: Shown) -> Iterator[Block]:
    """The grid of words, the curves of one place, and how well the lens reads other texts."""
    result: TunedLensResult = shown.result
    grid, training = result.grid, result.training
    yield note(_(ABOUT))
    if grid is None or training is None:
        yield from _to_be_trained(shown)
        return
    if not result.is_kept:
        yield warning(_("The lens could not be kept: the next text trains it again."))
    yield from part_blocks(OPERATION, shown)
    yield from _how_well(grid.layers, training)
    yield from _other_texts(shown)


def _to_be_trained(shown: Shown) -> Iterator[Block]:
    """What it takes, and the button."""
    if shown.is_begun:
        yield Text(_("The lens is being trained …"))
        return
    yield Text(_(NOT_YET))
    source = FILE.of(shown.asked)
    if source:
        yield note(_("It is trained on the sentences of “{name}”.", name=_name(source)))
    else:
        yield note(_(ON_WORLD))
    yield Chips([Chip(_("Train"), Run(), key="run")])
    yield from _other_texts(shown)


def _other_texts(shown: Shown) -> Iterator[Block]:
    """Back to the texts of the small world."""
    if FILE.of(shown.now):
        act = shown.setting(FILE, "", _("train on the small world"))
        yield Chips([Chip(_("Use the small world's texts"), act, key="world")])


def _name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def trained_said(training: Training) -> str:
    """On what it was trained and measured."""
    if training.source:
        texts = ngettext(
            "Trained on {count} sentence of “{name}”",
            "Trained on {count} sentences of “{name}”",
            training.texts,
            name=training.source,
        )
    else:
        texts = ngettext(
            "Trained on {count} text of the small world",
            "Trained on {count} texts of the small world",
            training.texts,
        )
    return _(
        "{texts}, {steps} steps of {batch} positions; measured at {places} positions of other "
        "texts.",
        texts=texts,
        steps=training.steps,
        batch=training.batch,
        places=training.held_out,
    )


def _how_well(layers: tuple[str, ...], training: Training) -> Iterator[Block]:
    """Both lenses on texts that neither was trained on."""
    axis = layer_axis(layers)

    def both(tuned: tuple[float, ...], logit: tuple[float, ...]) -> tuple[Line, Line]:
        return (
            over_layers(_("tuned lens"), tuned, "bar"),
            over_layers(_("logit lens"), logit, "bar_second", dash="dash"),
        )

    yield heading(_("How well it reads texts it was not trained on"))
    yield note(trained_said(training))
    distance = Chart(
        _("Distance from the last layer"),
        _("KL(last layer ‖ lens), the mean over the positions, in nats."),
        both(training.tuned, training.logit),
        axis,
        Axis(_("nats"), 0.0, grid=True),
    )
    agreement = Chart(
        _("Same top word as the last layer"),
        _("The share of positions at which the lens and the last layer have the same top word."),
        both(training.tuned_agreement, training.logit_agreement),
        axis,
        Axis(_("share of positions"), 0.0, 1.0, grid=True),
    )
    yield ChartBlock((distance, agreement), narrowest=CardWidth.MEDIUM)


PAGE = Page(OPERATION, blocks, follows=True, looks_first=True)
