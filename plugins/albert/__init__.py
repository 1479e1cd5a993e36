"""ALBERT (Lan et al. 2020): one layer's weights for all layers, and narrow piece embeddings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.family import Blueprint, PairClassifier, Role, Trait
from explorer.hf import (
    ANSWER_SPANS,
    BERT_NAMES,
    FILLS,
    TOKEN_CLASSES,
    AttentionKind,
    AttentionLayout,
    AttentionStack,
    ClassChoice,
    HeadSpec,
    StreamStack,
    TransformersFamily,
    config_number,
    multiple_choice,
    text_classifier,
)
from explorer.text import N_, NN_, Phrase

MASKED_LM = HeadSpec(
    name="masked_lm",
    title=N_("Masked language model"),
    tensors=(
        "predictions.dense.weight",
        "predictions.dense.bias",
        "predictions.LayerNorm.weight",
        "predictions.LayerNorm.bias",
        "predictions.bias|predictions.decoder.bias",
    ),
    tied={
        "predictions.decoder.weight": "embeddings.word_embeddings.weight",
        "predictions.decoder.bias": "predictions.bias",
    },
    modules=("predictions.",),
    ports=FILLS,
)

SENTENCE_ORDER = HeadSpec(
    name="sentence_order",
    title=N_("Sentence order"),
    tensors=(
        "pooler.weight",
        "pooler.bias",
        "sop_classifier.classifier.weight",
        "sop_classifier.classifier.bias",
    ),
    modules=("sop_classifier.", "pooler."),
    ports=(PairClassifier,),
    path="sop_classifier",
)


CLASSIFIER = text_classifier("pooler", "classifier")
CHOICE = multiple_choice("pooler", "classifier")


@dataclass(frozen=True)
class AlbertFamily(TransformersFamily):
    """ALBERT says how wide its pieces are and how many sets of weights its layers share."""

    def architecture(self, config: Mapping[str, Any]) -> Phrase:
        """As in "ALBERT · ... · embeddings 128 wide · 12 layers share 1 set of weights"."""
        line = super().architecture(config)
        width = config.get("embedding_size")
        layers, _ = self.attention_shape(config)
        # A group of layers has as many sets as layers inside it; the groups differ.
        sets = int(config.get("num_hidden_groups", 1)) * int(config.get("inner_group_num", 1))
        if isinstance(width, int):
            line = Phrase(N_("{line} · embeddings {width} wide"), line=line, width=str(width))
        if layers:
            line = Phrase(
                NN_(
                    "{line} · {layers} layers share {count} set of weights",
                    "{line} · {layers} layers share {count} sets of weights",
                ),
                line=line,
                layers=layers,
                count=sets,
            )
        return line

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """BERT's, with a narrow table and layers that use one set of weights again and again."""
        plain = super().blueprint(config, heads)
        sets = config_number(config, "num_hidden_groups") or 1
        inner = config_number(config, "inner_group_num") or 1
        narrow, width = plain.embedding_size, plain.hidden_size
        return replace(
            plain,
            widened=True,
            layers=plain.layers * inner,
            attention_sets=sets * inner,
            feed_forward_sets=sets * inner,
            traits=(
                Trait(
                    "embeddings",
                    Phrase(
                        N_("factorised: V × {narrow}, then {narrow} × {width}"),
                        narrow=narrow,
                        width=width,
                    ),
                    Phrase(
                        N_(
                            "A narrow table and one matrix in place of a wide table (Lan et al. "
                            "2020, section 3.1)."
                        )
                    ),
                ),
                Trait(
                    "stack",
                    Phrase(N_("one set of weights, used {layers} times"), layers=plain.layers)
                    if sets * inner == 1
                    else Phrase(
                        N_("{count} sets of weights for {count_2} layers"),
                        count=sets * inner,
                        count_2=plain.layers * inner,
                    ),
                    Phrase(N_("Every layer is the same layer (Lan et al. 2020, section 3.1).")),
                ),
                *plain.traits[1:],
            ),
        )

    def layers_apart(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """A group of its own for each layer."""
        return {"num_hidden_groups": config_number(config, self.layers_key)}


def layers_of(config: Any, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """The layers that a place in a group of layers stands for (Lan et al. 2020, section 3.1)."""
    group, inner = numbers
    layers, groups = config.num_hidden_layers, config.num_hidden_groups
    return tuple(
        layer * config.inner_group_num + inner
        for layer in range(layers)
        if int(layer / (layers / groups)) == group
    )


FAMILY = AlbertFamily(
    id="albert",
    title="ALBERT",
    model_types=("albert",),
    heads_known=(MASKED_LM, SENTENCE_ORDER, CLASSIFIER, CHOICE, TOKEN_CLASSES, ANSWER_SPANS),
    classes=(
        ClassChoice("AlbertModel", frozenset()),
        ClassChoice("AlbertForMaskedLM", frozenset({"masked_lm"})),
        ClassChoice("AlbertForPreTraining", frozenset({"masked_lm", "sentence_order"})),
    ),
    prefix="albert",
    masked_lm_path="predictions",
    embedding_key="embedding_size",
    attention=AttentionLayout(
        stacks=(
            AttentionStack(
                AttentionKind.ENCODER,
                "albert_layer_groups.*.albert_layers.*.attention",
                lambda config: config.num_hidden_layers * config.inner_group_num,
            ),
        ),
        inside="",
        output="dense",
        shared=layers_of,
    ),
    streams=(
        StreamStack(
            "albert_layer_groups.*.albert_layers.*",
            ("albert_layer_groups.*.albert_layers.*.ffn_output",),
        ),
    ),
    roles=(
        ("predictions.decoder.weight", Role.OUTPUT_MATRIX),
        ("predictions", Role.TOKENS),
        ("sop_classifier", Role.PAIR),
        ("embedding_hidden_mapping_in", Role.WIDEN),
        ("attention.query", Role.QUERY),
        ("attention.key", Role.KEY),
        ("attention.value", Role.VALUE),
        ("attention.dense", Role.ATTENTION_OUTPUT),
        ("attention.LayerNorm", Role.ATTENTION_NORM),
        ("ffn", Role.FEED_FORWARD_IN),
        ("ffn_output", Role.FEED_FORWARD_OUT),
        ("full_layer_layer_norm", Role.FEED_FORWARD_NORM),
        *BERT_NAMES,
    ),
)
