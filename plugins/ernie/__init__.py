"""ERNIE (Sun et al. 2019, Baidu): BERT trained on masked phrases and entities."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.family import Blueprint, Files, LoadOptions, Recognition, Role, Trait
from explorer.hf import (
    BERT_MASKED_LM,
    BERT_NAMES,
    BERT_NEXT_SENTENCE,
    TASK_HEADS,
    ClassChoice,
    TransformersFamily,
    config_number,
)
from explorer.text import N_, Phrase

OLD_PREFIX = "bert."
"""How the encoder is called in checkpoints that were published as a BERT."""

OWN_KEYS = frozenset({"use_task_id", "task_type_vocab_size", "sent_type_vocab_size"})
"""Keys of the config that only ERNIE's have: its third kind of input embedding."""


@dataclass(frozen=True)
class ErnieFamily(TransformersFamily):
    """ERNIE as its own model_type, and as the BERT that the early files say it is."""

    def recognise(self, files: Files) -> Recognition | None:
        """Claim by model_type; a "bert" by its tensors, its name, or keys of its config."""
        model_type = files.config.get("model_type", "bert")
        if model_type == "ernie":
            return Recognition(self.id, 90, N_('Its config.json says model_type "ernie".'))
        if model_type != "bert":
            return None
        if any(name.startswith("ernie.") for name in files.tensors):
            return Recognition(self.id, 95, N_("It calls itself a BERT, and its tensors ernie.*."))
        names = (files.name, str(files.config.get("_name_or_path", "")))
        if any(re.search(r"(?<![a-z])ernie", name.lower()) for name in names):
            return Recognition(self.id, 90, N_("Its name says ERNIE; its config.json says BERT."))
        if files.config.keys() & OWN_KEYS:
            return Recognition(self.id, 88, N_("Its config.json has ERNIE's task types."))
        return None

    def architecture(self, config: Mapping[str, Any]) -> Phrase:
        """BERT's line, and whether a third embedding tells tasks apart."""
        line = super().architecture(config)
        if config.get("use_task_id"):
            tasks = config.get("task_type_vocab_size", 3)
            line = Phrase(N_("{line} · {tasks} task types"), line=line, tasks=tasks)
        return line

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """BERT's, and from version 2 on a table that tells tasks apart."""
        plain = super().blueprint(config, heads)
        tasks = config_number(config, "task_type_vocab_size") if config.get("use_task_id") else 0
        traits = [
            Trait(
                "head",
                Phrase(N_("masks whole entities")),
                Phrase(
                    N_(
                        "Phrases and names are masked as one in training; the layers are "
                        "BERT's (Sun et al. 2019, section 3.2)."
                    )
                ),
            )
        ]
        if tasks:
            words = Phrase(N_("{tasks} task types are added"), tasks=tasks)
            traits.append(
                Trait("embeddings", words, Phrase(N_("Each training task has a vector.")))
            )
        return replace(
            plain, extra_embeddings=tasks, extra_name=N_("tasks"), traits=(*traits, *plain.traits)
        )

    def plain_name(self, name: str) -> str:
        """As for any family, with the old prefix taken off too."""
        return super().plain_name(name.removeprefix(OLD_PREFIX))

    def weights(self, files: Files, options: LoadOptions) -> dict[str, Any]:
        """Tensors with the encoder's old name replaced."""
        return {
            re.sub(rf"^{re.escape(OLD_PREFIX)}", f"{self.prefix}.", name): tensor
            for name, tensor in super().weights(files, options).items()
        }


FAMILY = ErnieFamily(
    id="ernie",
    title="ERNIE (Baidu)",
    model_types=("ernie", "bert"),
    heads_known=(BERT_MASKED_LM, BERT_NEXT_SENTENCE, *TASK_HEADS),
    classes=(
        ClassChoice("ErnieModel", frozenset()),
        ClassChoice("ErnieForMaskedLM", frozenset({"masked_lm"})),
        ClassChoice("ErnieForNextSentencePrediction", frozenset({"next_sentence"})),
        ClassChoice("ErnieForPreTraining", frozenset({"masked_lm", "next_sentence"})),
    ),
    prefix="ernie",
    masked_lm_path="cls.predictions",
    roles=(("embeddings.task_type_embeddings", Role.EXTRA), *BERT_NAMES),
)
