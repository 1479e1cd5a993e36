"""What to look at first: a head that copies, few directions, positions that fade, growth."""

from typing import Any

import numpy as np

from explorer.api.question import Headline, beyond
from explorer.questions.architecture.weights.question import Drawn, WeightsResult
from explorer.text import N_, Phrase
from explorer.text.formatting.numbers import percent, with_minus

FEW = 0.5
"""Share of a circuit's squares in its first singular value from which one direction is most."""
COPIES = 0.5
"""Share of the words that come back among those written most, from which a head copies."""
APART = 0.3
"""How far the cosine of neighbours is above the least of any distance, to be told."""
GROWS = 3.0
"""How many times as long states become, to be told."""


def headline(result: WeightsResult, **_settings: Any) -> Headline:
    """What stands out in the drawing that was asked for."""
    found = {
        Drawn.POSITIONS: _positions,
        Drawn.HEAD: _head,
        Drawn.CIRCUITS: _circuits,
        Drawn.RESIDUAL: _residual,
    }
    told = found.get(result.drawn)
    return Headline() if told is None else told(result)


def _positions(result: WeightsResult) -> Headline:
    curve = next(iter(result.of_panel("cosine")), None)
    if curve is None or not len(curve.values):
        return Headline()
    least = int(curve.values.argmin())
    fall = float(curve.values[0] - curve.values[least])
    if fall < APART:
        return Headline()
    sentence = Phrase(
        N_(
            "Near positions are more alike than far ones: the mean cosine of neighbours is {near}, "
            "at a distance of {distance} it is {far}."
        ),
        near=with_minus(float(curve.values[0]), 2),
        far=with_minus(float(curve.values[least]), 2),
        distance=int(curve.at[least]),
    )
    return Headline(sentence, strength=beyond(fall, APART, 2.0))


def _head(result: WeightsResult) -> Headline:
    shares = {}
    for curve in result.of_panel("spectrum")[4:]:
        squares = np.square(curve.values.astype(float))
        if squares.sum() > 0:
            shares[curve.name] = float(squares[0] / squares.sum())
    name = max(shares, key=lambda one: shares[one], default="")
    if not name or shares[name] < FEW:
        return Headline()
    compares = N_(
        "One direction is {share} of what this head compares (the squares of its QK circuit)."
    )
    moves = N_("One direction is {share} of what this head moves (the squares of its OV circuit).")
    sentence = Phrase(compares if name == "qk" else moves, share=percent(shares[name]))
    return Headline(sentence, strength=beyond(shares[name], FEW, 1.0))


def _circuits(result: WeightsResult) -> Headline:
    copied = sum(one.rank <= len(one.pieces) for one in result.written)
    count = len(result.written)
    if not count or copied < max(2, COPIES * count):
        return Headline()
    sentence = Phrase(
        N_("This head copies: {copied} of {count} words are among the {most} that it writes most."),
        copied=copied,
        count=count,
        most=len(result.written[0].pieces),
    )
    return Headline(sentence, strength=beyond(copied / count, COPIES / 2, 1.0))


def _residual(result: WeightsResult) -> Headline:
    values = result.of_panel("residual")[0].values.astype(float)
    if values[0] <= 0 or values[-1] < GROWS * values[0]:
        return Headline()
    times = float(values[-1] / values[0])
    sentence = Phrase(
        N_(
            "The stream grows {times}-fold: a state is {first} long at the embeddings, {last} "
            "at the end."
        ),
        times=with_minus(times, 1),
        first=with_minus(float(values[0]), 1),
        last=with_minus(float(values[-1]), 1),
    )
    return Headline(sentence, strength=beyond(times, GROWS))
