"""TinyBERT in miniature: thinner and shallower than BERT, and taught layer by layer.

Jiao et al. 2020, section 3: first the layers (attention scores, hidden states through W_h,
embeddings through W_e), then the prediction layer (soft cross-entropy at t = 1). In the paper the
first stage is general distillation and the second, which has both, is task-specific. Here the task
is what the teacher was trained for: the masked pieces and the next sentence.

What differs from the paper: sizes; W_h and W_e have biases and each layer its own W_h, as in the
second version of the published models; predictions are compared at the selected tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from explorer.learning.batches.losses import encode, pair_losses, pair_scores
from explorer.learning.distilling.teachers.attention_scores import captured_scores
from explorer.learning.recipe import Schedule
from explorer.objectives import IGNORED
from explorer.objectives.distillation.attention_and_hidden_matching import (
    attention_loss,
    hidden_loss,
    uniform_layer_map,
)
from explorer.objectives.distillation.soft_targets import soft_cross_entropy
from explorer.pretraining.cards.masked import DYNAMIC_ROW, PAIRS_ROW, next_sentence_note
from explorer.pretraining.cards.page import FamilyCard
from explorer.pretraining.distillation.students import TOKENIZER, StudentRecipe

LAYERS: Final = 2
WIDTH: Final = 96
TEMPERATURE: Final = 1.0


def match_layers(model: Any, teacher: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
    """Equations 7 to 9, summed over the layers with weight 1 each (equation 11)."""
    import torch

    real = batch["attention_mask"]
    with torch.no_grad(), captured_scores(teacher) as taught_scores:
        taught = encode(teacher, batch, output_hidden_states=True).hidden_states
    with captured_scores(model) as scores:
        learnt = encode(model, batch, output_hidden_states=True).hidden_states
    measured = {"loss_embedding": hidden_loss(model.fit_denses[0](learnt[0]), taught[0], real)}
    for layer, source in enumerate(uniform_layer_map(LAYERS, len(taught_scores)), start=1):
        projected = model.fit_denses[layer](learnt[layer])
        measured[f"loss_hidden_{layer}"] = hidden_loss(projected, taught[source], real)
        measured[f"loss_attention_{layer}"] = attention_loss(
            scores[layer - 1], taught_scores[source - 1], real
        )
    return measured


class TinyBertRecipe(StudentRecipe):
    """Architecture and objective of the TinyBERT miniature."""

    name = "tinybert-miniature"
    title = "TinyBERT"
    about = FamilyCard(
        recipe="tinybert",
        family="TinyBERT",
        tokenizer=TOKENIZER,
        loads_with="`AutoTokenizer`, `BertForMaskedLM` and `BertForPreTraining`",
        rows=(
            ("Teacher", "bert-miniature; layers 1 and 2 learned from its layers 2 and 4"),
            ("First stage", "attention scores, hidden states and embeddings: mean squares"),
            ("Second stage", "predictions: soft cross-entropy at t = 1, for both heads"),
            (
                "`fit_denses`",
                "0 is W_e; 1 and 2 are W_h at layers 1 and 2 (second published version)",
            ),
            DYNAMIC_ROW,
            PAIRS_ROW,
        ),
    )
    needs = ("bert-miniature",)
    schedule = Schedule(steps=6_000, examples=48, documents=120_000, peak_rate=2e-3)
    # The layers are taught before the predictions are.
    second_stage = 0.4

    def make_student(self, tokenizer: Any) -> Any:
        """As many heads as the teacher, so that attention can be compared."""
        from transformers import BertConfig

        from explorer.pretraining.models import TinyBertForPreTraining

        teacher = self.teacher.config
        config = BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=WIDTH,
            num_hidden_layers=LAYERS,
            num_attention_heads=teacher.num_attention_heads,
            intermediate_size=4 * WIDTH,
            max_position_embeddings=teacher.max_position_embeddings,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            initializer_range=teacher.initializer_range,
            pad_token_id=tokenizer.pad_token_id,
            fit_size=teacher.hidden_size,
        )
        return TinyBertForPreTraining(config)

    def copy_from_teacher(self, model: Any) -> None:
        """Nothing fits: the student is thinner."""

    def losses(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The losses of the stage the batch is in."""
        return (
            self.match_predictions(model, batch)
            if batch["stage"]
            else match_layers(model, self.teacher, batch)
        )

    def match_predictions(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Equation 10 for both heads."""
        import torch

        with torch.no_grad():
            targets, taught_order = pair_scores(self.teacher, batch)
        scores, order = pair_scores(model, batch)
        shown = pair_losses(scores, order, batch)
        measured = {"loss_prediction": soft_cross_entropy(scores, targets, TEMPERATURE)}
        paired = batch["next_sentence_label"] != IGNORED
        if bool(paired.any()):
            measured["loss_order"] = soft_cross_entropy(
                order[paired], taught_order[paired], TEMPERATURE
            )
        measured["agreement"] = (scores.argmax(-1) == targets.argmax(-1)).float().mean()
        return measured | {name.removeprefix("loss_"): value for name, value in shown.items()}

    def losses_alone(self, model: Any, batch: Mapping[str, Any]) -> dict[str, Any]:
        """The teacher's own objective."""
        return pair_losses(*pair_scores(model, batch), batch)

    def notes(self, model: Any, tokenizer: Any) -> Sequence[str]:
        """The next-sentence head's."""
        return (next_sentence_note(model, tokenizer),)


RECIPE = TinyBertRecipe()
