"""The heads of a picture: what stands on top of the layers."""

from collections.abc import Iterator

from explorer.api.family import Blueprint, Role
from explorer.architecture.shapes import (
    Arrow,
    Fork,
    Item,
    Shape,
    states,
)
from explorer.text import _


def above(blueprint: Blueprint) -> Iterator[Item]:
    """The heads; several stand side by side, for each starts from the same states."""
    branches = [tuple(one) for one in (_tokens(blueprint), *(part(blueprint) for part in BESIDE))]
    branches = [one for one in branches if one]
    if len(branches) > 1:
        yield Fork(tuple(branches))
    else:
        for branch in branches:
            yield from branch


def _tokens(blueprint: Blueprint) -> Iterator[Shape | Arrow]:
    """From states to a score for every piece."""
    width, inner = blueprint.hidden_size, blueprint.embedding_size
    present = set(blueprint.heads_present)
    if not present & {"masked_lm", "next_token", "spans"}:
        return
    if blueprint.decoder_positions:
        yield Shape(
            "decoder",
            _("last layer, twice more"),
            low=width,
            high=width,
            roles=(Role.POSITIONS,),
            where="head",
        )
        yield states(width)
    if "masked_lm" in present and blueprint.head_dense:
        yield Shape(
            "dense",
            _("dense, norm"),
            low=width,
            high=inner,
            roles=(Role.TOKENS,),
            where="head",
        )
        yield states(inner)
    tied = _("the token embeddings") if blueprint.tied else _("its own matrix")
    yield Shape(
        "matrix",
        tied,
        low=inner,
        high=blueprint.vocabulary,
        roles=(Role.OUTPUT_MATRIX,),
        where="head",
    )
    yield Arrow(f"n × {blueprint.vocabulary:,}")
    yield Shape("output", _("scores over the vocabulary"))


def _replaced(blueprint: Blueprint) -> Iterator[Shape | Arrow]:
    """From states to whether each token was replaced."""
    if "replaced_token" not in blueprint.heads_present:
        return
    width = blueprint.hidden_size
    words = _("dense {width}, then 1", width=width)
    roles = (Role.REPLACED,)
    yield Shape("score", words, low=width, high=1, roles=roles, where="replaced")
    yield Arrow("n × 1")
    yield Shape("output", _("replaced or not"))


def _span(blueprint: Blueprint) -> Iterator[Shape | Arrow]:
    """From the two states beside a span to the words in it."""
    if "span_boundary" in blueprint.heads_present:
        roles = (Role.TRAINING,)
        words, width = _("the two next to a span"), blueprint.hidden_size
        yield Shape("score", words, low=width, high=width, roles=roles, where="span")
        yield Arrow()
        yield Shape("output", _("each word in it"))


def _pair(blueprint: Blueprint) -> Iterator[Shape | Arrow]:
    """From the first token's state to what is said of the text as a whole."""
    pairs = {
        "next_sentence": _("next sentence?"),
        "sentence_order": _("right order?"),
        "classifier": _("a label of the text"),
        "multiple_choice": _("a score for each choice"),
    }
    said = [words for head, words in pairs.items() if head in blueprint.heads_present]
    if not said and not blueprint.pooler:
        return
    words = _("first token: pooler") if blueprint.pooler else _("first token")
    roles = (Role.POOLER, Role.PAIR, Role.CLASSES)
    yield Shape("score", words, low=blueprint.hidden_size, high=2, roles=roles)
    if said:
        scores = {"classifier": "", "multiple_choice": "1"}
        yield Arrow(next((n for one, n in scores.items() if one in blueprint.heads_present), "2"))
        yield Shape("output", said[0])


def _task(blueprint: Blueprint) -> Iterator[Shape | Arrow]:
    """From every state to scores of a task: where an answer begins and ends, or labels."""
    width, present = blueprint.hidden_size, set(blueprint.heads_present)
    if present & {"span_extractor", "span_beam"}:
        yield Shape("score", _("dense"), low=width, high=2, roles=(Role.ANSWERS,))
        yield Arrow("n x 2")
        yield Shape("output", _("an answer’s start and end"))
    elif "token_classifier" in present:
        yield Shape("score", _("dense"), low=width, high=2, roles=(Role.CLASSES,))
        yield Arrow("")
        yield Shape("output", _("a label for each token"))


BESIDE = (_replaced, _span, _pair, _task)
"""Heads that may stand beside the one that scores every piece."""
