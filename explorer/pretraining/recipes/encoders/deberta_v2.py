"""DeBERTa v2 in miniature: as v1, with a convolution at the first layer.

The authors' second release (He et al. 2021, code of 2021): a convolution over three neighbouring
tokens beside the first layer, distances in buckets that widen with distance, one projection for
content and position, and normed distance embeddings. Trained as v1.
"""

from __future__ import annotations

from typing import Any, Final

from explorer.learning.recipe import Schedule
from explorer.pretraining.recipes.encoders import bert
from explorer.pretraining.recipes.encoders.deberta_v1 import COMMON, DebertaV1Recipe, card

# Versions 2 and 3. Distances up to half the buckets are told apart one by one, farther ones by
# logarithm. (The published models have 256 buckets for 512 positions.)
BUCKETED: Final = COMMON | {
    "pos_att_type": "p2c|c2p",
    "position_buckets": 32,
    "norm_rel_ebd": "layer_norm",
    "share_att_key": True,
}


class DebertaV2Recipe(DebertaV1Recipe):
    """Architecture of the DeBERTa v2 miniature; the rest as v1's."""

    name = "deberta-v2-miniature"
    title = "DeBERTa v2"
    about = card("deberta-v2", title)
    schedule = Schedule(steps=5000, peak_rate=1.5e-3, examples=32, documents=160_000)

    def make_model(self, tokenizer: Any) -> Any:
        """Version 2's encoder with its convolution."""
        from transformers import DebertaV2Config

        from explorer.pretraining.models import deberta_masked_lm

        config = DebertaV2Config(
            **BUCKETED,
            vocab_size=len(tokenizer),
            num_hidden_layers=bert.LAYERS,
            pad_token_id=tokenizer.pad_token_id,
            conv_kernel_size=3,
            conv_act="gelu",
        )
        return deberta_masked_lm(2)(config)


RECIPE = DebertaV2Recipe()
