"""What the page says of states and of what they restore."""

import math

from explorer.api import Component
from explorer.api.question.layer_names import layer_label, layer_said
from explorer.questions.cause.patching.question import (
    COMPONENT,
    DENOISE,
    PatchGrid,
    PatchingResult,
)
from explorer.text import N_, _, said
from explorer.text.formatting.numbers import decimal, percent, with_minus
from explorer.text.pieces import visible

ABOUT = N_(
    "The model reads one text with a single state taken from its run on the other; everything "
    "after it is computed anew. The share is (F patched − F before) / (F of the other text − F "
    "before), with F the first word's logit minus the second's: 1 restores all of the difference, "
    "below 0 it grows. Shares of several states need not add up to 1 (Zhang and Nanda 2024)."
)

ENTITIES = N_(
    "Entities have states of their own beside those of the tokens, and keep what they read of the "
    "text before: so putting back every token's state behind a layer that mixes both need not "
    "restore exactly 1 in sum. The first token counts as an entity even where none is on the text."
)


def share(value: float) -> str:
    """A share in percent; a stroke where it is not there yet."""
    if not math.isfinite(value):
        return "–"
    size = percent(abs(value), 1)
    return f"−{size}" if round(value, 3) < 0 else size


def in_cell(value: float) -> str:
    """A share in as few characters as tell it apart; none where it is about nothing."""
    if abs(value) < 0.005:
        return ""
    text = with_minus(value, 2)
    return text if abs(value) >= 0.995 else text.replace("0", "", 1)


def both_said(result: PatchingResult) -> str:
    """What is measured, with either text."""
    first, second = map(visible, result.words)
    return _(
        "“{first}” against “{second}”: {clean} nats with the first text, {corrupt} with the "
        "second.",
        first=first,
        second=second,
        clean=with_minus(result.clean, 2),
        corrupt=with_minus(result.corrupt, 2),
    )


def component_title(result: PatchingResult, grid: PatchGrid) -> str:
    """What a grid shows."""
    what = _(COMPONENT.entry(result.component).title)
    if result.direction == DENOISE:
        title = _("{what}: share of the difference that is restored", what=what)
    else:
        title = _("{what}: share of the difference that is taken away", what=what)
    if len(result.grids) < 2:
        return title
    stack = {
        "encoder": _("encoder"),
        "decoder": _("decoder"),
        "cross": _("from the decoder to the encoder"),
    }[grid.kind]
    return f"{title} · {stack}"


def row_label(name: str) -> str:
    """A row's name beside the cells."""
    layer, _dot, head = name.partition(".")
    return f"{layer_label(layer)}.{head}" if head else layer_label(name)


def row_said(result: PatchingResult, grid: PatchGrid, row: int) -> str:
    """A row's name in a sentence."""
    name = grid.rows[row]
    if result.component == Component.HEAD:
        layer, _dot, head = name.rpartition(".")
        if layer.isdigit():
            return _("Layer {layer}, head {head}", layer=layer, head=head)
        return _("{layer}, head {head}", layer=layer_said(layer), head=head)
    return layer_said(name)


def column_label(grid: PatchGrid, column: int) -> str:
    """The token whose state is put back."""
    return _("all") if column == len(grid.names) else visible(grid.names[column][0])


def column_said(grid: PatchGrid, column: int) -> str:
    """A column's name in a sentence."""
    if column == len(grid.names):
        return _("all tokens together")
    other, own = map(visible, grid.names[column])
    if grid.tokens[column].id == grid.others[column].id:
        return _("at “{token}”", token=own)
    return _("the state of “{other}” at “{token}”", other=other, token=own)


def cell_title(result: PatchingResult, place: tuple[int, int, int]) -> str:
    """Which state is looked at."""
    grid = result.grids[place[0]]
    row, column = row_said(result, grid, place[1]), column_said(grid, place[2])
    return _("{row}: {column}", row=row[:1].upper() + row[1:], column=column)


def checked_said(result: PatchingResult) -> str:
    """That nothing restores nothing, and everything all of it."""
    checked = _(
        "Checked: putting nothing back restores {nothing} of it, putting everything back "
        "{everything}.",
        nothing=decimal(abs(result.nothing), 5),
        everything=decimal(result.everything, 5),
    )
    if result.window < 2:
        return checked
    window = _("Each row puts {count} neighbouring layers back together.", count=result.window)
    return f"{window} {checked}"


def approximation_said(result: PatchingResult) -> str:
    """What one gradient says, and how well it agrees."""
    if result.note:
        return said(result.note)
    about = _(
        "Attribution patching: the gradient of the measure times the difference of the states, all "
        "cells from three passes."
    )
    if result.correlation is None:
        return about
    agree = _(
        "Its correlation with the shares above is {value}.",
        value=with_minus(result.correlation, 3),
    )
    return f"{about} {agree}"
