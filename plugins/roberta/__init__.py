"""RoBERTa (Liu et al. 2019): BERT trained longer, without sentence pairs, on byte-level pieces."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.family import Blueprint, Files, Trait
from explorer.hf import (
    ANSWER_SPANS,
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
        "lm_head.dense.weight",
        "lm_head.dense.bias",
        "lm_head.layer_norm.weight",
        "lm_head.layer_norm.bias",
        "lm_head.bias|lm_head.decoder.bias",
    ),
    tied={
        "lm_head.decoder.weight": "embeddings.word_embeddings.weight",
        "lm_head.decoder.bias": "lm_head.bias",
    },
    modules=("lm_head.",),
    ports=FILLS,
)

CLASSIFIER = text_classifier("classifier.dense", "classifier.out_proj")
CHOICE = multiple_choice("pooler.dense", "classifier")


@dataclass(frozen=True)
class RobertaFamily(TransformersFamily):
    """RoBERTa counts its positions from the one behind the padding's."""

    def max_length(self, config: Mapping[str, Any]) -> int | None:
        """Positions that a token can have: 514 less two where the padding's id is 1."""
        length = super().max_length(config)
        padding = config.get("pad_token_id", 1)
        if length is None or not isinstance(padding, int):
            return length
        return max(0, length - padding - 1)

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """BERT's; what differs is the training and the vocabulary."""
        plain = super().blueprint(config, heads)
        traits = (
            Trait(
                "embeddings",
                Phrase(N_("no segments")),
                Phrase(N_("One token type only: it is never shown two sentences to tell apart.")),
            ),
            Trait(
                "head",
                Phrase(N_("no next-sentence head")),
                Phrase(
                    N_(
                        "Trained on masked tokens alone, with masks drawn anew each time (Liu "
                        "et al. 2019, sections 4.1 and 4.2)."
                    )
                ),
            ),
        )
        return replace(plain, traits=(*traits, *plain.traits))

    def tokenizer(self, files: Files) -> Any:
        """Let a typed mask take the space before it, as a masked piece has it inside.

        The published tokenizer.json says so; vocab.json and merges.txt alone do not, and the space
        would become a piece that the model was not trained to see there.
        """
        tokenizer = super().tokenizer(files)
        backend = tokenizer.backend_tokenizer
        if type(backend.model).__name__ == "BPE" and tokenizer.mask_token is not None:
            from tokenizers import AddedToken

            mask = AddedToken(tokenizer.mask_token, lstrip=True, special=True, normalized=False)
            backend.add_special_tokens([mask])
        return tokenizer


FAMILY = RobertaFamily(
    id="roberta",
    title="RoBERTa",
    model_types=("roberta",),
    heads_known=(MASKED_LM, CLASSIFIER, CHOICE, TOKEN_CLASSES, ANSWER_SPANS),
    classes=(
        ClassChoice("RobertaModel", frozenset()),
        ClassChoice("RobertaForMaskedLM", frozenset({"masked_lm"})),
    ),
    prefix="roberta",
    masked_lm_path="lm_head",
    pair=False,
)
