"""SpanBERT (Joshi et al. 2020): whole spans masked, and told again from the words beside them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.family import (
    Blueprint,
    BoundaryPredictor,
    Context,
    Files,
    Head,
    LoadedModel,
    LoadOptions,
    Recognition,
    Role,
    Trait,
)
from explorer.hf import (
    BERT_MASKED_LM,
    BERT_NAMES,
    FILLS,
    TASK_HEADS,
    ClassChoice,
    HeadSpec,
    SpanBoundaryPredictor,
    TransformersFamily,
    add_head,
    described_weights,
    head_weights,
    load_tokenizer,
)
from explorer.text import N_, Phrase

SPAN_BOUNDARY = HeadSpec(
    name="span_boundary",
    title=N_("Span boundary"),
    tensors=(
        "sbo.position_embeddings.weight",
        "sbo.dense1.weight",
        "sbo.dense1.bias",
        "sbo.layer_norm1.weight",
        "sbo.layer_norm1.bias",
        "sbo.dense2.weight",
        "sbo.dense2.bias",
        "sbo.layer_norm2.weight",
        "sbo.layer_norm2.bias",
    ),
    modules=("sbo.",),
    ports=(BoundaryPredictor,),
)


@dataclass(frozen=True)
class SpanBertFamily(TransformersFamily):
    """A BERT by its config; told by its name, or by the head of its own objective."""

    def recognise(self, files: Files) -> Recognition | None:
        """Claim by the span-boundary head or by name."""
        if files.config.get("model_type", "bert") not in self.model_types:
            return None
        if any(name.startswith("sbo.") for name in files.tensors):
            return Recognition(self.id, 95, N_("It holds sbo.*, the head of SpanBERT's objective."))
        names = (files.name, str(files.config.get("_name_or_path", "")))
        if any("spanbert" in name.lower() for name in names):
            return Recognition(self.id, 90, N_("Its name says SpanBERT; otherwise it is a BERT."))
        return None

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """BERT's; its own objective is a head beside the usual one."""
        plain = super().blueprint(config, heads)
        trait = Trait(
            "span",
            Phrase(N_("span boundary: a word from the two next to its span")),
            Phrase(
                N_(
                    "Each token of a masked span is predicted from the two tokens next to the "
                    "span and its place in it (Joshi et al. 2020, section 3.2)."
                )
            ),
        )
        return replace(plain, traits=(trait, *plain.traits))

    def skeleton(self, files: Files, heads: tuple[str, ...]) -> tuple[Any, Mapping[str, Any]]:
        """With the span-boundary head where the files have it."""
        module, config = super().skeleton(files, heads)
        shapes = described_weights(files, "sbo.")
        if shapes:
            from torch import device

            from .span_boundary import SpanBoundaryHead

            with device("meta"):
                module.sbo = SpanBoundaryHead.shaped_like(shapes, module.config.layer_norm_eps)
        return module, config

    def tokenizer(self, files: Files) -> Any:
        """Published with vocab.txt alone, which says nothing of capital letters: it keeps them."""
        if {"tokenizer_config.json", "tokenizer.json"} & set(files.tokenizer_files):
            return super().tokenizer(files)
        return load_tokenizer(files, tokenizer_type="bert", do_lower_case=False)

    def load(
        self, checkpoint_id: str, files: Files, options: LoadOptions, context: Context
    ) -> LoadedModel:
        """A BERT, and the span-boundary head where the files have it."""
        model = super().load(checkpoint_id, files, options, context)
        if any(head.name == SPAN_BOUNDARY.name and head.present for head in model.heads):
            from .span_boundary import SpanBoundaryHead

            weights = head_weights(files, options, "sbo.")
            head = SpanBoundaryHead.shaped_like(weights, model.config.layer_norm_eps)
            add_head(model, "sbo.", head, weights)
            longest = int(head.position_embeddings.num_embeddings)
            model.ports[BoundaryPredictor] = SpanBoundaryPredictor(model, head, longest)
        return model

    def why_not(self, port: type, heads: tuple[Head, ...]) -> str:
        """The published files are the encoder alone, which is no fault of them."""
        if port in FILLS and not any(head.present for head in heads):
            return N_(
                "These files hold SpanBERT's encoder alone, as it was published: there is no head "
                "to fill masks with."
            )
        return super().why_not(port, heads)


FAMILY = SpanBertFamily(
    id="spanbert",
    title="SpanBERT",
    model_types=("bert",),
    heads_known=(BERT_MASKED_LM, SPAN_BOUNDARY, *TASK_HEADS),
    classes=(
        ClassChoice("BertModel", frozenset()),
        ClassChoice("BertForMaskedLM", frozenset({"masked_lm"})),
    ),
    prefix="bert",
    masked_lm_path="cls.predictions",
    roles=(("sbo", Role.TRAINING), *BERT_NAMES),
    pair=False,
)


def tiny(folder: Path) -> None:
    """A small random model with both heads."""
    from explorer.hf import TINY_WIDTH, write_tiny

    places = 8
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(SPAN_BOUNDARY.tensors, (TINY_WIDTH,))
    shapes["sbo.position_embeddings.weight"] = (10, places)
    shapes["sbo.dense1.weight"] = (TINY_WIDTH, 2 * TINY_WIDTH + places)
    shapes["sbo.dense2.weight"] = (TINY_WIDTH, TINY_WIDTH)
    write_tiny(FAMILY, folder, added=shapes)
