"""Starting from the BERT miniature's weights, for families that are BERT with other masks.

The papers train from fresh weights. Here the small world's text is learned once, by BERT, and a
family goes on from there with its own objective: much less time, and whatever then differs between
the two comes from the objective.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Final

from explorer.pretraining.distillation.students import bundled_tokenizer, load_teacher
from explorer.pretraining.recipes.encoders.bert import BertRecipe
from explorer.world.corpus import CorpusDocument

BERT: Final = "bert-miniature"
ROW: Final = ("Starts from", "bert-miniature's weights; the papers' models from fresh ones")


class WarmStartRecipe(BertRecipe):
    """BERT's tokenizer and weights, for a model that names them as BERT does."""

    needs = (BERT,)

    def make_tokenizer(self, documents: Sequence[CorpusDocument]) -> Any:  # noqa: ARG002
        """That of BERT's miniature."""
        return bundled_tokenizer(BERT)

    def notes(self, model: Any, tokenizer: Any) -> Sequence[str]:  # noqa: ARG002
        """Nothing: these families know no pairs."""
        return ()

    @abstractmethod
    def make_fresh(self, tokenizer: Any) -> Any:
        """The architecture with fresh weights."""

    def make_model(self, tokenizer: Any) -> Any:
        """The architecture with BERT's weights where BERT has them."""
        model = self.make_fresh(tokenizer)
        copy_from_bert(model)
        return model


def copy_from_bert(model: Any) -> None:
    """Give a model BERT's encoder and masked-language-model head; what BERT has not stays fresh.

    Args:
        model: names its weights as BERT does, but for the encoder's prefix.

    Raises:
        CheckpointError: the BERT miniature has not been trained.
    """
    teacher = load_teacher(BERT)
    prefix = f"{teacher.base_model_prefix}."
    weights = {
        f"{model.base_model_prefix}.{name.removeprefix(prefix)}"
        if name.startswith(prefix)
        else name: weight
        for name, weight in teacher.state_dict().items()
    }
    own = model.state_dict()
    model.load_state_dict({name: weights.get(name, weight) for name, weight in own.items()})
