"""IB-BERT in miniature, the teacher of MobileBERT: blocks that are wider inside than outside.

Sun et al. 2020, section 3.1 and table 1: between the blocks a text is as narrow as in MobileBERT,
so that the two can be compared layer by layer; inside a block an inverted bottleneck widens it.
Pieces are a quarter as wide and reach the blocks' width by a convolution over three neighbours
(section 3.4).
Layer norm, GELU, one feed-forward a block. Trained as BERT is, on masked tokens and next sentences.

What differs from the paper: sizes; the model does not start from nothing, but imitates the layers
of BERT's miniature for its first steps (it has as many, as wide), because on its own it needs many
times more steps; queries, keys and values are all made from the widened text
(``use_bottleneck_attention``), because transformers' class cannot make them from the narrow one
without a bottleneck shared by query and key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explorer.learning.batches.losses import pair_losses, pair_scores
from explorer.learning.recipe import Schedule
from explorer.pretraining.cards.masked import DYNAMIC_ROW, PAIRS_ROW
from explorer.pretraining.cards.page import FamilyCard
from explorer.pretraining.distillation.layer_transfer import layer_losses
from explorer.pretraining.distillation.students import TOKENIZER, bundled_tokenizer, load_teacher
from explorer.pretraining.recipes.encoders.bert import LENGTH, BertRecipe
from explorer.world.corpus import CorpusDocument

LAYERS: Final = 4
HEADS: Final = 4
# Between the blocks, and of a piece: MobileBERT's are the same.
WIDTH: Final = 128
PIECE_WIDTH: Final = 32
INSIDE: Final = 192
MODEL_TO_IMITATE: Final = "bert-miniature"


class IbBertRecipe(BertRecipe):
    """BERT's text and tokenizer; MobileBERT's class with inverted bottlenecks."""

    name = "ib-bert-miniature"
    title = "IB-BERT"
    needs = (MODEL_TO_IMITATE,)
    about = FamilyCard(
        recipe="ib-bert",
        family="IB-BERT, the teacher of MobileBERT,",
        tokenizer=TOKENIZER,
        loads_with="`AutoTokenizer`, `MobileBertForMaskedLM` and `MobileBertForPreTraining`",
        rows=(
            (
                "Inside a block",
                "192 wide: an inverted bottleneck; layer norm, GELU, one feed-forward",
            ),
            (
                "Queries and keys",
                "made behind the bottleneck, as values are; not so in the paper",
            ),
            ("Pieces", "32 wide, then a convolution over three neighbours"),
            ("First stage", "imitates the layers of bert-miniature; not so in the paper"),
            DYNAMIC_ROW,
            PAIRS_ROW,
        ),
    )
    schedule = Schedule(steps=6_000, examples=48, documents=120_000, peak_rate=2e-3)
    # Share of the steps in which layers are imitated.
    second_stage = 0.4

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:  # noqa: ARG002
        """That of BERT's miniature."""
        return bundled_tokenizer(MODEL_TO_IMITATE)

    def make_model(self, tokenizer: Any) -> Any:
        """Post-layer-norm encoder with inverted bottlenecks and both heads."""
        from transformers import MobileBertConfig, MobileBertForPreTraining

        config = MobileBertConfig(
            vocab_size=len(tokenizer),
            hidden_size=WIDTH,
            embedding_size=PIECE_WIDTH,
            num_hidden_layers=LAYERS,
            num_attention_heads=HEADS,
            intra_bottleneck_size=INSIDE,
            intermediate_size=2 * INSIDE,
            num_feedforward_networks=1,
            use_bottleneck_attention=True,
            key_query_shared_bottleneck=False,
            normalization_type="layer_norm",
            hidden_act="gelu",
            classifier_activation=False,
            max_position_embeddings=LENGTH,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            initializer_range=0.05,
            pad_token_id=tokenizer.pad_token_id,
        )
        return MobileBertForPreTraining(config)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Both heads'; at first each layer's as well.

        Both at once, because heads that start later than the layers would spoil them.
        """
        measured = pair_losses(*pair_scores(model, batch), batch)
        if batch["stage"] == 0:
            measured |= layer_losses(model, load_teacher(MODEL_TO_IMITATE), batch)
        return measured


RECIPE = IbBertRecipe()
