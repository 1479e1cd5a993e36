"""A model's weights from its blueprint alone, by formulas, so that a slider answers at once.

The same weights as transformers makes, under simple names; each layout is compared with
transformers' own models, part by part, in the tests.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from explorer.anatomy.weights import Weight
from explorer.api.blueprint import Blueprint

Weights = Iterator[Weight]


class Sets(NamedTuple):
    """How many sets of a weight are kept, and how often one of them is used."""

    copies: int = 1
    places: int = 1


ONCE = Sets()


def weights_of(blueprint: Blueprint) -> tuple[Weight, ...]:
    """Every weight of the model a blueprint describes.

    Raises:
        KeyError: There are no formulas for its layout.
    """
    return tuple(LAYOUTS[blueprint.layout](blueprint))


def with_sharing(blueprint: Blueprint, sharing: str) -> Blueprint:
    """Layers that share "none", "attention", "feed_forward" or "all" of their weights."""
    attention = 1 if sharing in {"attention", "all"} else blueprint.layers
    feed_forward = 1 if sharing in {"feed_forward", "all"} else blueprint.layers
    return replace(blueprint, attention_sets=attention, feed_forward_sets=feed_forward)


def sharing_of(blueprint: Blueprint) -> str:
    """What with_sharing would have been told."""
    if blueprint.shared_attention:
        return "all" if blueprint.shared_feed_forward else "attention"
    return "feed_forward" if blueprint.shared_feed_forward else "none"


# ---- pieces that layouts are made of ---------------------------------------------------------


def _table(name: str, rows: int, width: int) -> Weights:
    if rows:
        yield Weight(name, (rows, width), "embedding", "embedding", lookup=True, gives=width)


def _norm(name: str, width: int, section: str, *, bias: bool = True, sets: Sets = ONCE) -> Weights:
    kind = "head" if section == "head" else "norm"
    yield Weight(
        f"{name}.weight",
        (width,),
        kind,
        section,
        gives=width,
        copies=sets.copies,
        places=sets.places,
    )
    if bias:
        yield Weight(
            f"{name}.bias", (width,), kind, section, copies=sets.copies, places=sets.places
        )


def _linear(
    name: str, out: int, into: int, kind: str, section: str, *, bias: bool = True, sets: Sets = ONCE
) -> Weights:
    """A weight (out x into) and its bias."""
    tokens = section != "head" or name.startswith("lm")
    yield Weight(
        f"{name}.weight",
        (out, into),
        kind,
        section,
        tokens=tokens,
        gives=out,
        copies=sets.copies,
        places=sets.places,
    )
    if bias:
        yield Weight(f"{name}.bias", (out,), kind, section, copies=sets.copies, places=sets.places)


def _stored(blueprint: Blueprint, sets: int) -> Sets:
    """How many sets of weights a stack of layers keeps, and how often one is used."""
    return Sets(sets or blueprint.layers, blueprint.layers)


def _output(blueprint: Blueprint, table: str) -> Weights:
    """The matrix from the embedding's width to the vocabulary, tied or not."""
    shape = (blueprint.vocabulary, blueprint.embedding_size)
    tied = table if blueprint.tied else ""
    yield Weight("lm.decoder.weight", shape, "head", "head", tied=tied, gives=shape[0])


def _vocabulary_head(blueprint: Blueprint) -> Weights:
    """BERT's masked-LM head: dense, norm, the tied matrix, a bias."""
    width, inner = blueprint.hidden_size, blueprint.embedding_size
    yield from _linear("lm.dense", inner, width, "head", "head")
    yield from _norm("lm.norm", inner, "head")
    yield from _output(blueprint, "embeddings.word")
    yield Weight("lm.bias", (blueprint.vocabulary,), "head", "head")


def _pooler(blueprint: Blueprint) -> Weights:
    if blueprint.pooler:
        width = blueprint.hidden_size
        yield from _linear("pooler", width, width, "head", "head")


def _pair_head(blueprint: Blueprint) -> Weights:
    """Next sentence or sentence order: two scores."""
    if {"next_sentence", "sentence_order"} & set(blueprint.heads_present):
        yield from _linear("pair", 2, blueprint.hidden_size, "head", "head")


def _replaced_head(blueprint: Blueprint) -> Weights:
    """ELECTRA's discriminator: dense, then one score a token."""
    if "replaced_token" in blueprint.heads_present:
        width = blueprint.hidden_size
        yield from _linear("lm.detect.dense", width, width, "head", "head")
        yield from _linear("lm.detect.score", 1, width, "head", "head")


def _input(blueprint: Blueprint) -> Weights:
    """Tables that are added up, their norm, and the way to the layers' width."""
    inner, width = blueprint.embedding_size, blueprint.hidden_size
    yield from _table("embeddings.word", blueprint.vocabulary, inner)
    yield from _table("embeddings.position", blueprint.positions, inner)
    yield from _table("embeddings.type", blueprint.token_types, inner)
    yield from _table("embeddings.extra", blueprint.extra_embeddings, inner)
    if not blueprint.norm_first:
        yield from _norm("embeddings.norm", inner, "embedding")
    # ALBERT has the projection even where both widths are the same.
    if inner != width or blueprint.variant == "albert":
        yield from _linear("embeddings.project", width, inner, "projection", "embedding")


def _self_attention(blueprint: Blueprint, prefix: str, section: str, sets: Sets = ONCE) -> Weights:
    width, inner = blueprint.hidden_size, blueprint.heads * blueprint.head_size
    for name in ("query", "key", "value"):
        # DeBERTa's first version gives its keys no bias.
        bias = blueprint.biases and not (name == "key" and blueprint.variant == "v1")
        yield from _linear(
            f"{prefix}.{name}", inner, width, "attention", section, bias=bias, sets=sets
        )
    yield from _linear(
        f"{prefix}.output", width, inner, "attention", section, bias=blueprint.biases, sets=sets
    )


def _feed_forward(blueprint: Blueprint, prefix: str, sets: Sets = ONCE) -> Weights:
    width, inner = blueprint.hidden_size, blueprint.feed_forward_size
    for name in ("in", "gate") if blueprint.gated else ("in",):
        yield from _linear(
            f"{prefix}.{name}",
            inner,
            width,
            "feed_forward",
            "backbone",
            bias=blueprint.biases,
            sets=sets,
        )
    yield from _linear(
        f"{prefix}.out", width, inner, "feed_forward", "backbone", bias=blueprint.biases, sets=sets
    )


def _layers(blueprint: Blueprint) -> Weights:
    """Attention, feed-forward, and a norm each."""
    attention = _stored(blueprint, blueprint.attention_sets)
    feed_forward = _stored(blueprint, blueprint.feed_forward_sets)
    width = blueprint.hidden_size
    yield from _self_attention(blueprint, "layer.*.attention", "backbone", sets=attention)
    yield from _norm("layer.*.attention.norm", width, "backbone", sets=attention)
    yield from _feed_forward(blueprint, "layer.*.feed_forward", sets=feed_forward)
    yield from _norm("layer.*.feed_forward.norm", width, "backbone", sets=feed_forward)


# ---- layouts ---------------------------------------------------------------------------------


def _bert(blueprint: Blueprint) -> Weights:
    """BERT and what has its shape: RoBERTa, ALBERT, ELECTRA, ERNIE, DistilBERT, TinyBERT."""
    yield from _input(blueprint)
    yield from _layers(blueprint)
    yield from _pooler(blueprint)
    if "masked_lm" in blueprint.heads_present:
        if blueprint.variant == "electra":
            yield from _linear(
                "lm.dense", blueprint.embedding_size, blueprint.hidden_size, "head", "head"
            )
            yield from _norm("lm.norm", blueprint.embedding_size, "head")
            yield from _output(blueprint, "embeddings.word")
            yield Weight("lm.bias", (blueprint.vocabulary,), "head", "head")
        else:
            yield from _vocabulary_head(blueprint)
    yield from _pair_head(blueprint)
    yield from _replaced_head(blueprint)


def _gpt(blueprint: Blueprint) -> Weights:
    """GPT-1, GPT-2, GPT-3: no norm at the input, one after the last layer from GPT-2 on."""
    yield from _table("embeddings.word", blueprint.vocabulary, blueprint.embedding_size)
    yield from _table("embeddings.position", blueprint.positions, blueprint.embedding_size)
    yield from _layers(blueprint)
    if blueprint.norm_first:
        yield from _norm("norm", blueprint.hidden_size, "backbone")
    if "next_token" in blueprint.heads_present:
        yield from _output(blueprint, "embeddings.word")


def _t5(blueprint: Blueprint) -> Weights:
    """T5: two stacks without biases, relative positions in the first layer of each."""
    table = "embeddings.word"
    stacks = {"encoder": blueprint.layers, "decoder": blueprint.decoder_layers}
    uses = sum(layers > 0 for layers in stacks.values())
    yield Weight(
        table,
        (blueprint.vocabulary, blueprint.embedding_size),
        "embedding",
        "embedding",
        places=uses,
        lookup=True,
        gives=blueprint.embedding_size,
    )
    width = blueprint.hidden_size
    for stack, layers in stacks.items():
        if not layers:
            continue
        here = replace(blueprint, layers=layers)
        more = Sets(layers, layers)
        yield Weight(
            f"{stack}.relative",
            (blueprint.relative_positions, blueprint.heads),
            "attention",
            "backbone",
            lookup=True,
        )
        attentions = ["self", "cross"] if stack == "decoder" else ["self"]
        for name in attentions:
            yield from _self_attention(here, f"{stack}.layer.*.{name}", "backbone", sets=more)
            yield from _norm(
                f"{stack}.layer.*.{name}.norm", width, "backbone", bias=False, sets=more
            )
        yield from _feed_forward(here, f"{stack}.layer.*.feed_forward", sets=more)
        yield from _norm(f"{stack}.layer.*.norm", width, "backbone", bias=False, sets=more)
        yield from _norm(f"{stack}.norm", width, "backbone", bias=False)
    if "spans" in blueprint.heads_present:
        yield from _output(blueprint, table)


def _mobilebert(blueprint: Blueprint) -> Weights:
    """MobileBERT: narrow inside, wide between the blocks; IB-BERT the other way round."""
    wide, inside = blueprint.hidden_size, blueprint.bottleneck_size
    narrow, more = blueprint.embedding_size, _stored(blueprint, 0)
    yield from _table("embeddings.word", blueprint.vocabulary, narrow)
    yield from _table("embeddings.position", blueprint.positions, wide)
    yield from _table("embeddings.type", blueprint.token_types, wide)
    # A piece, the one before and the one behind: three embeddings side by side.
    yield from _linear("embeddings.project", wide, 3 * narrow, "projection", "embedding")
    yield from _norm("embeddings.norm", wide, "embedding")
    teacher = blueprint.variant == "ib"
    for name in ("input",) if teacher else ("input", "attention"):
        yield from _linear(
            f"layer.*.bottleneck.{name}", inside, wide, "projection", "backbone", sets=more
        )
        yield from _norm(f"layer.*.bottleneck.{name}.norm", inside, "backbone", sets=more)
    for name in ("query", "key"):
        yield from _linear(
            f"layer.*.attention.{name}",
            inside,
            wide if teacher else inside,
            "attention",
            "backbone",
            sets=more,
        )
    yield from _linear("layer.*.attention.value", inside, wide, "attention", "backbone", sets=more)
    yield from _linear(
        "layer.*.attention.output", inside, inside, "attention", "backbone", sets=more
    )
    yield from _norm("layer.*.attention.norm", inside, "backbone", sets=more)
    stacked = Sets(more.copies * blueprint.feed_forwards, more.places * blueprint.feed_forwards)
    within = replace(blueprint, hidden_size=inside)
    yield from _feed_forward(within, "layer.*.feed_forward.*", sets=stacked)
    yield from _norm("layer.*.feed_forward.*.norm", inside, "backbone", sets=stacked)
    yield from _linear(
        "layer.*.bottleneck.output", wide, inside, "projection", "backbone", sets=more
    )
    yield from _norm("layer.*.bottleneck.output.norm", wide, "backbone", sets=more)
    yield from _pooler(blueprint)
    if "masked_lm" in blueprint.heads_present:
        yield from _linear("lm.dense", wide, wide, "head", "head")
        yield from _norm("lm.norm", wide, "head")
        yield from _output(blueprint, "embeddings.word")
        rest = (wide - narrow, blueprint.vocabulary)
        yield Weight("lm.rest.weight", rest, "head", "head")
        yield Weight("lm.bias", (blueprint.vocabulary,), "head", "head")
    yield from _pair_head(blueprint)


def _deberta(blueprint: Blueprint) -> Weights:
    """DeBERTa: relative positions with projections of their own (v1) or the content's (v2, v3)."""
    width, more = blueprint.hidden_size, _stored(blueprint, blueprint.attention_sets)
    yield from _table("embeddings.word", blueprint.vocabulary, blueprint.embedding_size)
    if blueprint.positions:
        # The enhanced mask decoder's: added to its queries, once a token.
        positions = (blueprint.positions, width)
        yield Weight(
            "embeddings.position", positions, "embedding", "embedding", lookup=True, gives=width
        )
    yield from _table("embeddings.type", blueprint.token_types, blueprint.embedding_size)
    yield from _norm("embeddings.norm", width, "embedding")
    yield from _layers(blueprint)
    relative = (blueprint.relative_positions, width)
    yield Weight("relative", relative, "embedding", "backbone", lookup=True)
    if blueprint.variant == "v1":
        for name in ("content_to_position", "position_to_content"):
            yield Weight(
                f"layer.*.attention.{name}.weight",
                (width, width),
                "attention",
                "backbone",
                tokens=False,
                copies=more.copies,
                places=more.places,
            )
        bias = "layer.*.attention.position_to_content.bias"
        yield Weight(bias, (width,), "attention", "backbone", more.copies, more.places)
    else:
        for name in ("weight", "bias"):
            yield Weight(f"relative.norm.{name}", (width,), "norm", "backbone", tokens=False)
    if blueprint.variant == "v2":
        yield Weight("conv.weight", (width, width, 3), "projection", "backbone", gives=width)
        yield Weight("conv.bias", (width,), "projection", "backbone")
        yield from _norm("conv.norm", width, "backbone")
    if "masked_lm" in blueprint.heads_present:
        yield from _vocabulary_head(blueprint)
    if "replaced_token" in blueprint.heads_present:
        yield from _linear("lm.detect.dense", width, width, "head", "head")
        yield from _norm("lm.detect.norm", width, "head")
        yield from _linear("lm.detect.score", 1, width, "head", "head")


def _xlm(blueprint: Blueprint) -> Weights:
    """XLM: BERT's layers, languages beside positions, and a head that is the tied matrix alone."""
    yield from _input(blueprint)
    yield from _layers(blueprint)
    if "masked_lm" in blueprint.heads_present:
        yield from _output(blueprint, "embeddings.word")
        yield Weight("lm.bias", (blueprint.vocabulary,), "head", "head")


LAYOUTS: Mapping[str, Callable[[Blueprint], Weights]] = MappingProxyType(
    {
        "bert": _bert,
        "gpt": _gpt,
        "t5": _t5,
        "mobilebert": _mobilebert,
        "deberta": _deberta,
        "xlm": _xlm,
    }
)
"""The formulas by layout."""
