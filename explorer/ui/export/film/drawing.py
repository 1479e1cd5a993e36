"""The frames of a film: one page, answered at every step, drawn on the same scales."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from explorer.export_choices import PictureChoice
from explorer.headless import AnsweredRun
from explorer.text import _
from explorer.ui.blocks.page.shown import Origin
from explorer.ui.export.alone import (
    begin_drawing,
    draw_web_blocks,
    page_of,
    parts_left_out,
    raised,
    shown_of,
)
from explorer.ui.export.film.columns import as_wide
from explorer.ui.export.film.strip import with_steps
from explorer.ui.export.paper import PaperPicture, printed
from explorer.ui.views.held_scales import HeldScales

Drawn = Callable[[int], None]
"""Hears how many frames are drawn."""


@dataclass(frozen=True)
class AnsweredFrame:
    """A page's question as a frame answered it.

    Attributes:
        step: Of the training.
        answered: Question and answer, with the details that the page wants.
    """

    step: int
    answered: AnsweredRun


def drawn(
    frames: Sequence[AnsweredFrame],
    choice: PictureChoice,
    parts: Sequence[str] = (),
    heard: Drawn = lambda _count: None,
) -> list[PaperPicture]:
    """A picture of each frame, all of one size, with the same parts on the same scales.

    Args:
        frames: In the order of their steps, at least one.
        choice: The size, and what is to be seen.
        parts: Names of the parts that are shown; none for as many as a figure holds.
        heard: Hears how many are drawn.

    Raises:
        UserMistake: The page has no part of such a name.
        MachineFault: A part of it can't be drawn here.
        PluginFault: The page of a plugin's question failed.
    """
    begin_drawing()
    return raised(frames[-1].answered, lambda: _drawn(frames, choice, parts, heard))


def _drawn(
    frames: Sequence[AnsweredFrame], choice: PictureChoice, parts: Sequence[str], heard: Drawn
) -> list[PaperPicture]:
    page, scales = page_of(frames[-1].answered), HeldScales()
    seen = [shown_of(one.answered) for one in frames]
    blocks = [page.alone(shown) for shown in seen]
    for one in blocks:
        scales.take(one)
    fit = as_wide(blocks, scales.fit)
    held = [replace(one, held=fit) for one in seen]
    off = parts_left_out(page, held[-1], parts) if parts else None
    # Below all of them, where it does not move: pages are of different heights.
    bare = replace(choice, caption=False)
    found: list[PaperPicture] = []
    # What the last frame shows, all show: it has learnt most, and has most to show.
    for frame, shown in reversed([*zip(frames, held, strict=True)]):
        draw_web_blocks(page, shown, choice)
        origin = Origin.of_run(frame.answered.run)
        found.insert(0, printed(page, shown, origin, _(page.of.title), bare, off))
        off = found[-1].off
        heard(len(found))
    return with_steps(found, [one.step for one in frames], choice)
