"""GPT-3 (Brown et al. 2020): its weights were never published, only its architecture is known."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.family import Blueprint, Trait
from explorer.hf import GPT_ATTENTION, NEXT_TOKEN, ClassChoice, LeftFamily, next_token_head
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class Gpt3Family(LeftFamily):
    """GPT-2's architecture, with attentions that take turns."""

    def blueprint(self, config: Mapping[str, Any], heads: tuple[str, ...] = ()) -> Blueprint:
        """GPT-2's; every other layer sees a band only, which changes no number of weights."""
        plain = super().blueprint(config, heads)
        trait = Trait(
            "stack",
            Phrase(N_("dense and banded attention in turns")),
            Phrase(
                N_(
                    "Every other layer looks at its neighbourhood only (Brown et al. 2020, "
                    "section 2.1)."
                )
            ),
        )
        return replace(plain, traits=(trait, *plain.traits))


FAMILY = Gpt3Family(
    id="gpt3",
    title="GPT-3",
    model_types=("gpt3",),
    heads_known=(next_token_head("wte.weight"),),
    classes=(
        ClassChoice("GPT2Model", frozenset()),
        ClassChoice("GPT2LMHeadModel", frozenset({NEXT_TOKEN})),
    ),
    embedding="wte.weight",
    optional=(),
    # Some configs divide by the layer's number too.
    attention=replace(GPT_ATTENTION, scale=lambda module, _width: float(module.scaling)),
    starts=("<|endoftext|>",),
)
