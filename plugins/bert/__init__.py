"""BERT (Devlin et al. 2019): masked tokens and next sentences from both directions."""

from explorer.hf import (
    BERT_MASKED_LM,
    BERT_NEXT_SENTENCE,
    TASK_HEADS,
    ClassChoice,
    TransformersFamily,
)

FAMILY = TransformersFamily(
    id="bert",
    title="BERT",
    model_types=("bert",),
    heads_known=(BERT_MASKED_LM, BERT_NEXT_SENTENCE, *TASK_HEADS),
    classes=(
        ClassChoice("BertModel", frozenset()),
        ClassChoice("BertForMaskedLM", frozenset({"masked_lm"})),
        ClassChoice("BertForNextSentencePrediction", frozenset({"next_sentence"})),
        ClassChoice("BertForPreTraining", frozenset({"masked_lm", "next_sentence"})),
    ),
    prefix="bert",
    masked_lm_path="cls.predictions",
)
