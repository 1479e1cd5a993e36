"""DeBERTa as a family: recognition, heads, and the decoder put where predictions need it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from explorer.api.family import (
    AttentionDecomposition,
    Blueprint,
    Context,
    Discriminator,
    Files,
    Head,
    LoadedModel,
    LoadOptions,
    LoadReport,
    ModelStamp,
    Recognition,
    Role,
    TensorNames,
    Trait,
)
from explorer.hf import (
    BERT_NAMES,
    FILLS,
    MASKED_LM,
    TASK_HEADS,
    AttentionLayout,
    FusedOrder,
    HeadSpec,
    StateRows,
    StreamStack,
    TransformersFamily,
    config_number,
    stored_weights,
)
from explorer.text import N_, Phrase

from .layouts import (
    PUBLISHED_HEAD,
    REPLACED_TOKEN_HEAD,
    TITLES,
    WORDS,
    Generation,
    HeadLayout,
    MaskedHead,
    generation_of,
    masked_head_of,
)
from .scores import DisentangledScores
from .tokenizers import as_the_authors_cut

REPLACED = "replaced_token"
NO_HEAD = MaskedHead(HeadLayout.ENHANCED, PUBLISHED_HEAD)

HEADS = (
    HeadSpec(
        name=MASKED_LM,
        title=TITLES[HeadLayout.ENHANCED],
        tensors=PUBLISHED_HEAD,
        tied={
            "cls.predictions.decoder.weight": WORDS,
            "cls.predictions.decoder.bias": "cls.predictions.bias",
        },
        modules=("lm_predictions.", "cls.predictions."),
        ports=FILLS,
    ),
    HeadSpec(
        name=REPLACED,
        title=N_("Replaced token"),
        tensors=REPLACED_TOKEN_HEAD,
        modules=("mask_predictions.",),
        path="mask_predictions",
        ports=(Discriminator,),
    ),
    *TASK_HEADS,
)

NAMES: TensorNames = (
    ("mask_predictions", Role.REPLACED),
    ("lm_predictions.lm_head.decoder.weight", Role.OUTPUT_MATRIX),
    ("lm_predictions", Role.TOKENS),
    ("embed_proj", Role.WIDEN),
    ("encoder.conv", Role.CONVOLUTION),
    ("encoder.rel_embeddings", Role.DISTANCES),
    ("encoder.LayerNorm", Role.DISTANCES),
    ("pos_proj", Role.DISTANCE_PROJECTIONS),
    ("pos_q_proj", Role.DISTANCE_PROJECTIONS),
    ("pos_key_proj", Role.DISTANCE_PROJECTIONS),
    ("pos_query_proj", Role.DISTANCE_PROJECTIONS),
    ("query_proj", Role.QUERY),
    ("key_proj", Role.KEY),
    ("value_proj", Role.VALUE),
    *BERT_NAMES,
)

V1_ATTENTION = AttentionLayout(
    projections=("in_proj",),
    fused=FusedOrder.BY_HEAD,
    biases=("q_bias", "", "v_bias"),
    scale=lambda module, width: float((width * (1 + len(module.pos_att_type))) ** -0.5),
    bias_method="disentangled_att_bias",
    # Its decoder's queries are exchanged behind the projection.
    method_reads=True,
)
V2_ATTENTION = AttentionLayout(
    projections=("query_proj", "key_proj", "value_proj"),
    scale=lambda module, width: float(
        (width * (1 + sum(part in module.pos_att_type for part in ("c2p", "p2c")))) ** -0.5
    ),
    bias_method="disentangled_attention_bias",
)
"""Of v2 and v3."""

NEVER_TRAINED = N_(
    "This checkpoint's masked-LM head was never trained: its norms are all one and its biases all "
    "zero, as they are when a head is made."
)


@dataclass(frozen=True)
class DebertaFamily(TransformersFamily):
    """DeBERTa v1 ("deberta"), v2 and v3 (both "deberta-v2").

    Attributes:
        v1: While a checkpoint is being loaded: whether it is v1.
        masked: While a checkpoint is being loaded: its masked-LM head.
    """

    id: str = "deberta"
    title: str = "DeBERTa"
    model_types: tuple[str, ...] = ("deberta", "deberta-v2")
    embedding_key: str = "embedding_size"
    roles: TensorNames = NAMES
    heads_known: tuple[HeadSpec, ...] = HEADS
    classes: tuple[Any, ...] = ()
    prefix: str = "deberta"
    # v2's convolution reads what the first layer reads, and gives the stream behind both.
    streams: tuple[StreamStack, ...] = (
        StreamStack(embeddings="embeddings", behind="encoder.conv"),
    )
    v1: bool = False
    masked: MaskedHead = NO_HEAD

    def recognise(self, files: Files) -> Recognition | None:
        """Claim a checkpoint, and say which DeBERTa it is and how that was decided."""
        model_type = files.config.get("model_type")
        if model_type not in self.model_types:
            return None
        names = self.tensor_names(files.tensors)
        _, evidence = generation_of(files.name, files.config, names)
        reasons = [Phrase(evidence, name=model_type)]
        masked = masked_head_of(files.config, names)
        if masked.present and masked.layout is HeadLayout.TRANSFORMERS:
            reasons.append(
                Phrase(
                    N_(
                        "Its masked-LM head is transformers' own (cls.predictions), which never "
                        "had the enhanced mask decoder."
                    )
                )
            )
        elif masked.present and names.issuperset(REPLACED_TOKEN_HEAD):
            reasons.append(
                Phrase(
                    N_(
                        "It is a discriminator, which v3 trains to find replaced tokens: its "
                        "masked-LM head is in the files, but may predict poorly."
                    )
                )
            )
        return Recognition(self.id, 90, Phrase.joined(reasons))

    def heads(self, files: Files) -> tuple[Head, ...]:
        """The masked-LM head of whichever layout, and the replaced-token head."""
        names = self.tensor_names(files.tensors)
        masked = masked_head_of(files.config, names)
        tasks = self.specs(files)
        if tasks[0].architecture:
            return super().heads(files)
        absent = tuple(name for name in REPLACED_TOKEN_HEAD if name not in names)
        return (
            Head(MASKED_LM, TITLES[masked.layout], masked.present, masked.missing),
            Head(REPLACED, HEADS[1].title, not absent, absent),
        )

    def title_of(self, config: Mapping[str, Any]) -> str:
        """With the generation."""
        generation, _ = generation_of("", config)
        return f"{self.title} {generation}"

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """BERT's layers with content and relative position apart."""
        plain = super().blueprint(config, heads)
        generation, _ = generation_of("", config)
        span = config_number(config, "position_buckets") or config_number(
            config, "max_relative_positions"
        )
        rows = 2 * (span or plain.positions)
        decoder = MASKED_LM in heads and not config.get("position_biased_input", True)
        return replace(
            plain,
            attention="apart",
            decoder_positions=decoder,
            positions=plain.positions if decoder or config.get("position_biased_input") else 0,
            relative_positions=rows,
            pooler=False,
            traits=traits_of(generation, rows, decoder=decoder, replaced=REPLACED in heads),
        )

    def heads_named(self, config: Mapping[str, Any]) -> tuple[str, ...]:
        """A config names no head of the authors'; all were trained on masked tokens first."""
        return super().heads_named(config) or (MASKED_LM,)

    @property
    def class_stem(self) -> str:
        """Version 1 has classes of its own."""
        return "Deberta" if self.v1 else "DebertaV2"

    def run_once(self, module: Any, ids: Any) -> None:
        """The encoder once, the decoder's two steps on top of it, and the heads."""
        from torch import ones_like

        from .modules import decoded

        # Without a mask transformers looks for padding among the pieces.
        mask = ones_like(ids)
        base = getattr(module, self.prefix, module)
        states = base(ids, attention_mask=mask, output_hidden_states=True).hidden_states
        if hasattr(module, "mask_predictions"):
            module.mask_predictions(states[-1])
        if hasattr(module, "cls") or hasattr(module, "lm_predictions"):
            places = getattr(base.embeddings, "position_embeddings", None)
            enhanced = places is not None and not module.config.position_biased_input
            read = decoded(module, states[-2], mask) if enhanced else states[-1]
            layout = HeadLayout.TRANSFORMERS if hasattr(module, "cls") else HeadLayout.ENHANCED
            head = replace(self, masked=MaskedHead(layout)).masked_lm_head(module)
            assert head is not None
            head(read)

    def companion_of(self, checkpoint_id: str) -> str:
        """v3's generator, or its discriminator."""
        if checkpoint_id.endswith("-generator"):
            return checkpoint_id.removesuffix("-generator")
        return f"{checkpoint_id}-generator"

    def used_again(self, heads: tuple[str, ...]) -> Mapping[str, str]:
        """The authors' head multiplies with the word embeddings, without a module for it."""
        if MASKED_LM not in heads:
            return {}
        return {"lm_predictions.lm_head.decoder.weight": f"deberta.{WORDS}"}

    def skeleton_class(self, config: Mapping[str, Any], heads: set[str]) -> Any:
        """The encoder with the authors' heads."""
        plain = config.get("position_biased_input", True)
        layout = HeadLayout.PLAIN if plain else HeadLayout.ENHANCED
        family = replace(self, v1=config.get("model_type") == "deberta", masked=MaskedHead(layout))
        return family.model_class(heads)

    def load(
        self, checkpoint_id: str, files: Files, options: LoadOptions, context: Context
    ) -> LoadedModel:
        """Load the encoder with the heads the files hold.

        Raises:
            UserMistake: The device or number type is not to be had; NeedsConsent for a pickle.
            CheckpointFault: The files are damaged or do not fit each other.
        """
        # PyTorch files from before 1.6 show their tensors only when they are read.
        names = self.tensor_names(files.tensors or stored_weights(files, options))
        family = replace(
            self,
            v1=files.config.get("model_type") == "deberta",
            masked=masked_head_of(files.config, names),
        )
        model = TransformersFamily.load(family, checkpoint_id, files, options, context)
        as_the_authors_cut(model.tokenizer, files.tokenizer_folder)
        return model

    def model_class(self, heads: set[str]) -> Any:
        """The encoder with these heads; the masked-LM head's layout is known from the files."""
        from .modules import model_class

        if heads & {spec.name for spec in TASK_HEADS}:
            return super().model_class(heads)
        layout = self.masked.layout if MASKED_LM in heads else None
        return model_class(self.v1, layout, REPLACED in heads)

    def finish(
        self,
        module: Any,
        tokenizer: Any,
        config: Any,
        heads: tuple[Head, ...],
        report: LoadReport,
        stamp: ModelStamp,
    ) -> LoadedModel:
        """Take out heads that were never trained, and say what each of the others reads."""
        import torch

        from .modules import never_trained

        # transformers keeps two of v1's biases as float32 whatever was asked for, and then fails.
        wanted = getattr(torch, stamp.computed_in)
        for weight in (*module.parameters(), *module.buffers()):
            # Not those on the disk, which are cast when they are fetched, nor those of few bits.
            if weight.is_floating_point() and not weight.is_meta and weight.dtype != wanted:
                weight.data = weight.data.to(wanted)
        family = self
        checked = []
        for head in heads:
            masked = head.name == MASKED_LM
            present = head.present and not (masked and self.masked.refusal)
            if (
                present
                and (masked or head.name == REPLACED)
                and never_trained(_module_of(module, head.name))
            ):
                present = False
                if masked:
                    family = replace(self, masked=replace(self.masked, refusal=NEVER_TRAINED))
            checked.append(replace(head, present=present))
        return TransformersFamily.finish(
            family, module, tokenizer, config, tuple(checked), report, stamp
        )

    def prediction_states(self, model: LoadedModel) -> Callable[..., Any]:
        """Through the enhanced mask decoder, where the head was trained with it."""
        from .modules import decoded_states

        if self.masked.layout is HeadLayout.ENHANCED:
            return partial(decoded_states, model.module)
        return super().prediction_states(model)

    def prediction_rows(self, model: LoadedModel, rows: StateRows) -> tuple[StateRows, int]:
        """The decoder's steps are rows of their own, where the head was trained with it."""
        from .modules import DECODER_STEPS, decoder_rows

        if self.masked.layout is HeadLayout.ENHANCED:
            return partial(decoder_rows, model.module), DECODER_STEPS
        return rows, 0

    def offers(self, files: Files) -> frozenset[type]:
        """Its attention is taken apart too, for which no head is needed."""
        return super().offers(files) | {AttentionDecomposition}

    def ports(self, model: LoadedModel, present: set[str]) -> dict[type, Any]:
        """Its attention can be taken apart."""
        return {**super().ports(model, present), AttentionDecomposition: DisentangledScores(model)}

    def attention_layout(self, module: Any) -> AttentionLayout:
        """v1 has one projection for all three; its heads' scores may be mixed with each other."""
        own = V1_ATTENTION if module.config.model_type == "deberta" else V2_ATTENTION
        if getattr(module.config, "talking_head", False):
            own = replace(own, refusal=N_("This model mixes its heads' scores (talking heads)."))
        return TransformersFamily.attention_layout(replace(self, attention=own), module)

    def masked_lm_head(self, module: Any) -> Callable[[Any], Any] | None:
        """From states (n x hidden) to logits (n x vocabulary)."""
        head: Callable[..., Any] = _module_of(module, MASKED_LM)
        if self.masked.layout is HeadLayout.TRANSFORMERS:
            return head
        return lambda states: head(states, module.deberta.embeddings.word_embeddings.weight)

    def why_not(self, port: type, heads: tuple[Head, ...]) -> str:
        """Why there is no port, in one line."""
        if port in FILLS and self.masked.refusal:
            return self.masked.refusal
        return TransformersFamily.why_not(self, port, heads)


def traits_of(
    generation: Generation, rows: int, *, decoder: bool, replaced: bool
) -> tuple[Trait, ...]:
    """What makes a DeBERTa different, in words for its picture."""
    traits = [
        Trait(
            "attention",
            Phrase(N_("content and position apart: c2c + c2p + p2c")),
            Phrase(
                N_(
                    "Scores are the sum of content to content, content to position and "
                    "position to content (He et al. 2021, section 3.1)."
                )
            ),
        ),
        Trait(
            "stack",
            Phrase(
                N_("relative positions: one table of {rows} distances for all layers"), rows=rows
            ),
            Phrase(N_("No position is added to the input.")),
        ),
    ]
    if generation is Generation.V2:
        words = Phrase(N_("a convolution parallel to the first layer"))
        traits.append(Trait("block", words, Phrase(N_("It sees groups of three neighbours."))))
    if decoder:
        traits.append(
            Trait(
                "head",
                Phrase(N_("enhanced mask decoder: absolute positions enter here")),
                Phrase(
                    N_(
                        "The last layer is applied twice, its queries with absolute positions "
                        "(He et al. 2021, section 3.2 and appendix A.8)."
                    )
                ),
            )
        )
    if replaced or generation is Generation.V3:
        words = Phrase(N_("replaced-token detection, embeddings shared without the gradient"))
        traits.append(
            Trait("replaced", words, Phrase(N_("As ELECTRA (He et al. 2023, section 3).")))
        )
    return tuple(traits)


def _module_of(module: Any, head: str) -> Any:
    """The torch module that is a head."""
    if head == REPLACED:
        return module.mask_predictions
    return module.cls.predictions if hasattr(module, "cls") else module.lm_predictions["lm_head"]
