"""T5 (Raffel et al. 2020): an encoder and a decoder that fills in spans."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api import Files, Head, LoadedModel, LoadReport, ModelStamp
from explorer.hf.family import ClassChoice, HeadSpec, TransformersFamily

from .encoding import encode_spans
from .filling import run

TRAINED_LENGTH = 512
"""Tokens of a text in training; relative positions set no limit of their own."""

SPANS = HeadSpec(
    name="spans",
    title="Span filling",
    tensors=("decoder.final_layer_norm.weight", "decoder.block.0.layer.1.EncDecAttention.q.weight"),
    tied={"lm_head.weight": "shared.weight"},
    modules=("decoder.", "lm_head."),
    operations=("fill_mask",),
)


@dataclass(frozen=True)
class T5Family(TransformersFamily):
    """Two stacks of layers, and spans instead of tokens."""

    def architecture(self, config: Mapping[str, Any]) -> str:
        """As in "T5 · 6 + 6 layers x 512 wide x 8 heads · 32,128 pieces"."""
        line = super().architecture(config)
        below, above = self._layers(config)
        return line.replace(f"· {below} layers", f"· {below} + {above} layers", 1)

    def max_length(self, config: Mapping[str, Any]) -> int | None:
        """As long as the texts it was trained on."""
        return super().max_length(config) or TRAINED_LENGTH

    def parameters(self, files: Files) -> int:
        """Weights in the files; the embedding of both stacks is one."""
        tied = {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight"}
        if "shared.weight" not in files.tensors:
            tied = {"decoder.embed_tokens.weight"}
        return super().parameters(
            replace(files, tensors={n: t for n, t in files.tensors.items() if n not in tied})
        )

    def finish(
        self,
        module: Any,
        tokenizer: Any,
        config: Any,
        heads: tuple[Head, ...],
        report: LoadReport,
        stamp: ModelStamp,
    ) -> LoadedModel:
        """Put sentinels where a masked model has its mask token."""
        model = super().finish(module, tokenizer, config, heads, report, stamp)
        model.own_encode = encode_spans
        return model

    def encoder(self, module: Any) -> Any:
        """The encoder's last hidden state; the decoder is run by the handler."""
        stack = module.encoder

        def encode(**inputs: Any) -> Any:
            return stack(**inputs).last_hidden_state

        return encode

    @staticmethod
    def _layers(config: Mapping[str, Any]) -> tuple[int, int]:
        below = int(config.get("num_layers") or 0)
        return below, int(config.get("num_decoder_layers") or below)


FAMILY = T5Family(
    id="t5",
    title="T5",
    model_types=("t5",),
    heads_known=(SPANS,),
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
    handlers={"fill_mask": run},
)
