"""A family of transformers models that read from the left and predict the next token."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from explorer.api import (
    Blueprint,
    CheckpointFault,
    Context,
    Files,
    Head,
    LoadedModel,
    LoadReport,
    ModelStamp,
    Trait,
)
from explorer.hf.architecture import whole
from explorer.hf.family import HeadSpec, TransformersFamily
from explorer.hf.joint import READS_LEFT
from explorer.hf.left import LEFT, Left, encode_left, run_left
from explorer.hf.loading import load_tokenizer, quiet
from explorer.hf.parts import MaskPiece
from explorer.operations.fill_mask import FillMask, FillMaskResult

NEXT_TOKEN = "next_token"  # noqa: S105 - a head's name
BUFFERS = (".attn.bias", ".attn.masked_bias")
"""Ends of the names under which older files keep the triangle that hides what comes later."""


def next_token_head(embedding: str) -> HeadSpec:
    """The usual head: one matrix, as a rule the word embeddings themselves."""
    return HeadSpec(
        name=NEXT_TOKEN,
        title="Next token",
        tensors=(),
        tied={"lm_head.weight": embedding},
        modules=("lm_head.",),
        operations=("fill_mask", "fill_jointly", "score_words", "sweep"),
    )


@dataclass(frozen=True)
class LeftFamily(TransformersFamily):
    """A family that answers masked tokens with what it expects to come next.

    Attributes:
        starts: Pieces that may have begun every text in training; the first one that the
            vocabulary has is put before a text whose first token is masked.
        cached: Whether its transformers class takes a cache.
        norm_first: Whether the norm stands before a sublayer, as from GPT-2 on.
        pair: None of them was trained with a second text.
    """

    prefix: str = "transformer"
    layers_key: str = "n_layer"
    width_key: str = "n_embd"
    attention_heads_key: str = "n_head"
    length_key: str = "n_positions"
    pair: bool = False
    starts: tuple[str, ...] = ()
    cached: bool = False
    norm_first: bool = True

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """A decoder alone: every token sees what stands before it."""
        plain = super().blueprint(config, heads)
        placed = (
            Trait("block", "norm before each part", "And once more behind the last layer.")
            if self.norm_first
            else Trait("block", "norm behind each part", "As in the first Transformer.")
        )
        return replace(
            plain,
            layout="gpt",
            feed_forward_size=whole(config, "n_inner") or 4 * plain.hidden_size,
            causal=True,
            norm_first=self.norm_first,
            pooler=False,
            traits=(
                Trait(
                    "attention",
                    "masked: sees only what stands before",
                    "A triangle hides every later token, so that the next can be predicted.",
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

        quiet()
        try:
            tokenizer = PreTrainedTokenizerFast.from_pretrained(
                str(files.folder), local_files_only=True
            )
        except Exception as error:
            raise CheckpointFault(
                f"The tokenizer of {files.name} can't be read ({error}).",
                "Copy the tokenizer's files again.",
            ) from error
        unknown = getattr(tokenizer.backend_tokenizer.model, "unk_token", None)
        if tokenizer.unk_token is None and unknown:
            tokenizer.unk_token = unknown
        return tokenizer

    def finish(
        self,
        module: Any,
        tokenizer: Any,
        config: Any,
        heads: tuple[Head, ...],
        report: LoadReport,
        stamp: ModelStamp,
    ) -> LoadedModel:
        """Encode and answer from the left."""
        model = super().finish(module, tokenizer, config, heads, report, stamp)
        left = self.left(model)
        model.own_encode = partial(encode_left, left)
        model.extras[READS_LEFT] = left.who
        model.extras[LEFT] = left
        if any(head.name == NEXT_TOKEN and head.present for head in heads):
            model.masked_lm_head = module.lm_head

            def fill_mask(
                loaded: LoadedModel, request: FillMask, context: Context
            ) -> FillMaskResult:
                return run_left(left, loaded, request, context)

            model.handlers = {**model.handlers, FillMask: fill_mask}
        return model

    def why_not(self, operation: str, heads: tuple[Head, ...]) -> str:
        """Why an operation has no handler; nothing was ever masked for these models."""
        if operation == "training_mask" and any(head.present for head in heads):
            return (
                f"{self.title} was trained without masks: every token of a text is predicted from "
                "those before it, and gives a loss."
            )
        return super().why_not(operation, heads)

    def left(self, model: LoadedModel) -> Left:
        """How this checkpoint is read."""
        vocabulary: Mapping[str, int] = model.tokenizer.get_vocab()
        start = next((s for s in self.starts if s in vocabulary), None)
        return Left(
            start=MaskPiece(start, vocabulary[start]) if start is not None else None,
            cache=_new_cache if self.cached else None,
            who=self.title,
        )


def _new_cache() -> Any:
    from transformers import DynamicCache

    return DynamicCache()
