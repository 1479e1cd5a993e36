"""How much a token's state carries, layer by layer: activation patching, as scores of words.

Two runs are taken, one on the text and one on the baseline, in which nothing is said. A word's
state behind one layer is put from the one into the other, and what that does to the number that is
explained is the word's effect in that layer (Meng et al. 2022; Zhang and Nanda 2024).
"""

from typing import Any

import numpy as np

from explorer.api.attribution import Scores
from explorer.api.family import ActivationPatching, Component, Unavailable
from explorer.attribution.scoring import ScoresAsked
from explorer.attribution.value_zeroing import NO_STATES
from explorer.hf.states.patching import Calls
from explorer.hf.states.taps import Tap

PASSES = 12.0
"""About how many texts each token costs: one a layer."""


def restored(asked: ScoresAsked) -> Scores:
    """What each word's state of the text brings back in a run on the baseline ("denoising").

    Returns:
        Rows x units, in the units of what is explained: behind the embeddings and behind every
        layer whose other states are still read.

    Raises:
        Unavailable: The model's states can't be had.
        Cancelled: The run was cancelled; checked before every layer.
    """
    values, none = _patched(asked, asked.baseline, asked.own)
    gained: Scores = values - none
    return gained


def disturbed(asked: ScoresAsked) -> Scores:
    """What the text loses with each word's state from the run on the baseline ("noising").

    In the row of the embeddings that is occlusion. As `restored` otherwise.
    """
    values, whole = _patched(asked, asked.own, asked.baseline)
    lost: Scores = whole - values
    return lost


def rows_of(asked: ScoresAsked) -> list[tuple[Tap, ...]]:
    """Where the states are, a row behind the embeddings and behind each layer.

    Behind the last layer of an only stack nothing reads the states of other places, so that row is
    none of them. Of a model that reads with one stack and writes with another, it is the reader's.

    Raises:
        Unavailable: They can't be had.
    """
    tapped = getattr(asked.model.port(ActivationPatching), "tapped", None)
    stacks = [] if tapped is None else tapped.stacks
    streams = [one for one in stacks if one.component is Component.RESIDUAL]
    if not streams:
        raise Unavailable(NO_STATES)
    rows = [row.taps for row in streams[0].rows]
    return rows if len(streams) > 1 else rows[:-1]


def _patched(asked: ScoresAsked, into: Any, source: Any) -> tuple[Scores, float]:
    """The number with each word's state in each row from another run.

    Args:
        asked: The text.
        into: Vectors of the run that states are put into.
        source: Vectors of the run whose states they are.

    Returns:
        Rows x units, and the number of the run that is put into.
    """
    import torch

    rows, explained, units = rows_of(asked), asked.explained, asked.units
    given: dict[Tap, Any] = {}
    taps = {tap for row in rows for tap in row}

    def keep(tap: Tap, states: Any) -> None:
        given[tap] = states.detach()[1].clone()

    with torch.no_grad(), Calls(taps).hooked(keep):
        before, _other = explained.read(torch.stack([into, source])).cpu().double().tolist()
    if taps - given.keys():
        raise Unavailable(NO_STATES)
    places = [(row, unit) for row in range(len(rows)) for unit in range(len(units))]
    found: Scores = np.empty((len(rows), len(units)))
    size = explained.at_once(len(into))
    for start in range(0, len(places), size):
        explained.context.check()
        some = places[start : start + size]
        changed: dict[Tap, list[tuple[int, int]]] = {}
        for copy, (row, unit) in enumerate(some):
            for tap in rows[row]:
                changed.setdefault(tap, []).append((copy, unit))

        def put(tap: Tap, states: Any, changed: Any = changed) -> Any:
            if tap not in changed:
                return None
            states = states.clone()
            for copy, unit in changed[tap]:
                at = list(units[unit])
                states[copy, at] = given[tap][at].to(states.dtype)
            return states

        with torch.no_grad(), Calls(taps).hooked(put):
            values = explained.read(into.expand(len(some), *into.shape))
        for (row, unit), value in zip(some, values.cpu().double().tolist(), strict=True):
            found[row, unit] = value
    return found, before
