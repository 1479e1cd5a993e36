"""A model's architecture in numbers, read from its config alone."""

from dataclasses import dataclass

from explorer.text.phrase import NOTHING, Phrase


@dataclass(frozen=True)
class Trait:
    """What makes a family different, in words for the picture.

    Attributes:
        where: Where in the picture it belongs: "embeddings", "attention", "feed_forward", "block",
            "stack", "head", or one of the heads: "replaced", "span".
        words: A few words.
        why: One sentence.
    """

    where: str
    words: Phrase
    why: Phrase = NOTHING


@dataclass(frozen=True)
class Blueprint:
    """An architecture in numbers: what the picture shows.

    Attributes:
        vocabulary: Number of pieces.
        embedding_size: Width of a piece's embedding (E).
        hidden_size: Width of a hidden state (H).
        layers: In the encoder, or in the only stack; 0 where a plugin does not say.
        decoder_layers: In a decoder that looks at an encoder; 0 without one.
        heads: Attention heads in a layer.
        head_size: Width of one head.
        feed_forward_size: Inner width of a feed-forward network (F).
        feed_forwards: How many of them stand one after another in a layer.
        bottleneck_size: Width inside a layer where it is not H (MobileBERT); 0 otherwise.
        positions: Rows of the table of absolute positions; 0 without one.
        relative_positions: Rows of the table of relative positions; 0 without one.
        token_types: Rows of the table of token types; 0 without one.
        extra_embeddings: Rows of a further table that is added to the input.
        extra_name: What that table tells apart: "languages", "tasks".
        joined: Pieces whose embeddings are laid side by side before they are widened.
        widened: A matrix leads from the pieces' width to the layers'.
        decoder_positions: Absolute positions are added in the head, not to the input.
        attention_sets: How many layers have attention weights of their own; the others share.
        feed_forward_sets: The same of the feed-forward networks.
        attention: What a token sees, as the picture has it: "both", "before", "apart" (content
            and position apart), "relative".
        causal: A token sees only what stands before it.
        cross_attention: A decoder's layers look at the encoder's output.
        gated: The feed-forward networks have a gate.
        biases: The linear layers have biases.
        tied: The output matrix is the embedding matrix.
        norm_first: The norm stands before a sublayer, not behind it.
        final_norm: One more stands behind the last layer.
        pooler: A dense layer on the first token's last state.
        head_dense: A dense layer and a norm stand before the matrix that scores pieces.
        heads_present: Names of the heads ("masked_lm", ...).
        traits: What makes the family different.
    """

    vocabulary: int
    embedding_size: int
    hidden_size: int
    layers: int
    heads: int
    feed_forward_size: int
    head_size: int = 0
    decoder_layers: int = 0
    feed_forwards: int = 1
    bottleneck_size: int = 0
    positions: int = 0
    relative_positions: int = 0
    token_types: int = 0
    extra_embeddings: int = 0
    extra_name: str = ""
    joined: int = 1
    widened: bool = False
    decoder_positions: bool = False
    attention_sets: int = 0
    feed_forward_sets: int = 0
    attention: str = "both"
    causal: bool = False
    cross_attention: bool = False
    gated: bool = False
    biases: bool = True
    tied: bool = True
    norm_first: bool = False
    final_norm: bool = False
    pooler: bool = False
    head_dense: bool = True
    heads_present: tuple[str, ...] = ()
    traits: tuple[Trait, ...] = ()

    @property
    def has_other_layers(self) -> bool:
        """Its layers are no transformer's: nothing of them is counted by tokens or heads."""
        return self.layers > 0 and self.heads == 0

    @property
    def shared_attention(self) -> bool:
        """Layers share attention weights."""
        return 0 < self.attention_sets < self.layers

    @property
    def shared_feed_forward(self) -> bool:
        """Layers share feed-forward weights."""
        return 0 < self.feed_forward_sets < self.layers
