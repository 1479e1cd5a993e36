"""BERT (Devlin et al. 2019): masked tokens and next sentences from both directions."""

from explorer.hf.family import ClassChoice, HeadSpec, TransformersFamily

MASKED_LM = HeadSpec(
    name="masked_lm",
    title="Masked language model",
    tensors=(
        "cls.predictions.transform.dense.weight",
        "cls.predictions.transform.dense.bias",
        "cls.predictions.transform.LayerNorm.weight",
        "cls.predictions.transform.LayerNorm.bias",
        "cls.predictions.bias|cls.predictions.decoder.bias",
    ),
    tied={
        "cls.predictions.decoder.weight": "embeddings.word_embeddings.weight",
        "cls.predictions.decoder.bias": "cls.predictions.bias",
    },
    modules=("cls.predictions.",),
    operations=("fill_mask",),
)

NEXT_SENTENCE = HeadSpec(
    name="next_sentence",
    title="Next sentence",
    tensors=(
        "pooler.dense.weight",
        "pooler.dense.bias",
        "cls.seq_relationship.weight",
        "cls.seq_relationship.bias",
    ),
    modules=("cls.seq_relationship.", "pooler."),
)

FAMILY = TransformersFamily(
    id="bert",
    title="BERT",
    model_types=("bert",),
    heads_known=(MASKED_LM, NEXT_SENTENCE),
    classes=(
        ClassChoice("BertModel", frozenset()),
        ClassChoice("BertForMaskedLM", frozenset({"masked_lm"})),
        ClassChoice("BertForNextSentencePrediction", frozenset({"next_sentence"})),
        ClassChoice("BertForPreTraining", frozenset({"masked_lm", "next_sentence"})),
    ),
    prefix="bert",
    masked_lm_path="cls.predictions",
)
