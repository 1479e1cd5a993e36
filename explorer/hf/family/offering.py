"""Ports that any encoder of transformers has, and what is said where a port is missing."""

from collections.abc import Mapping, Sequence
from typing import Any

from explorer.api.family import (
    ActivationPatching,
    AttentionDecomposition,
    AttentionModules,
    Attentions,
    BidirectionalPredictor,
    BoundaryPredictor,
    CausalLM,
    Discriminator,
    EmbeddingMatrices,
    GenerativeQA,
    GraphReasoner,
    Head,
    HiddenStates,
    InputEmbeddings,
    Knowledge,
    LayerReadout,
    LayerTrace,
    LoadedModel,
    LogitParts,
    ModelStamp,
    MultipleChoice,
    Neurons,
    PairClassifier,
    Predictor,
    SpanExtractor,
    StepwisePass,
    TokenClassifier,
    Unavailable,
)
from explorer.api.ports import missing
from explorer.hf.attention.layout import AttentionLayout
from explorer.hf.attention.ports import DescribedAttention, EagerAttentions
from explorer.hf.family.specs import HeadSpec
from explorer.hf.predict.embeddings import TableEmbeddings
from explorer.hf.predict.passes.copies import BatchedForward
from explorer.hf.states.layers import EncoderLayers
from explorer.text import N_, Phrase

FILLS = (Predictor, BidirectionalPredictor, LayerReadout, ActivationPatching, LogitParts)
"""What a masked-LM head gives a model."""

HEADLESS = frozenset(
    {
        Attentions,
        AttentionModules,
        LayerTrace,
        EmbeddingMatrices,
        HiddenStates,
        StepwisePass,
        Neurons,
    }
)
"""What needs no head."""

TRACED = frozenset({Predictor, Discriminator, PairClassifier, TokenClassifier, SpanExtractor})
"""Ports whose answers can be had for any vectors: with one a model has `InputEmbeddings`."""

EVERY_PORT = frozenset(
    {
        *FILLS,
        *TRACED,
        GenerativeQA,
        BoundaryPredictor,
        InputEmbeddings,
        GraphReasoner,
        Knowledge,
        MultipleChoice,
        CausalLM,
        AttentionDecomposition,
        *HEADLESS,
    }
)
"""Ports that a question may ask for; a model says why it lacks one."""

NOT_THEIRS = missing.NOT_THEIRS
"""Why models of a family lack a port that none of its heads gives."""

IN_A_SENTENCE = (
    N_("answer span"),
    N_("answer span, the end by the start"),
    N_("fit to the teacher's width"),
    N_("multiple choice"),
    N_("relations of entities"),
    N_("sequence classifier"),
    N_("span filling"),
    N_("token classifier"),
)
"""Titles of heads as `why_missing` has them, where nothing else says them in small letters."""


def lost_where_loaded_so(stamp: ModelStamp) -> Mapping[type, str]:
    """Ports that read the layers' weights themselves, and why a model has none as it is loaded."""
    if stamp.is_offloaded:
        return {
            AttentionDecomposition: N_(
                "This takes the weights of layers apart, and some of this model's are not in "
                "memory: load it on one device."
            )
        }
    if stamp.is_quantised:
        return {
            AttentionDecomposition: N_(
                "This takes the weights of layers apart, and this model's are rounded and packed: "
                "load it as float32."
            )
        }
    return {}


def headless_ports(
    model: LoadedModel, layout: AttentionLayout
) -> tuple[dict[type, Any], dict[type, str]]:
    """The ports that need no head, and why those are missing that do not fit the module."""
    ports: dict[type, Any] = {Attentions: EagerAttentions(model, layout)}
    try:
        ports[AttentionModules] = DescribedAttention(model, layout)
    except Unavailable as error:
        return ports, dict.fromkeys((AttentionModules, LayerTrace), error.message)
    return {**ports, LayerTrace: EncoderLayers(model)}, {}


def embeddings_of(model: LoadedModel, reader: Any) -> dict[type, Any]:
    """What a model answers for other vectors than those of its pieces; nothing without a head.

    Args:
        model: With its other ports.
        reader: The stack that reads the text.
    """
    # A decoder that copies the text looks the pieces up once more: its words would stay.
    alone = not getattr(model.config, "is_encoder_decoder", False)
    traced: dict[type, BatchedForward] = {
        kind: port
        for kind in TRACED
        if isinstance(port := model.ports.get(kind), BatchedForward)
        and (alone or kind is Predictor)
    }
    if not traced:
        return {}
    return {InputEmbeddings: TableEmbeddings(model, reader.get_input_embeddings(), traced)}


def why_missing(port: type, known: Sequence[HeadSpec], heads: Sequence[Head], family: str) -> str:
    """Why a port is missing, in one line: a Phrase, or marked with `N_`.

    Args:
        port: Which.
        known: Heads that the family has.
        heads: Those of the checkpoint.
        family: Its title.
    """
    needed = [spec for spec in known if port in spec.ports]
    if not needed:
        return NOT_THEIRS.get(
            port, Phrase(N_("{family} models do not answer this."), family=family)
        )
    for head in heads:
        if head.name == needed[0].name and head.missing:
            return Phrase(
                N_("This checkpoint has no {head} head: {tensor} and others are missing.")
                if len(head.missing) > 1
                else N_("This checkpoint has no {head} head: {tensor} is missing."),
                head=Phrase(head.title.lower()),
                tensor=head.missing[0],
            )
    title = needed[0].title.lower()
    return Phrase(N_("This checkpoint has no {head} head."), head=Phrase(title))
