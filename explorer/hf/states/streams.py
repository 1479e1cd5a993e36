"""Where a family's residual stream runs, as data: what its plugin says, like its attention."""

from dataclasses import dataclass, replace

from explorer.hf.attention.layout import AttentionKind


@dataclass(frozen=True)
class StreamStack:
    """One stack of layers; the defaults are BERT's.

    All paths are ends of paths from the whole module; "*" stands for a number, and the first
    number is the layer's where the family's attention does not say otherwise (`shared`).

    Attributes:
        layers: Modules that each give the stream behind a layer.
        feed_forward: Modules that each give what is added to the stream behind a layer's
            attention; several in one layer belong together.
        embeddings: The module that gives the stream before the first layer; "" where that is
            what the first layer is given.
        behind: A module that gives the stream behind the first layer in that layer's place, where
            there is one (DeBERTa v2's convolution); "" for none.
        dear: Modules that need not run again below a state that is put back; empty where it is
            the layers.
        attention: Modules that give what attention adds, where nobody says which projection
            stands behind its heads; "" for none.
        kind: Of the attention; None where the model has one kind.
        neurons: Linear modules whose inputs are the activations of the feed-forward neurons and
            whose outputs are what `feed_forward` gives; empty where `feed_forward` names them.
    """

    layers: str = "encoder.layer.*"
    feed_forward: tuple[str, ...] = ("encoder.layer.*.output.dense",)
    embeddings: str = ""
    behind: str = ""
    dear: tuple[str, ...] = ()
    attention: str = ""
    kind: AttentionKind | None = None
    neurons: tuple[str, ...] = ()


BERT_STREAM = StreamStack()
"""BERT's: what the feed-forward part of a layer gives is added to the stream."""

GPT_STREAM = StreamStack("h.*", ("h.*.mlp",), neurons=("h.*.mlp.c_proj",))
"""GPT's."""

DISTILBERT_STREAM = StreamStack(
    "transformer.layer.*",
    ("transformer.layer.*.ffn",),
    neurons=("transformer.layer.*.ffn.lin2",),
)
"""DistilBERT's."""

XLM_STREAM = StreamStack(
    "layer_norm2.*",
    ("ffns.*",),
    embeddings="layer_norm_emb",
    dear=("attentions.*", "ffns.*"),
    neurons=("ffns.*.lin2",),
)
"""XLM's, which keeps the parts of its layers in lists beside each other."""

MOBILEBERT_STREAM = replace(
    BERT_STREAM, feed_forward=("encoder.layer.*.ffn.*.output.dense", "encoder.layer.*.output.dense")
)
"""Several feed-forward networks in a row, inside the bottleneck."""
