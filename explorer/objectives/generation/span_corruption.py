"""Span corruption: the objective of T5.

Raffel et al. 2020, section 3.1.4 and figure 2: 15 % of the tokens are dropped out. Each run of
dropped tokens is replaced by one sentinel token, <extra_id_0> for the first run, <extra_id_1> for
the second. The target is the dropped runs, each behind its sentinel, and a final sentinel::

    text     Thank you for inviting me to your party last week .
    inputs   Thank you <X> me to your party <Y> week . </s>
    target   <X> for inviting <Y> last <Z> </s>

Section 3.3.4: spans have a mean length of 3. The paper cuts a long row into a fixed number of spans
that together are 15 %. Here rows are short texts, and then the number of sentinels would tell how
long each span is. So the number of spans is drawn first, such that 15 % are expected (but one at
least), and then the length of each from a geometric distribution of mean 3, cut off at 10 and at
half of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from explorer.objectives.masking.span_masking import Range

DROPPED: Final = 0.15
MEAN_SPAN: Final = 3
LONGEST: Final = 10


def draw_spans(
    length: int, generator: np.random.Generator, dropped: float = DROPPED
) -> list[Range]:
    """Ranges of tokens to drop from a text, from left to right; none touch.

    Args:
        length: its tokens.
        generator: source of randomness.
        dropped: the share of them that is dropped, half of them at most.
    """
    count = max(1, int(dropped * length / MEAN_SPAN + generator.random()))
    room = max(1, length // 2)
    sizes: list[int] = []
    for size in generator.geometric(1.0 / MEAN_SPAN, count).tolist():
        if room <= 0:
            break
        sizes.append(min(size, LONGEST, room))
        room -= sizes[-1]
    # Each way to leave one token or more between the spans is as likely.
    free = length - sum(sizes) + 1
    cuts = sorted(generator.choice(free, size=len(sizes), replace=False).tolist())
    spans: list[Range] = []
    gone = 0
    for cut, size in zip(cuts, sizes, strict=True):
        spans.append((cut + gone, cut + gone + size))
        gone += size
    return spans


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
