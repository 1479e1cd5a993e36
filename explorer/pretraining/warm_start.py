"""Starting from the BERT miniature's weights, for families that are BERT with other masks.

The papers train from fresh weights. Here the small world's text is learned once, by BERT, and a
family goes on from there with its own objective: much less time, and whatever then differs between
the two comes from the objective.
"""

from __future__ import annotations

from typing import Any, Final

from explorer.pretraining.students import load_teacher, teacher_folder

BERT: Final = "bert-miniature"
ROW: Final = ("Starts from", "the BERT miniature's weights; the papers' models from fresh ones")


def bert_tokenizer() -> Any:
    """The BERT miniature's very tokenizer.

    Raises:
        CheckpointError: the BERT miniature has not been trained.
    """
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(teacher_folder(BERT))


def copy_from_bert(model: Any) -> set[str]:
    """Give a model BERT's encoder and masked-language-model head.

    Args:
        model: names its weights as BERT does, but for the encoder's prefix.

    Returns:
        The names of the weights that BERT does not have; they stay fresh.

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
    return set(own) - set(weights)
