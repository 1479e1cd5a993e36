"""What the page says of states and of what they restore."""

import math

from explorer.api.question import EMBEDDINGS, Component, label_phrase, row_phrase
from explorer.questions.cause.patching.question import COMPONENT, DENOISE, PatchGrid, PatchingResult
from explorer.text import N_, Phrase, verbatim
from explorer.text.formatting.numbers import decimal, percent, with_minus
from explorer.text.pieces import visible

STACKS = {
    "encoder": N_("encoder"),
    "decoder": N_("decoder"),
    "cross": N_("from the decoder to the encoder"),
}
TITLES = {
    True: N_("{what}: share of the difference that is restored"),
    False: N_("{what}: share of the difference that is taken away"),
}
"""Whether states restore something."""


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


def both_said(result: PatchingResult) -> Phrase:
    """What is measured, with either text."""
    first, second = map(visible, result.words)
    return Phrase(
        N_(
            "“{first}” against “{second}”: {clean} nats with the first text, {corrupt} with the "
            "second."
        ),
        first=first,
        second=second,
        clean=with_minus(result.clean, 2),
        corrupt=with_minus(result.corrupt, 2),
    )


def component_title(result: PatchingResult, grid: PatchGrid) -> Phrase:
    """What a grid shows."""
    what = Phrase(COMPONENT.entry(result.component).title)
    title = Phrase(TITLES[result.direction == DENOISE], what=what)
    if len(result.grids) < 2:
        return title
    return Phrase("{title} · {stack}", title=title, stack=Phrase(STACKS[grid.kind]))


def row_label(name: str) -> Phrase:
    """A row's name beside the cells."""
    layer, _dot, head = name.partition(".")
    if not head:
        return label_phrase(name)
    return Phrase("{layer}.{head}", layer=label_phrase(layer), head=head)


def row_said(result: PatchingResult, grid: PatchGrid, row: int) -> Phrase:
    """A row's name in a sentence."""
    name = grid.rows[row]
    if result.component != Component.HEAD:
        return row_phrase(name)
    layer, _dot, head = name.rpartition(".")
    if layer.isdigit():
        return Phrase(N_("Layer {layer}, head {head}"), layer=layer, head=head)
    return Phrase(N_("{layer}, head {head}"), layer=row_phrase(layer), head=head)


def column_label(grid: PatchGrid, column: int) -> str:
    """The token whose state is put back."""
    return N_("all") if column == len(grid.names) else verbatim(visible(grid.names[column][0]))


def column_said(grid: PatchGrid, column: int) -> Phrase:
    """A column's name in a sentence."""
    if column == len(grid.names):
        return Phrase(N_("all tokens together"))
    other, own = map(visible, grid.names[column])
    if grid.tokens[column].id == grid.others[column].id:
        return Phrase(N_("at “{token}”"), token=own)
    return Phrase(N_("the state of “{other}” at “{token}”"), other=other, token=own)


def cell_title(result: PatchingResult, place: tuple[int, int, int]) -> Phrase:
    """Which state is looked at."""
    grid = result.grids[place[0]]
    name, row = grid.rows[place[1]], row_said(result, grid, place[1])
    if name == EMBEDDINGS:
        row = Phrase(N_("Embeddings"))
    elif name.isdigit():
        row = Phrase(N_("Layer {layer}"), layer=name)
    return Phrase(N_("{row}: {column}"), row=row, column=column_said(grid, place[2]))


def checked_said(result: PatchingResult) -> Phrase:
    """That nothing restores nothing, and everything all of it."""
    checked = Phrase(
        N_(
            "Checked: putting nothing back restores {nothing} of it, putting everything back "
            "{everything}."
        ),
        nothing=decimal(abs(result.nothing), 5),
        everything=decimal(result.everything, 5),
    )
    if result.window < 2:
        return checked
    window = N_("Each row puts {count} neighbouring layers back together.")
    return Phrase.joined((Phrase(window, count=result.window), checked))


APPROXIMATION = N_(
    "Attribution patching: the gradient of the measure times the difference of the states, all "
    "cells from three passes."
)


def approximation_said(result: PatchingResult) -> str:
    """How well one gradient agrees, or why there is none."""
    if result.note or result.correlation is None:
        return result.note
    agree = N_("Its correlation with the shares above is {value}.")
    return Phrase(agree, value=with_minus(result.correlation, 3))
