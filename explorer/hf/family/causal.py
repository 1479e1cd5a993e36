"""A family of transformers models that read from the left and predict the next token."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.family import (
    ActivationPatching,
    BidirectionalPredictor,
    Blueprint,
    CausalLM,
    CheckpointFault,
    Encoded,
    Files,
    Head,
    LayerReadout,
    LoadedModel,
    LogitParts,
    Mask,
    MultipleChoice,
    PairClassifier,
    Predictor,
    TensorNames,
    Trait,
)
from explorer.hf.attention.layout import GPT_ATTENTION, AttentionLayout
from explorer.hf.family.base import TransformersFamily
from explorer.hf.family.specs import NEXT_TOKEN, HeadSpec
from explorer.hf.family.task_heads import CLASSIFIER, MULTIPLE_CHOICE, multiple_choice
from explorer.hf.family.tensor_names import GPT_NAMES
from explorer.hf.loading.checkpoint import load_tokenizer, quiet_transformers
from explorer.hf.predict.causal import CausalPredictor
from explorer.hf.predict.heads.tasks import LastTokenClassifier, LastTokenMultipleChoice
from explorer.hf.states.streams import GPT_STREAM, StreamStack
from explorer.hf.text.causal import encode_left
from explorer.hf.text.parts import MaskPiece
from explorer.text import N_, Phrase

BUFFERS = (".attn.bias", ".attn.masked_bias")
"""Ends of the names under which older files keep the triangle that hides what comes later."""


def next_token_head(embedding: str) -> HeadSpec:
    """The usual head: one matrix, as a rule the word embeddings themselves.

    Args:
        embedding: Name of the word embedding's tensor, without the prefix: "wte.weight".
    """
    return HeadSpec(
        name=NEXT_TOKEN,
        title=N_("Next token"),
        tensors=(),
        tied={"lm_head.weight": embedding},
        modules=("lm_head.",),
        ports=(Predictor, CausalLM, LayerReadout, ActivationPatching, LogitParts),
    )


LAST_TOKEN_CLASSES = HeadSpec(
    name=CLASSIFIER,
    title=N_("Sequence classifier"),
    tensors=("score.weight",),
    modules=("score.",),
    ports=(PairClassifier,),
    architecture="ForSequenceClassification",
)
"""Classes of a text, from its last token (Radford et al. 2018, section 3.2)."""

DOUBLE_HEADS = replace(
    multiple_choice("multiple_choice_head.summary", architecture="DoubleHeadsModel"), alone=False
)
"""A score of each sequence, from its last token, beside the next-token head that went on learning
(Radford et al. 2018, sections 3.2 and 3.3)."""


@dataclass(frozen=True)
class LeftFamily(TransformersFamily):
    """A family that answers masked tokens with what it expects to come next.

    Attributes:
        starts: Pieces that may have begun every text in training; the first one that the
            vocabulary has is put before a text whose first token is masked.
        norm_first: Whether the norm stands before a sublayer, as from GPT-2 on.
        pair: None of them was trained with a second text.
        goes_on: Whether its class goes on from what it read before (transformers' cache).
    """

    prefix: str = "transformer"
    layers_key: str = "n_layer"
    width_key: str = "n_embd"
    attention_heads_key: str = "n_head"
    length_key: str = "n_positions"
    feed_forward_key: str = "n_inner"
    roles: TensorNames = GPT_NAMES
    attention: AttentionLayout = GPT_ATTENTION
    streams: tuple[StreamStack, ...] = (GPT_STREAM,)
    pair: bool = False
    starts: tuple[str, ...] = ()
    norm_first: bool = True
    goes_on: bool = True

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """A decoder alone: every token sees what stands before it."""
        plain = super().blueprint(config, heads)
        placed = (
            Trait(
                "block",
                Phrase(N_("norm before each part")),
                Phrase(N_("And once more after the last layer.")),
            )
            if self.norm_first
            else Trait(
                "block",
                Phrase(N_("norm after each part")),
                Phrase(N_("As in the first Transformer.")),
            )
        )
        return replace(
            plain,
            feed_forward_size=plain.feed_forward_size or 4 * plain.hidden_size,
            attention="before",
            causal=True,
            norm_first=self.norm_first,
            final_norm=self.norm_first,
            pooler=False,
            traits=(
                Trait(
                    "attention",
                    Phrase(N_("masked: sees only what comes before")),
                    Phrase(
                        N_("A triangle hides every later token, so that the next can be predicted.")
                    ),
                ),
                placed,
                plain.traits[0],
            ),
        )

    def parameters(self, files: Files) -> int:
        """Weights in the files; the triangle of the attention is none."""
        weights = {n: t for n, t in files.tensors.items() if not n.endswith(BUFFERS)}
        return super().parameters(replace(files, tensors=weights))

    def tokenizer(self, files: Files) -> Any:
        """As tokenizer.json has it where there is one: some use another cutting than the family's.

        Raises:
            CheckpointFault: Its files are missing or damaged.
        """
        if "tokenizer.json" not in files.tokenizer_files:
            return load_tokenizer(files)
        from transformers import PreTrainedTokenizerFast

        quiet_transformers()
        try:
            tokenizer = PreTrainedTokenizerFast.from_pretrained(
                str(files.tokenizer_folder), local_files_only=True
            )
        except Exception as error:
            raise CheckpointFault(
                N_("The tokenizer of {name} can't be read ({error})."),
                N_("Copy the tokenizer's files again."),
                name=files.name,
                error=error,
            ) from error
        unknown = getattr(tokenizer.backend_tokenizer.model, "unk_token", None)
        if tokenizer.unk_token is None and unknown:
            tokenizer.unk_token = unknown
        return tokenizer

    def encode(
        self,
        model: LoadedModel,
        text: str,
        pair: str | None = None,
        masks: Sequence[Mask] = (),
        *,
        languages: Sequence[str] = (),  # noqa: ARG002 - no family that reads from the left is told
        begin: bool = False,
    ) -> Encoded:
        """With the token that began every text in training, where one is needed."""
        start = self.start(model.tokenizer)
        return encode_left(model, text, pair, masks, start=start, begin=begin)

    def ports(self, model: LoadedModel, present: set[str]) -> dict[type, Any]:
        """It predicts the next token."""
        ports = super().ports(model, present)
        if NEXT_TOKEN in present:
            head = model.module.lm_head
            ports[Predictor] = CausalPredictor(
                model, head, self.title, reads_pairs=self.pair, goes_on=self.goes_on
            )
        if CLASSIFIER in present:
            ports[PairClassifier] = LastTokenClassifier(model, model.module.score)
        if MULTIPLE_CHOICE in present:
            choose = LastTokenMultipleChoice(model, model.module.multiple_choice_head)
            ports[MultipleChoice] = choose
        return ports

    def why_not(self, port: type, heads: tuple[Head, ...]) -> str:
        """Why there is no port; nothing was ever masked for these models."""
        if port is BidirectionalPredictor and any(head.present for head in heads):
            return Phrase(
                N_(
                    "{family} was trained without masks: every token of a text is predicted from "
                    "those before it, and gives a loss."
                ),
                family=self.title,
            )
        return super().why_not(port, heads)

    def start(self, tokenizer: Any) -> MaskPiece | None:
        """The token that began every text in training; None where the vocabulary has none."""
        # The whole vocabulary takes milliseconds to copy, and every text asks.
        number_of = tokenizer.backend_tokenizer.token_to_id
        numbers = ((start, number_of(start)) for start in self.starts)
        return next((MaskPiece(*one) for one in numbers if one[1] is not None), None)
