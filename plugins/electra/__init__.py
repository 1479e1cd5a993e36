"""ELECTRA (Clark et al. 2020): a generator fills masks, a discriminator finds what it replaced."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.family import (
    BidirectionalPredictor,
    Blueprint,
    Discriminator,
    Head,
    Predictor,
    Role,
    Trait,
)
from explorer.hf import (
    ANSWER_SPANS,
    BERT_NAMES,
    FILLS,
    TOKEN_CLASSES,
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
        "generator_predictions.dense.weight",
        "generator_predictions.dense.bias",
        "generator_predictions.LayerNorm.weight",
        "generator_predictions.LayerNorm.bias",
        "generator_lm_head.bias",
    ),
    tied={"generator_lm_head.weight": "embeddings.word_embeddings.weight"},
    modules=("generator_predictions.", "generator_lm_head."),
    ports=FILLS,
)

REPLACED_TOKEN = HeadSpec(
    name="replaced_token",
    title=N_("Replaced-token detection"),
    tensors=(
        "discriminator_predictions.dense.weight",
        "discriminator_predictions.dense.bias",
        "discriminator_predictions.dense_prediction.weight",
        "discriminator_predictions.dense_prediction.bias",
    ),
    modules=("discriminator_predictions.",),
    ports=(Discriminator,),
    path="discriminator_predictions",
)

CLASSIFIER = text_classifier("classifier.dense", "classifier.out_proj")
CHOICE = multiple_choice("sequence_summary.summary", "classifier")

OTHER_HALF: Mapping[type, tuple[str, str]] = {
    **dict.fromkeys(
        (Predictor, BidirectionalPredictor),
        (
            "replaced_token",
            N_(
                "This is a discriminator: it detects replaced tokens. Load its generator to "
                "fill masks."
            ),
        ),
    ),
    Discriminator: (
        "masked_lm",
        N_(
            "This is a generator: it fills masks. Load its discriminator to detect replaced tokens."
        ),
    ),
}
"""What is published as two checkpoints: the head that gives a half away, and what to do."""


HALVES = {
    "generator": N_("generator: one half of a pair"),
    "discriminator": N_("discriminator: one half of a pair"),
}
"""What a checkpoint is, by what it holds."""


@dataclass(frozen=True)
class ElectraFamily(TransformersFamily):
    """ELECTRA's masked-LM head is two modules, and each half says where the other's work is."""

    def masked_lm_head(self, module: Any) -> Callable[[Any], Any] | None:
        """The generator's: from its width to the pieces', then to the vocabulary."""

        def head(hidden: Any) -> Any:
            return module.generator_lm_head(module.generator_predictions(hidden))

        return head

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """BERT's without a pooler; the two halves differ in width and head."""
        plain = super().blueprint(config, heads)
        narrow, width = plain.embedding_size, plain.hidden_size
        half = "generator" if "masked_lm" in heads else "discriminator"
        traits = [
            Trait(
                "head" if half == "generator" else "replaced",
                Phrase(HALVES[half]),
                Phrase(
                    N_(
                        "A small generator fills masks; the discriminator says of every token "
                        "whether it was replaced. Both share the embeddings (Clark et al. "
                        "2020, section 3)."
                    )
                ),
            )
        ]
        if narrow != width:
            traits.append(
                Trait(
                    "embeddings",
                    Phrase(
                        N_("embeddings {narrow} wide, layers {width}"), narrow=narrow, width=width
                    ),
                    Phrase(
                        N_("A matrix leads from the width of the embeddings to that of the layers.")
                    ),
                )
            )
        return replace(plain, pooler=False, traits=(*traits, *plain.traits))

    def companion_of(self, checkpoint_id: str) -> str:
        """The other half's name."""
        for mine, other in (("generator", "discriminator"), ("discriminator", "generator")):
            if checkpoint_id.endswith(mine):
                return checkpoint_id.removesuffix(mine) + other
        return ""

    def why_not(self, port: type, heads: tuple[Head, ...]) -> str:
        """Point to the other half of the pair where that is what is missing."""
        present = {head.name for head in heads if head.present}
        half, sentence = OTHER_HALF.get(port, ("", ""))
        return sentence if half in present else super().why_not(port, heads)


FAMILY = ElectraFamily(
    id="electra",
    title="ELECTRA",
    model_types=("electra",),
    heads_known=(MASKED_LM, REPLACED_TOKEN, CLASSIFIER, CHOICE, TOKEN_CLASSES, ANSWER_SPANS),
    classes=(
        ClassChoice("ElectraModel", frozenset()),
        ClassChoice("ElectraForMaskedLM", frozenset({"masked_lm"})),
        ClassChoice("ElectraForPreTraining", frozenset({"replaced_token"})),
    ),
    prefix="electra",
    embedding_key="embedding_size",
    roles=(
        ("generator_lm_head.weight", Role.OUTPUT_MATRIX),
        ("generator_lm_head", Role.TOKENS),
        ("generator_predictions", Role.TOKENS),
        ("discriminator_predictions", Role.REPLACED),
        ("sequence_summary", Role.CLASSES),
        ("embeddings_project", Role.WIDEN),
        *BERT_NAMES,
    ),
)


def tiny(folder: Path) -> None:
    """Both halves of a pair, small and random, to check the plugin with."""
    from explorer.hf import write_tiny

    write_tiny(FAMILY, folder / "generator", model_class="ElectraForMaskedLM")
    write_tiny(FAMILY, folder / "discriminator", model_class="ElectraForPreTraining")
