"""Span corruption: the objective of T5.

Raffel et al. 2020, section 3.1.4 and figure 2: 15 % of the tokens are dropped out. Each run of
dropped tokens is replaced by one sentinel token, <extra_id_0> for the first run, <extra_id_1> for
the second. The target is the dropped runs, each behind its sentinel, and a final sentinel::

    text     Thank you for inviting me to your party last week .
    inputs   Thank you <X> me to your party <Y> week . </s>
    target   <X> for inviting <Y> last <Z> </s>

Section 3.3.4: spans have a mean length of 3. Here lengths are drawn from a geometric distribution
of that mean, cut off at 10 and by what is left of the 15 %, so that short texts, which lose two or
three tokens, have spans of one token too; the paper cuts a text into spans of random lengths whose
number is fixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from explorer.pretraining.objectives.masked_language_model import MaskingPolicy
from explorer.pretraining.objectives.span_masking import (
    Range,
    budget,
    choose_spans,
    geometric_lengths,
)

POLICY: Final = MaskingPolicy(selected=0.15)
MEAN_SPAN: Final = 3


def draw_spans(length: int, generator: np.random.Generator) -> list[Range]:
    """Ranges of tokens to drop from a text of so many, from left to right; none touch."""
    tokens = [(place, place + 1) for place in range(length)]
    lengths = geometric_lengths(1.0 / MEAN_SPAN)
    return sorted(choose_spans(tokens, budget(length, POLICY), lengths, generator))


def corrupt(
    tokens: Sequence[int], spans: Sequence[Range], sentinels: Sequence[int], end: int
) -> tuple[list[int], list[int]]:
    """What the encoder reads and what the decoder has to write.

    Args:
        tokens: the text.
        spans: ranges to drop, from left to right.
        sentinels: numbers of the sentinel tokens in their order; one more than there are spans.
        end: the number of </s>, which ends both.
    """
    inputs: list[int] = []
    target: list[int] = []
    place = 0
    for sentinel, (start, stop) in zip(sentinels, spans, strict=False):
        inputs += [*tokens[place:start], sentinel]
        target += [sentinel, *tokens[start:stop]]
        place = stop
    inputs += [*tokens[place:], end]
    target += [sentinels[len(spans)], end]
    return inputs, target
