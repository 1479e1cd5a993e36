"""Which DeBERTa a checkpoint is, and which masked-LM head it holds; judged without torch."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.text import N_

POSITIONS = "embeddings.position_embeddings.weight"
WORDS = "embeddings.word_embeddings.weight"

PUBLISHED_HEAD = tuple(
    f"lm_predictions.lm_head.{name}"
    for name in ("dense.weight", "dense.bias", "LayerNorm.weight", "LayerNorm.bias", "bias")
)
"""The authors' masked-LM head; its output weight is the word embeddings."""

TRANSFORMERS_HEAD = (
    "cls.predictions.transform.dense.weight",
    "cls.predictions.transform.dense.bias",
    "cls.predictions.transform.LayerNorm.weight",
    "cls.predictions.transform.LayerNorm.bias",
    "cls.predictions.bias|cls.predictions.decoder.bias",
)
"""The head transformers makes by itself; trained only if somebody fine-tuned it."""

REPLACED_TOKEN_HEAD = tuple(
    f"mask_predictions.{name}"
    for name in (
        "dense.weight",
        "dense.bias",
        "LayerNorm.weight",
        "LayerNorm.bias",
        "classifier.weight",
        "classifier.bias",
    )
)


class Generation(enum.StrEnum):
    """The three DeBERTas; v2 and v3 share a model_type."""

    V1 = "v1"
    V2 = "v2"
    V3 = "v3"


class HeadLayout(enum.StrEnum):
    """How masked tokens are predicted."""

    ENHANCED = "enhanced"
    """The authors' head on the enhanced mask decoder's states."""
    PLAIN = "plain"
    """The authors' head on the last layer's states, as the positions are in the input."""
    TRANSFORMERS = "transformers"
    """transformers' own head on the last layer's states."""


TITLES = {
    HeadLayout.ENHANCED: N_("Masked language model (enhanced mask decoder)"),
    HeadLayout.PLAIN: N_("Masked language model"),
    HeadLayout.TRANSFORMERS: N_(
        "Masked language model (transformers' own head, no enhanced decoder)"
    ),
}


@dataclass(frozen=True)
class MaskedHead:
    """The masked-LM head of a checkpoint.

    Attributes:
        layout: Which of the three it would be.
        missing: Names of the tensors that are not in the files.
        refusal: Why it can't answer, in one sentence, where missing names do not say it.
    """

    layout: HeadLayout
    missing: tuple[str, ...] = ()
    refusal: str = ""

    @property
    def present(self) -> bool:
        """Whether it can answer."""
        return not self.missing and not self.refusal


BY_NAME = {
    Generation.V3: N_(
        'Its config.json says model_type "{name}", which stands for v2 and v3; its name says v3.'
    ),
    Generation.V2: N_(
        'Its config.json says model_type "{name}", which stands for v2 and v3; its name says v2.'
    ),
}


def generation_of(
    name: str, config: Mapping[str, Any], names: frozenset[str] = frozenset()
) -> tuple[Generation, str]:
    """Which DeBERTa it is, and how that was decided.

    Args:
        name: The checkpoint's name.
        config: config.json's content.
        names: Its tensors, without the encoder's prefix.

    Returns:
        The generation, and how it was decided: a sentence with the place {name} for model_type.
    """
    if config.get("model_type") == "deberta":
        return Generation.V1, N_('Its config.json says model_type "{name}", which stands for v1.')
    if any(one.startswith("mask_predictions.") for one in names):
        return Generation.V3, N_(
            'Its config.json says model_type "{name}", which stands for v2 and v3; its '
            "replaced-token head (mask_predictions) makes it v3."
        )
    kernel = config.get("conv_kernel_size", 0)
    if (isinstance(kernel, int) and kernel > 0) or "encoder.conv.conv.weight" in names:
        return Generation.V2, N_(
            'Its config.json says model_type "{name}", which stands for v2 and v3; the '
            "convolution at its first layer makes it v2."
        )
    for generation, evidence in BY_NAME.items():
        if generation in name.lower():
            return generation, evidence
    return Generation.V3, N_(
        'Its config.json says model_type "{name}", which stands for v2 and v3; without a '
        "convolution it is built as v3."
    )


def masked_head_of(config: Mapping[str, Any], names: frozenset[str]) -> MaskedHead:
    """Which masked-LM head the tensors make up.

    The published head comes first. With `position_biased_input` false it needs the absolute
    position embeddings too, because the enhanced mask decoder starts from them; with true the
    authors' code puts the head on the last layer as it is.
    """
    published = _missing(PUBLISHED_HEAD, names)
    own = _missing(TRANSFORMERS_HEAD, names)
    tied = config.get("tie_word_embeddings", True)
    if not tied and "cls.predictions.decoder.weight" not in names:
        own = (*own, "cls.predictions.decoder.weight")
    layout = HeadLayout.PLAIN if config.get("position_biased_input", True) else HeadLayout.ENHANCED
    if not published:
        head = _enhanced(config, names) if layout is HeadLayout.ENHANCED else MaskedHead(layout)
        return head if head.present or own else MaskedHead(HeadLayout.TRANSFORMERS)
    if len(own) < len(published):
        return MaskedHead(HeadLayout.TRANSFORMERS, own)
    return MaskedHead(layout, published)


def _enhanced(config: Mapping[str, Any], names: frozenset[str]) -> MaskedHead:
    """The authors' head where it needs the enhanced mask decoder."""
    if POSITIONS not in names:
        return MaskedHead(
            HeadLayout.ENHANCED,
            (f"deberta.{POSITIONS}",),
            N_(
                "This checkpoint has a masked-LM head, but not the absolute position embeddings "
                "that its enhanced mask decoder starts from (files saved by transformers lose "
                "them)."
            ),
        )
    width = config.get("hidden_size")
    if config.get("embedding_size", width) != width:
        return MaskedHead(
            HeadLayout.ENHANCED,
            (),
            N_(
                "This checkpoint's position embeddings differ in width from its hidden "
                "states, for which the enhanced mask decoder is not defined."
            ),
        )
    return MaskedHead(HeadLayout.ENHANCED)


def _missing(wanted: tuple[str, ...], names: frozenset[str]) -> tuple[str, ...]:
    """The first name of each tensor that is under none of its names."""
    return tuple(one.split("|")[0] for one in wanted if not names & set(one.split("|")))
