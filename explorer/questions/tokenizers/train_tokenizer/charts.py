"""Pieces a word, characters a piece and unknown pieces against the size of the vocabulary."""

import math
from collections.abc import Callable, Iterator

import numpy as np

from explorer.questions.tokenizers.train_tokenizer.options import Algorithm
from explorer.questions.tokenizers.train_tokenizer.question import TrainTokenizerResult
from explorer.questions.tokenizers.train_tokenizer.trainer.trained import Floats, TrainedVocabulary
from explorer.questions.tokenizers.train_tokenizer.wording import name_of
from explorer.text import _
from explorer.text.formatting.numbers import percent, whole
from explorer.ui.blocks import Axis, Chart, Line

COLOURS = {
    Algorithm.WORDPIECE: "bar",
    Algorithm.BYTES: "bar_second",
    Algorithm.CHARACTERS: "mask",
    Algorithm.UNIGRAM: "danger",
}
Measure = Callable[[TrainedVocabulary], Floats]


def charts(result: TrainTokenizerResult, before: TrainTokenizerResult | None) -> tuple[Chart, ...]:
    """The three of them.

    Args:
        result: Those of now.
        before: The pinned ones, dotted; None for none.
    """
    every = (
        _chart(
            _("Pieces a word"),
            _("How many tokens a word is split into, on average: fertility."),
            lambda one: one.fertility,
            (result, before),
        ),
        _chart(
            _("Characters a piece"),
            _("How many characters, spaces left out, a piece stands for on average."),
            lambda one: one.length,
            (result, before),
        ),
    )
    most = max(float(np.nanmax(one.unknown, initial=0.0)) for one in result.trained)
    if most <= 0.0:
        return every
    # As many digits as tell neighbouring ticks apart.
    places = max(0, 1 - math.floor(math.log10(100 * most)))
    unknown = _chart(
        _("Unknown pieces"),
        _("Share of the pieces that stand for what the vocabulary lacks."),
        lambda one: one.unknown,
        (result, before),
        lambda value: percent(value, places),
    )
    return (*every, unknown)


def _chart(
    title: str,
    words: str,
    measure: Measure,
    both: tuple[TrainTokenizerResult, TrainTokenizerResult | None],
    written: Callable[[float], str] | None = None,
) -> Chart:
    result, before = both
    lines = [line for one in result.trained for line in _lines(one, measure)]
    if before is not None:
        lines = [*_pinned(before, measure), *lines]
    ticks = _ticks([float(size) for one in result.trained for size in one.sizes])
    return Chart(
        title,
        words,
        tuple(lines),
        Axis(
            _("pieces in the vocabulary"),
            logarithmic=True,
            ticks=ticks,
            written=lambda value: whole(round(value)),
        ),
        Axis("", grid=True, written=written),
        height=210,
    )


def _lines(one: TrainedVocabulary, measure: Measure) -> Iterator[Line]:
    sizes, values = one.sizes.astype(float), measure(one)
    colour = COLOURS[one.algorithm]
    yield Line(name_of(one.algorithm).said, sizes, values[0], colour)
    if not np.isnan(values[1]).all():
        yield Line("", sizes, values[1], colour, dash="dash", width=1.5)


def _pinned(before: TrainTokenizerResult, measure: Measure) -> Iterator[Line]:
    for one in before.trained:
        name = _("{name} (pinned)", name=name_of(one.algorithm).said)
        colour = COLOURS[one.algorithm]
        sizes = one.sizes.astype(float)
        yield Line(name, sizes, measure(one)[0], colour, dash="dot", width=1.5, opacity=0.7)


def _ticks(sizes: list[float]) -> tuple[float, ...]:
    """The largest size, and its halves as far as anything was measured."""
    top, least = max(sizes), min(sizes)
    found = [top]
    while found[-1] / 2 >= least:
        found.append(float(int(found[-1]) // 2))
    return tuple(sorted(found))
