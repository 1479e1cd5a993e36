"""DistilBERT in miniature: half of BERT's layers, as wide, taught by BERT's soft targets.

Sanh et al. 2019: no segments and no pooler; every other layer of the teacher to start with;
single texts, masks drawn anew each time; ``5 L_soft(T = 2) + 2 L_mlm + 1 L_cos``.

What differs from the paper: sizes; the soft targets are compared at the selected tokens, where
there is something to tell (the released training has this as an option); what the teacher adds to
every token as segment 0 is added to the positions, so that both embed a text alike at the start.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from explorer.learning.batches.losses import encode, masked_losses, selected_states
from explorer.learning.batches.pairs import PairReading
from explorer.learning.recipe import Schedule
from explorer.objectives.distillation.hidden_state_cosine import cosine_loss
from explorer.objectives.distillation.soft_targets import soft_target_loss
from explorer.pretraining.cards.masked import DYNAMIC_ROW
from explorer.pretraining.cards.page import FamilyCard
from explorer.pretraining.distillation.students import TOKENIZER, StudentRecipe

TEMPERATURE: Final = 2.0
SOFT_WEIGHT: Final = 5.0
MLM_WEIGHT: Final = 2.0
COSINE_WEIGHT: Final = 1.0

# The student's name of each tensor of a layer: the teacher's.
LAYER: Final = {
    "attention.q_lin": "attention.self.query",
    "attention.k_lin": "attention.self.key",
    "attention.v_lin": "attention.self.value",
    "attention.out_lin": "attention.output.dense",
    "sa_layer_norm": "attention.output.LayerNorm",
    "ffn.lin1": "intermediate.dense",
    "ffn.lin2": "output.dense",
    "output_layer_norm": "output.LayerNorm",
}


class DistilBertRecipe(StudentRecipe):
    """Architecture and objective of the DistilBERT miniature."""

    name = "distilbert-miniature"
    title = "DistilBERT"
    about = FamilyCard(
        recipe="distilbert",
        family="DistilBERT",
        tokenizer=TOKENIZER,
        loads_with="`AutoTokenizer` and `DistilBertForMaskedLM`",
        rows=(
            ("Teacher", "bert-miniature; every other of its layers to start with"),
            ("Left out", "segments and pooler"),
            (
                "Loss",
                "5 x soft targets at T = 2 (times 4), 2 x masked language model, 1 x cosine",
            ),
            DYNAMIC_ROW,
        ),
    )
    needs = ("bert-miniature",)
    schedule = Schedule(steps=3_000, examples=48, documents=80_000, peak_rate=2e-3)
    reading = PairReading(pairs=0.0)

    def make_student(self, tokenizer: Any) -> Any:
        """Half of the teacher's layers."""
        from transformers import DistilBertConfig, DistilBertForMaskedLM

        teacher = self.teacher.config
        config = DistilBertConfig(
            vocab_size=len(tokenizer),
            dim=teacher.hidden_size,
            n_layers=teacher.num_hidden_layers // 2,
            n_heads=teacher.num_attention_heads,
            hidden_dim=teacher.intermediate_size,
            max_position_embeddings=teacher.max_position_embeddings,
            dropout=0.0,
            attention_dropout=0.0,
            initializer_range=teacher.initializer_range,
            pad_token_id=tokenizer.pad_token_id,
        )
        return DistilBertForMaskedLM(config)

    def copy_from_teacher(self, model: Any) -> None:
        """Embeddings, every other layer from the first, and the head."""
        teacher = self.teacher
        bert, own = teacher.bert, model.distilbert
        own.embeddings.word_embeddings.load_state_dict(bert.embeddings.word_embeddings.state_dict())
        own.embeddings.position_embeddings.weight.data.copy_(
            bert.embeddings.position_embeddings.weight
            + bert.embeddings.token_type_embeddings.weight[0]
        )
        own.embeddings.LayerNorm.load_state_dict(bert.embeddings.LayerNorm.state_dict())
        for layer, taught in zip(own.transformer.layer, bert.encoder.layer[::2], strict=True):
            for name, source in LAYER.items():
                layer.get_submodule(name).load_state_dict(taught.get_submodule(source).state_dict())
        head = teacher.cls.predictions
        model.vocab_transform.load_state_dict(head.transform.dense.state_dict())
        model.vocab_layer_norm.load_state_dict(head.transform.LayerNorm.state_dict())
        model.vocab_projector.bias.data.copy_(head.bias)

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The weighted sum, and each of its three terms without its weight."""
        import torch

        with torch.no_grad():
            taught = encode(self.teacher, batch).last_hidden_state
            targets = self.teacher.cls.predictions(selected_states(taught, batch))
        learnt = encode(model, batch).last_hidden_state
        scores = masked_scores(model, selected_states(learnt, batch))
        soft = soft_target_loss(scores, targets, TEMPERATURE)
        own = masked_losses(scores, batch)
        mlm = own["loss_mlm"]
        cosine = cosine_loss(learnt, taught, batch["attention_mask"])
        return {
            "loss": SOFT_WEIGHT * soft + MLM_WEIGHT * mlm + COSINE_WEIGHT * cosine,
            "soft": soft,
            "mlm": mlm,
            "cosine": cosine,
            "mlm_accuracy": own["mlm_accuracy"],
            "agreement": (scores.argmax(-1) == targets.argmax(-1)).float().mean(),
        }

    def losses_alone(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The masked language model."""
        states = selected_states(encode(model, batch).last_hidden_state, batch)
        return masked_losses(masked_scores(model, states), batch)


def masked_scores(model: Any, hidden: Any) -> Any:
    """Logits of DistilBERT's head, which its class keeps in its forward."""
    transformed = model.activation(model.vocab_transform(hidden))
    return model.vocab_projector(model.vocab_layer_norm(transformed))


RECIPE = DistilBertRecipe()
