"""BERT (Devlin et al. 2019): masked tokens and next sentences from both directions."""

from explorer.hf.family.base import TransformersFamily
from explorer.hf.family.bert_heads import MASKED_LM, NEXT_SENTENCE
from explorer.hf.family.specs import ClassChoice
from explorer.hf.family.task_heads import TASKS

FAMILY = TransformersFamily(
    id="bert",
    title="BERT",
    model_types=("bert",),
    heads_known=(MASKED_LM, NEXT_SENTENCE, *TASKS),
    classes=(
        ClassChoice("BertModel", frozenset()),
        ClassChoice("BertForMaskedLM", frozenset({"masked_lm"})),
        ClassChoice("BertForNextSentencePrediction", frozenset({"next_sentence"})),
        ClassChoice("BertForPreTraining", frozenset({"masked_lm", "next_sentence"})),
    ),
    prefix="bert",
    masked_lm_path="cls.predictions",
)
