"""TinyBERT (Jiao et al. 2020): a small BERT that imitates a large one, layer by layer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from explorer.api.family import (
    Blueprint,
    Context,
    Files,
    LayerProjection,
    LoadedModel,
    LoadOptions,
    Recognition,
    Role,
    Trait,
)
from explorer.hf import (
    BERT_MASKED_LM,
    BERT_NAMES,
    BERT_NEXT_SENTENCE,
    TASK_HEADS,
    ClassChoice,
    HeadSpec,
    TransformersFamily,
    add_head,
    described_weights,
    head_weights,
)
from explorer.text import N_, Phrase

FIT_DENSE = HeadSpec(
    name="hidden_fit",
    title=N_("Fit to the teacher's width"),
    tensors=("fit_dense.weight|fit_denses.0.weight", "fit_dense.bias|fit_denses.0.bias"),
    modules=("fit_dense.", "fit_denses."),
    ports=(LayerProjection,),
)
"""W_h of the paper's section 3: one for all layers at first, one for each later."""

OWN_KEYS = frozenset({"cell", "structure", "emb_size"})
"""Keys that only the config.json of the published TinyBERT models has."""

SMALL = {"num_hidden_layers": 4, "hidden_size": 312, "intermediate_size": 1200}
"""TinyBERT 4. TinyBERT 6 has the size of any six layers of BERT base, and is no sign."""


@dataclass(frozen=True)
class TinyBertFamily(TransformersFamily):
    """Told from BERT, whose model_type it has, by what its authors left in the files."""

    def recognise(self, files: Files) -> Recognition | None:
        """Claim by fit_dense, by name, by keys of the config, by TinyBERT 4's size."""
        if files.config.get("model_type", "bert") not in self.model_types:
            return None
        for score, sign, reason in (
            (
                95,
                any(name.startswith(FIT_DENSE.modules) for name in files.tensors),
                N_("It holds fit_dense, which only TinyBERT has."),
            ),
            (90, _named(files), N_("Its name says TinyBERT; otherwise it is a BERT.")),
            (
                88,
                files.config.keys() >= OWN_KEYS,
                N_("Its config.json has TinyBERT's own keys (cell, structure, emb_size)."),
            ),
            (
                85,
                files.config.items() >= SMALL.items(),
                N_("A BERT of 4 layers × 312 wide is the size of TinyBERT 4."),
            ),
        ):
            if sign:
                return Recognition(self.id, score, reason)
        return None

    def specs(self, files: Files) -> tuple[HeadSpec, ...]:
        """The fits to the teacher's width go with any class: the second stage has them too."""
        found = super().specs(files)
        return found if FIT_DENSE in found else (*found, FIT_DENSE)

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """BERT's, thinner and shallower; W_h leads to the teacher's width in training."""
        plain = super().blueprint(config, heads)
        trait = Trait(
            "stack",
            Phrase(N_("each layer imitates one of its teacher's")),
            Phrase(
                N_(
                    "Its attentions and its hidden states, brought to the teacher's width "
                    "by a matrix, follow those of evenly spaced layers: every third for 4 "
                    "layers, every second for 6 (Jiao et al. 2020, section 4.2)."
                )
            ),
        )
        return replace(plain, traits=(trait, *plain.traits))

    def skeleton(self, files: Files, heads: tuple[str, ...]) -> tuple[Any, Mapping[str, Any]]:
        """With the fits to the teacher's width where the files have them."""
        module, config = super().skeleton(files, heads)
        for prefix in FIT_DENSE.modules:
            shapes = described_weights(files, prefix)
            if shapes:
                from torch import device

                from .hidden_fit import shaped_like

                with device("meta"):
                    module.add_module(prefix.rstrip("."), shaped_like(shapes))
        return module, config

    def load(
        self, checkpoint_id: str, files: Files, options: LoadOptions, context: Context
    ) -> LoadedModel:
        """A BERT, and the fits to the teacher's width where the files have them."""
        model = super().load(checkpoint_id, files, options, context)
        if any(head.name == FIT_DENSE.name and head.present for head in model.heads):
            from .hidden_fit import FittedProjection, shaped_like

            for prefix in FIT_DENSE.modules:
                weights = head_weights(files, options, prefix)
                if weights:
                    fit = shaped_like(weights)
                    add_head(model, prefix, fit, weights)
                    model.ports[LayerProjection] = FittedProjection(fit)
        return model


def _named(files: Files) -> bool:
    names = (files.name, str(files.config.get("_name_or_path", "")))
    return any("tinybert" in re.sub(r"[-_ ]", "", name.lower()) for name in names)


FAMILY = TinyBertFamily(
    id="tinybert",
    title="TinyBERT",
    model_types=("bert",),
    heads_known=(BERT_MASKED_LM, BERT_NEXT_SENTENCE, FIT_DENSE, *TASK_HEADS),
    classes=(
        ClassChoice("BertModel", frozenset()),
        ClassChoice("BertForMaskedLM", frozenset({"masked_lm"})),
        ClassChoice("BertForNextSentencePrediction", frozenset({"next_sentence"})),
        ClassChoice("BertForPreTraining", frozenset({"masked_lm", "next_sentence"})),
    ),
    prefix="bert",
    masked_lm_path="cls.predictions",
    roles=(("fit_dense", Role.TRAINING), ("fit_denses", Role.TRAINING), *BERT_NAMES),
)


def tiny(folder: Path) -> None:
    """A student of three layers, 32 wide, with fits to a teacher 48 wide."""
    from explorer.hf import TINY_LAYERS, TINY_WIDTH, write_tiny

    added: dict[str, tuple[int, ...]] = {}
    for layer in range(TINY_LAYERS + 1):
        added[f"fit_denses.{layer}.weight"] = (48, TINY_WIDTH)
        added[f"fit_denses.{layer}.bias"] = (48,)
    write_tiny(FAMILY, folder, added=added)
