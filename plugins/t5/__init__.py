"""T5 (Raffel et al. 2020): an encoder and a decoder that fills in spans."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from explorer.api.family import (
    ActivationPatching,
    AttentionModules,
    Attentions,
    BidirectionalPredictor,
    Blueprint,
    CausalLM,
    Encoded,
    Files,
    GenerativeQA,
    InputEmbeddings,
    LayerReadout,
    LayerTrace,
    LoadedModel,
    LogitParts,
    Mask,
    PairClassifier,
    Predictor,
    Role,
    SpanExtractor,
    SpanPredictor,
    StepwisePass,
    Trait,
)
from explorer.hf import (
    ANSWER_SPANS,
    TOKEN_CLASSES,
    AttentionKind,
    AttentionLayout,
    AttentionStack,
    ClassChoice,
    DecoderNextTokens,
    HeadSpec,
    LaidOutAnswers,
    StreamStack,
    TransformersFamily,
    config_number,
    patch_ports,
    text_classifier,
)
from explorer.text import N_, Phrase

from .encoding import encode_spans, is_sentinel
from .patches import two_stacks
from .predictor import SentinelPredictor
from .readout import DecoderReadout

TRAINED_LENGTH = 512
"""Tokens of a text in training; relative positions set no limit of their own."""

SPANS = HeadSpec(
    name="spans",
    title=N_("Span filling"),
    tensors=("decoder.final_layer_norm.weight", "decoder.block.0.layer.1.EncDecAttention.q.weight"),
    tied={"lm_head.weight": "shared.weight"},
    modules=("decoder.", "lm_head."),
    ports=(
        Predictor,
        BidirectionalPredictor,
        SpanPredictor,
        CausalLM,
        GenerativeQA,
        LayerReadout,
        ActivationPatching,
        LogitParts,
    ),
)

CLASSIFIER = text_classifier("classification_head.dense", "classification_head.out_proj")
WRAPPED = "transformer."
"""Before the names of both stacks in the classes for texts' and tokens' labels."""

DECODES = frozenset({SPANS.name, CLASSIFIER.name, ANSWER_SPANS.name})
"""Heads whose classes have a decoder."""
UNREAD = frozenset({Attentions, AttentionModules, InputEmbeddings, StepwisePass})
"""What is not had of a class whose decoder reads the text itself over again, and writes nothing."""
ECHOES = N_("The decoder of this class writes nothing: it reads the text a second time.")


@dataclass(frozen=True)
class T5Family(TransformersFamily):
    """Two stacks of layers, and spans instead of tokens."""

    def depth(self, config: Mapping[str, Any]) -> str:
        """As in "6 + 6"."""
        below, above = self._layers(config)
        return f"{below} + {above}" if below else ""

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """An encoder and a decoder without biases; positions are relative."""
        plain = super().blueprint(config, heads)
        below, above = self._layers(config)
        decodes = bool(DECODES & {*heads})
        gated = str(config.get("feed_forward_proj", "")).startswith("gated")
        traits = [
            Trait(
                "stack",
                Phrase(N_("encoder and decoder")),
                Phrase(
                    N_("The decoder looks back at itself and, by cross attention, at the encoder.")
                ),
            ),
            Trait(
                "attention",
                Phrase(N_("relative positions in buckets")),
                Phrase(
                    N_(
                        "A number for each head and distance is added to the scores; there are "
                        "no absolute positions (Raffel et al. 2020, section 2.1)."
                    )
                ),
            ),
            Trait(
                "block",
                Phrase(N_("no biases; norm without a shift")),
                Phrase(N_("Only scales are learned.")),
            ),
        ]
        if gated:
            gate = Trait(
                "feed_forward",
                Phrase(N_("gated feed-forward")),
                Phrase(N_("One half decides what passes.")),
            )
            traits.append(gate)
        return replace(
            plain,
            attention="relative",
            layers=below,
            decoder_layers=above if decodes else 0,
            head_size=config_number(config, "d_kv"),
            positions=0,
            relative_positions=config_number(config, "relative_attention_num_buckets"),
            cross_attention=decodes,
            gated=gated,
            biases=False,
            norm_first=True,
            pooler=False,
            traits=tuple(traits),
        )

    def skeleton(self, files: Files, heads: tuple[str, ...]) -> tuple[Any, Mapping[str, Any]]:
        """With an output matrix of its own where the config says so.

        transformers ties it in every T5 it makes, and finds out from the files that it was not.
        """
        module, config = super().skeleton(files, heads)
        if not config.get("tie_word_embeddings", True) and hasattr(module, "lm_head"):
            from torch import empty_like, nn

            module.lm_head.weight = nn.Parameter(empty_like(module.lm_head.weight))
        return module, config

    def size_keys(self, config: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        """Both stacks are as deep as each other."""
        return {**super().size_keys(config), "layers": ("num_layers", "num_decoder_layers")}

    def max_length(self, config: Mapping[str, Any]) -> int | None:
        """As long as the texts it was trained on."""
        return super().max_length(config) or TRAINED_LENGTH

    def parameters(self, files: Files) -> int:
        """Weights in the files; the embedding of both stacks is one."""
        tied = {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight"}
        if not any(name.endswith("shared.weight") for name in files.tensors):
            tied = {"decoder.embed_tokens.weight"}
        own = {n: t for n, t in files.tensors.items() if n.removeprefix(WRAPPED) not in tied}
        return super().parameters(replace(files, tensors=own))

    def encode(
        self,
        model: LoadedModel,
        text: str,
        pair: str | None = None,
        masks: Sequence[Mask] = (),
        *,
        languages: Sequence[str] = (),  # noqa: ARG002 - it is told none
        begin: bool = False,  # noqa: ARG002 - nothing begins its texts
    ) -> Encoded:
        """Sentinels stand where a masked model has its mask token."""
        return encode_spans(model, text, pair, masks)

    def offers(self, files: Files) -> frozenset[type]:
        """The layers of two stacks are not laid beside those of one, nor words traced by both."""
        offered = super().offers(files) - {LayerTrace}
        if {PairClassifier, SpanExtractor} & offered and Predictor not in offered:
            return offered - UNREAD
        return offered

    def ports(self, model: LoadedModel, present: set[str]) -> dict[type, Any]:
        """The decoder writes spans."""
        ports = super().ports(model, present)
        if SPANS.name in present:
            kinds = (Predictor, BidirectionalPredictor, SpanPredictor)
            predictor = SentinelPredictor(model)
            ports |= dict.fromkeys(kinds, predictor)
            ports[LayerReadout] = DecoderReadout(model, predictor)
            ports[CausalLM] = DecoderNextTokens(model, "T5")
            ports[GenerativeQA] = LaidOutAnswers(
                model, ports[CausalLM], partial(is_sentinel, model)
            )
        elif DECODES & present:
            for kind in UNREAD:
                ports.pop(kind, None)
            model.refused = {**model.refused, **dict.fromkeys(UNREAD - {InputEmbeddings}, ECHOES)}
        ports.pop(LayerTrace, None)
        return ports

    def layer_ports(self, model: LoadedModel) -> dict[type, Any]:
        """The states of both stacks can be put back."""
        ports = super().layer_ports(model)
        predictor = model.ports.get(SpanPredictor)
        if predictor is None:
            return ports
        stacks = self.stream_stacks(model.module)
        return ports | patch_ports(model, stacks, two_stacks(model, predictor))

    def attention_layout(self, module: Any) -> AttentionLayout:
        """The encoder may stand alone."""
        layout = super().attention_layout(module)
        return (
            layout
            if hasattr(stacks_of(module), "decoder")
            else replace(layout, stacks=layout.stacks[:1])
        )

    def reader(self, module: Any) -> Any:
        """The encoder; the decoder is run by the ports."""
        return stacks_of(module).encoder

    def plain_name(self, name: str) -> str:
        """Without what some classes put before both stacks."""
        return super().plain_name(name.removeprefix(WRAPPED))

    @property
    def class_stem(self) -> str:
        """As in T5ForQuestionAnswering."""
        return "T5"

    @staticmethod
    def _layers(config: Mapping[str, Any]) -> tuple[int, int]:
        below = int(config.get("num_layers") or 0)
        return below, int(config.get("num_decoder_layers") or below)


def stacks_of(module: Any) -> Any:
    """The part of a class that holds the stacks."""
    return getattr(module, WRAPPED.rstrip("."), module)


def decoder_layers(config: Any) -> int:
    """As many as the encoder's where the config does not say."""
    return int(config.num_decoder_layers or config.num_layers)


FAMILY = T5Family(
    id="t5",
    title="T5",
    model_types=("t5",),
    heads_known=(SPANS, CLASSIFIER, TOKEN_CLASSES, ANSWER_SPANS),
    classes=(
        ClassChoice("T5EncoderModel", frozenset()),
        ClassChoice("T5ForConditionalGeneration", frozenset({"spans"})),
    ),
    prefix="",
    embedding="shared.weight",
    optional=("lm_head.",),
    layers_key="num_layers",
    width_key="d_model",
    attention_heads_key="num_heads",
    length_key="n_positions",
    feed_forward_key="d_ff",
    attention=AttentionLayout(
        stacks=(
            AttentionStack(AttentionKind.ENCODER, "encoder.block.*.layer.0.SelfAttention"),
            AttentionStack(
                AttentionKind.DECODER, "decoder.block.*.layer.0.SelfAttention", decoder_layers
            ),
            AttentionStack(
                AttentionKind.CROSS, "decoder.block.*.layer.1.EncDecAttention", decoder_layers
            ),
        ),
        inside="",
        projections=("q", "k", "v"),
        output="o",
        scale=lambda _module, _width: 1.0,
        # Made in the first layer, and handed from layer to layer.
        bias_result=1,
    ),
    streams=(
        StreamStack(
            "encoder.block.*",
            ("encoder.block.*.layer.1.DenseReluDense",),
            kind=AttentionKind.ENCODER,
            neurons=("encoder.block.*.layer.1.DenseReluDense.wo",),
        ),
        StreamStack(
            "decoder.block.*",
            ("decoder.block.*.layer.2.DenseReluDense",),
            kind=AttentionKind.DECODER,
            neurons=("decoder.block.*.layer.2.DenseReluDense.wo",),
        ),
    ),
    roles=(
        ("lm_head.weight", Role.OUTPUT_MATRIX),
        ("classification_head", Role.CLASSES),
        ("classifier", Role.CLASSES),
        ("qa_outputs", Role.ANSWERS),
        ("shared", Role.PIECES),
        ("embed_tokens", Role.PIECES),
        ("relative_attention_bias", Role.DISTANCE_BIASES),
        ("EncDecAttention", Role.CROSS),
        ("SelfAttention.q", Role.QUERY),
        ("SelfAttention.k", Role.KEY),
        ("SelfAttention.v", Role.VALUE),
        ("SelfAttention.o", Role.ATTENTION_OUTPUT),
        ("layer.0.layer_norm", Role.ATTENTION_NORM),
        ("encoder.block.*.layer.1.layer_norm", Role.FEED_FORWARD_NORM),
        ("decoder.block.*.layer.1.layer_norm", Role.ATTENTION_NORM),
        ("decoder.block.*.layer.2.layer_norm", Role.FEED_FORWARD_NORM),
        ("layer_norm", Role.NORMS),
        ("final_layer_norm", Role.NORMS),
        ("wi_1", Role.GATE),
        ("wi", Role.FEED_FORWARD_IN),
        ("wi_0", Role.FEED_FORWARD_IN),
        ("wo", Role.FEED_FORWARD_OUT),
    ),
)
