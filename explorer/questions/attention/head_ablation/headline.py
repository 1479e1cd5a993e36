"""What to look at first: the head that matters most, or the word that its absence moves most."""

import math

import numpy as np

from explorer.api.question import Headline, alone, largest_cell, stands_out
from explorer.api.question.parts.predictions.changes import MaskChange, WordChange
from explorer.questions.attention.head_ablation.question import HeadAblationResult
from explorer.text import N_, NN_, Phrase
from explorer.text.formatting.numbers import decimal
from explorer.text.formatting.probabilities import in_percent
from explorer.text.phrase import NOTHING
from explorer.text.pieces import word_or_piece

SMALL = 0.05
"""Nats that a head alone changes, or shares, that do not stand out."""


def headline(result: HeadAblationResult) -> Headline:
    """Of all heads alone where that was measured, else of those that are off."""
    if result.effects:
        return _of_heads(result)
    if result.changes.masks:
        return _of_words(result)
    before, after = result.changes.replaced_before, result.changes.replaced_after
    if before is None or after is None:
        return Headline(NOTHING)
    if not result.off:
        return Headline()
    place = int(abs(after - before).argmax())
    sentence = Phrase(
        NN_(
            "With {count} head off, the verdict on “{word}” moves most: the chance that it was "
            "replaced goes from {before} to {after}.",
            "With {count} heads off, the verdict on “{word}” moves most: the chance that it "
            "was replaced goes from {before} to {after}.",
        ),
        count=len(result.off),
        word=alone(result.tokens[place]),
        before=in_percent(float(before[place])),
        after=in_percent(float(after[place])),
    )
    return Headline(sentence, place)


def _of_heads(result: HeadAblationResult) -> Headline:
    stack = max(result.effects, key=lambda one: float(np.nanmax(abs(one.values))))
    layer, head = largest_cell(abs(stack.values))
    change = float(stack.values[layer, head])
    if not stands_out(abs(stack.values), (layer, head)):
        return Headline()
    values = {"layer": str(layer), "head": str(head)}
    masks = result.changes.masks
    if not masks:
        values |= {"share": in_percent(abs(change))}
        sentence = Phrase(
            N_(
                "Layer {layer}, head {head} matters most: without it alone, the verdicts move "
                "by {share} on average."
            ),
            **values,
        )
        return Headline(sentence)
    word = _measured(masks[0])
    if len(masks) > 1 or word is None or not word.before:
        values |= {"nats": decimal(abs(change), 2)}
        sentence = Phrase(
            N_(
                "Layer {layer}, head {head} matters most: without it alone, the words' "
                "log-probabilities change by {nats} nats on average."
            ),
            **values,
        )
        return Headline(sentence)
    values |= {
        "word": word_or_piece(word),
        "before": in_percent(word.before),
        "after": in_percent(min(1.0, word.before * math.exp(change))),
    }
    if abs(change) < SMALL:
        return Headline()
    if change < 0:
        sentence = Phrase(
            N_(
                "Without layer {layer}, head {head}, “{word}” falls from {before} to {after}: "
                "no other head matters as much."
            ),
            **values,
        )
    else:
        sentence = Phrase(
            N_(
                "Without layer {layer}, head {head}, “{word}” rises from {before} to {after}: "
                "no other head matters as much."
            ),
            **values,
        )
    return Headline(sentence, masks[0].position)


def _measured(mask: MaskChange) -> WordChange | None:
    """The word that heads are measured by: what stood there, else the most probable before."""
    return next((one for one in mask.words if one.is_original), mask.best[0])


def _of_words(result: HeadAblationResult) -> Headline:
    if not result.off or result.changes.most_moved is None:
        return Headline(NOTHING)
    mask, word = result.changes.most_moved
    values = {
        "word": word_or_piece(word),
        "position": str(mask.position),
        "before": in_percent(word.before or 0.0),
        "after": in_percent(word.after or 0.0),
    }
    if abs(word.change or 0.0) < SMALL:
        return Headline()
    code = NN_(
        "With {count} head off, “{word}” at position {position} changes most, from "
        "{before} to {after}.",
        "With {count} heads off, “{word}” at position {position} changes most, from "
        "{before} to {after}.",
    )
    return Headline(Phrase(code, count=len(result.off), **values), mask.position)
