"""MobileBERT in miniature: as deep as its teacher IB-BERT, and a quarter as wide inside its blocks.

Sun et al. 2020: a block narrows a text in a bottleneck, in which it has attention and four
feed-forwards one after the other, and widens it again, so that what a block passes on is as wide
as the teacher's. A scale and a shift (NoNorm) instead of layer norm, ReLU instead of GELU; query
and key share a bottleneck, the value is made from the wide text. Embeddings and head are copied
from the teacher. Joint knowledge transfer (section 3.6): first the feature maps and attention of
all layers, then the predictions (soft targets, masked language model, next sentence).

What differs from the paper: sizes; predictions are compared at the selected tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explorer.learning.batches.losses import pair_losses, pair_scores
from explorer.learning.recipe import Schedule
from explorer.objectives.distillation.feature_map_transfer import distillation_loss
from explorer.objectives.distillation.soft_targets import soft_cross_entropy
from explorer.pretraining.cards.masked import DYNAMIC_ROW, PAIRS_ROW, next_sentence_note
from explorer.pretraining.cards.page import FamilyCard
from explorer.pretraining.distillation.layer_transfer import layer_losses
from explorer.pretraining.distillation.students import TOKENIZER, StudentRecipe

# A bottleneck is a quarter of what lies between the blocks.
NARROWING: Final = 4
FEED_FORWARDS: Final = 4
ALPHA: Final = 0.5


class MobileBertRecipe(StudentRecipe):
    """Architecture and objective of the MobileBERT miniature."""

    name = "mobilebert-miniature"
    title = "MobileBERT"
    about = FamilyCard(
        recipe="mobilebert",
        family="MobileBERT",
        tokenizer=TOKENIZER,
        loads_with="`AutoTokenizer`, `MobileBertForMaskedLM` and `MobileBertForPreTraining`",
        rows=(
            ("Teacher", "ib-bert-miniature; embeddings and heads copied from it at the start"),
            ("Inside a block", "32 wide: a bottleneck; NoNorm, ReLU, four feed-forwards"),
            ("Pieces", "32 wide, then a convolution over three neighbours"),
            ("First stage", "feature maps (mean square) and attention (KL) of every layer"),
            ("Second stage", "half masked language model, half soft targets; next sentence"),
            DYNAMIC_ROW,
            PAIRS_ROW,
        ),
    )
    needs = ("ib-bert-miniature",)
    schedule = Schedule(steps=4_000, examples=48, documents=120_000, peak_rate=2e-3)
    # The layers are taught before the predictions are.
    second_stage = 0.4

    def make_student(self, tokenizer: Any) -> Any:
        """Feature maps and heads as the teacher's."""
        from transformers import MobileBertConfig, MobileBertForPreTraining

        teacher = self.teacher.config
        narrow = teacher.hidden_size // NARROWING
        config = MobileBertConfig(
            vocab_size=len(tokenizer),
            hidden_size=teacher.hidden_size,
            embedding_size=teacher.embedding_size,
            num_hidden_layers=teacher.num_hidden_layers,
            num_attention_heads=teacher.num_attention_heads,
            intra_bottleneck_size=narrow,
            intermediate_size=4 * narrow,
            num_feedforward_networks=FEED_FORWARDS,
            use_bottleneck_attention=False,
            key_query_shared_bottleneck=True,
            normalization_type="no_norm",
            hidden_act="relu",
            classifier_activation=False,
            max_position_embeddings=teacher.max_position_embeddings,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            initializer_range=teacher.initializer_range,
            pad_token_id=tokenizer.pad_token_id,
        )
        return MobileBertForPreTraining(config)

    def copy_from_teacher(self, model: Any) -> None:
        """Embeddings (all but the norm, which the student has none of) and both heads."""
        taught, own = self.teacher.mobilebert.embeddings, model.mobilebert.embeddings
        for name in (
            "word_embeddings",
            "embedding_transformation",
            "position_embeddings",
            "token_type_embeddings",
        ):
            getattr(own, name).load_state_dict(getattr(taught, name).state_dict())
        head, taught_head = model.cls, self.teacher.cls
        head.predictions.transform.dense.load_state_dict(
            taught_head.predictions.transform.dense.state_dict()
        )
        head.predictions.transform.LayerNorm.load_state_dict(
            taught_head.predictions.transform.LayerNorm.state_dict()
        )
        head.predictions.dense.load_state_dict(taught_head.predictions.dense.state_dict())
        head.predictions.decoder.bias.data.copy_(taught_head.predictions.decoder.bias)
        head.seq_relationship.load_state_dict(taught_head.seq_relationship.state_dict())

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The losses of the stage the batch is in."""
        stage = self.transfer_predictions if batch["stage"] else self.transfer_layers
        return stage(model, batch)

    def transfer_layers(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Feature maps and attention (section 3.5) of every layer."""
        return layer_losses(model, self.teacher, batch)

    def transfer_predictions(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The losses of the heads (section 3.5)."""
        import torch

        with torch.no_grad():
            targets, _ = pair_scores(self.teacher, batch)
        scores, order = pair_scores(model, batch)
        own = pair_losses(scores, order, batch)
        soft = soft_cross_entropy(scores, targets)
        loss = distillation_loss(own["loss_mlm"], soft, own.get("loss_nsp", 0.0), ALPHA)
        agreement = (scores.argmax(-1) == targets.argmax(-1)).float().mean()
        shown = {name.removeprefix("loss_"): value for name, value in own.items()}
        return {"loss": loss, "soft": soft, **shown, "agreement": agreement}

    def losses_alone(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The teacher's own objective."""
        return pair_losses(*pair_scores(model, batch), batch)

    def notes(self, model: Any, tokenizer: Any) -> Sequence[str]:
        """The next-sentence head's."""
        return (next_sentence_note(model, tokenizer),)


RECIPE = MobileBertRecipe()
