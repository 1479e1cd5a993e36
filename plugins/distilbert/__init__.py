"""DistilBERT (Sanh et al. 2019): every other layer of BERT, taught by BERT's soft targets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.family import Blueprint, Role, Trait
from explorer.hf import (
    ANSWER_SPANS,
    BERT_NAMES,
    DISTILBERT_STREAM,
    FILLS,
    TOKEN_CLASSES,
    AttentionKind,
    AttentionLayout,
    AttentionStack,
    ClassChoice,
    HeadSpec,
    TransformersFamily,
    multiple_choice,
    text_classifier,
)
from explorer.text import N_, Phrase

MASKED_LM = HeadSpec(
    name="masked_lm",
    title=N_("Masked language model"),
    tensors=(
        "vocab_transform.weight",
        "vocab_transform.bias",
        "vocab_layer_norm.weight",
        "vocab_layer_norm.bias",
        "vocab_projector.bias",
    ),
    tied={"vocab_projector.weight": "embeddings.word_embeddings.weight"},
    modules=("vocab_transform.", "vocab_layer_norm.", "vocab_projector."),
    ports=FILLS,
)

CLASSIFIER = text_classifier("pre_classifier", "classifier")
CHOICE = multiple_choice("pre_classifier", "classifier")


@dataclass(frozen=True)
class DistilBertFamily(TransformersFamily):
    """DistilBERT's masked-LM head is four steps that its class keeps in its forward."""

    def masked_lm_head(self, module: Any) -> Callable[[Any], Any] | None:
        """Transform, activation, norm, projection to the vocabulary."""

        def head(hidden: Any) -> Any:
            transformed = module.activation(module.vocab_transform(hidden))
            return module.vocab_projector(module.vocab_layer_norm(transformed))

        return head

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """BERT's with half the layers, no token types and no pooler."""
        plain = super().blueprint(config, heads)
        return replace(
            plain,
            token_types=0,
            pooler=False,
            traits=(
                Trait(
                    "stack",
                    Phrase(N_("every other layer of its teacher")),
                    Phrase(
                        N_(
                            "BERT base has 12 layers, and it began as six of them (Sanh et al. "
                            "2019, section 3)."
                        )
                    ),
                ),
                Trait(
                    "embeddings",
                    Phrase(N_("no segments, no pooler")),
                    Phrase(N_("Both were taken out of BERT.")),
                ),
                *plain.traits,
            ),
        )


FAMILY = DistilBertFamily(
    id="distilbert",
    title="DistilBERT",
    model_types=("distilbert",),
    heads_known=(MASKED_LM, CLASSIFIER, CHOICE, TOKEN_CLASSES, ANSWER_SPANS),
    classes=(
        ClassChoice("DistilBertModel", frozenset()),
        ClassChoice("DistilBertForMaskedLM", frozenset({"masked_lm"})),
    ),
    prefix="distilbert",
    layers_key="n_layers",
    width_key="dim",
    attention_heads_key="n_heads",
    feed_forward_key="hidden_dim",
    attention=AttentionLayout(
        stacks=(AttentionStack(AttentionKind.ENCODER, "transformer.layer.*.attention"),),
        inside="",
        projections=("q_lin", "k_lin", "v_lin"),
        output="out_lin",
        tail="transformer.layer.*.sa_layer_norm",
    ),
    streams=(DISTILBERT_STREAM,),
    roles=(
        ("vocab_projector.weight", Role.OUTPUT_MATRIX),
        ("vocab_projector", Role.TOKENS),
        ("vocab_transform", Role.TOKENS),
        ("vocab_layer_norm", Role.TOKENS),
        ("pre_classifier", Role.CLASSES),
        ("attention.q_lin", Role.QUERY),
        ("attention.k_lin", Role.KEY),
        ("attention.v_lin", Role.VALUE),
        ("attention.out_lin", Role.ATTENTION_OUTPUT),
        ("sa_layer_norm", Role.ATTENTION_NORM),
        ("output_layer_norm", Role.FEED_FORWARD_NORM),
        ("ffn.lin1", Role.FEED_FORWARD_IN),
        ("ffn.lin2", Role.FEED_FORWARD_OUT),
        *BERT_NAMES,
    ),
)
