"""The tree of a beam search: a column a step, in it the candidates from the best one down."""

from collections import defaultdict
from collections.abc import Sequence
from math import exp

import numpy as np

from explorer.questions.generation.continuation.parts import take
from explorer.questions.generation.continuation.question import (
    QUESTION,
    BeamToken,
    ContinuationRequest,
    ContinuationResult,
)
from explorer.questions.generation.continuation.same_texts import together, ways
from explorer.text import N_, _, ngettext
from explorer.text.bidi import isolated
from explorer.text.formatting.numbers import significant
from explorer.text.formatting.probabilities import in_digits
from explorer.text.pieces import visible
from explorer.ui.blocks import Axis, Chart, ChartBlock, Line, Looking, Points, Shown

MOST = 1500
"""Tokens that are drawn: more can't be told apart, and take long to paint."""
ROW = 19.0
"""Pixels between two candidates."""
FATES = {
    "kept": N_("Kept and extended."),
    "pruned": N_("Pruned: others were better."),
    "ended": N_("One of the texts that were found."),
}
MEANING = N_(
    "Each column is a step, and in it are the continuations that were considered,"
    " the most probable from above. Texts share the tokens that they begin with. "
    "Beam search does not merge two that end in the same text by other pieces: "
    "both take a place, and neither is given the other's probability. Choose a "
    "token to go on from there."
)


def beams(shown: Shown) -> ChartBlock:
    """The tree, the best text's tokens first."""
    result: ContinuationResult = shown.result
    request, looking = ContinuationRequest.of(shown.asked), Looking(QUESTION, shown)
    tree, best = result.tree, result.path(result.best)
    rows: defaultdict[int, int] = defaultdict(int)
    height: dict[int, int] = {}
    for number, one in enumerate(tree):  # of each step, best first
        height[number] = -rows[one.step] - 1
        rows[one.step] += 1
    on_best, same = set(best), ways(tree)
    others = [n for n in range(len(tree)) if n not in on_best]
    if len(tree) > MOST:  # what was pruned goes first
        others.sort(key=lambda n: tree[n].fate == "pruned")
    order = [*best, *others][:MOST]
    deepest, last = max(rows.values()), max(one.step for one in tree) + 1
    points = Points(
        np.array([tree[n].step + 1.0 for n in order]),
        np.array([float(height[n]) for n in order]),
        tuple(visible(tree[n].word) for n in order),
        tuple(about(result, n, same.get(n, ())) for n in order),
        tuple(_colour(tree[n], n in on_best) for n in order),
        tuple(tree[n].fate == "ended" for n in order),
        radius=4.0,
        acts=tuple(
            looking.act(
                take(request, tuple(tree[one].token for one in result.path(n)), tree[n].word)
            )
            for n in order
        ),
    )
    lines = tuple(
        _edge(tree, height, n, is_best=n in on_best)
        for n in reversed(order)
        if tree[n].parent is not None
    )
    drawn = set(order)
    joined = tuple(_joined(tree, height, n) for n in order if tree[n].same_as in drawn)
    remark = [_("Thick: the best text. Dotted: pruned. Square: ended.")]
    if joined:
        remark.append(_("Dashed: the same text in other pieces."))
    if len(order) < len(tree):
        remark.append(_("{some} of {all} tokens are drawn.", some=len(order), all=len(tree)))
    said = _("{beams} continuations at most at each step", beams=deepest)
    return ChartBlock(
        (
            Chart(
                _("Beams"),
                _(MEANING),
                (*lines, *joined, points),
                Axis(_("Step"), 0.5, last + 0.5, whole=True),
                Axis(
                    low=-deepest - 0.7,
                    high=-0.3,
                    ticks=(-1.0,),
                    words=("",),
                ),
                remark=" ".join(remark),
                height=max(140.0, ROW * deepest),
                spoken=f"{said}. {_(MEANING)}",
            ),
        ),
    )


def about(result: ContinuationResult, number: int, others: Sequence[int] = ()) -> str:
    """What is said of a token of the tree.

    Args:
        result: With the tree.
        number: The token's.
        others: All tokens with which the same text ends, where there are several.
    """
    one = result.tree[number]
    text = isolated(" ".join(result.tree[n].word for n in result.path(number)))
    said = [
        _("“{word}” {share}", word=one.word, share=in_digits(one.probability)),
        text,
        _("Log-probability {value} nats", value=significant(one.log_probability, 4)),
    ]
    if one.score is not None:
        said.append(_("Score {value}", value=significant(one.score, 4)))
    if others:
        said.append(
            ngettext(
                "{count} other branch ends in the same text by other pieces: together {share}.",
                "{count} other branches end in the same text by other pieces: together {share}.",
                len(others) - 1,
                share=in_digits(exp(together(result.tree, others))),
            )
        )
    return "\n".join([*said, _(FATES[one.fate])])


def _colour(one: BeamToken, is_best: bool) -> str:
    if is_best:
        return "bar_original"
    return {"kept": "bar", "ended": "bar_second"}.get(one.fate, "muted")


def _joined(tree: tuple[BeamToken, ...], height: dict[int, int], number: int) -> Line:
    """Between two branches that end in the same text."""
    same = tree[number].same_as
    assert same is not None
    ends = sorted((tree[n].step + 1.0, float(height[n])) for n in (number, same))
    x, y = np.array(ends).T
    return Line("", x, y, "pair", dash="dash", width=1.4, marked=False)


def _edge(
    tree: tuple[BeamToken, ...], height: dict[int, int], number: int, *, is_best: bool
) -> Line:
    one = tree[number]
    assert one.parent is not None
    pruned = one.fate == "pruned"
    return Line(
        "",
        np.array([one.step, one.step + 1.0]),
        np.array([float(height[one.parent]), float(height[number])]),
        _colour(one, is_best),
        dash="dot" if pruned else "solid",
        width=3.0 if is_best else 1.0 if pruned else 1.6,
        marked=False,
    )
