"""The heads that BERT and the families built like it share, by the names of their tensors."""

from explorer.api import PairClassifier
from explorer.hf.family.offering import FILLS
from explorer.hf.family.specs import HeadSpec
from explorer.text import N_

MASKED_LM = HeadSpec(
    name="masked_lm",
    title=N_("Masked language model"),
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
    ports=FILLS,
)

NEXT_SENTENCE = HeadSpec(
    name="next_sentence",
    title=N_("Next sentence"),
    tensors=(
        "pooler.dense.weight",
        "pooler.dense.bias",
        "cls.seq_relationship.weight",
        "cls.seq_relationship.bias",
    ),
    modules=("cls.seq_relationship.", "pooler."),
    ports=(PairClassifier,),
    path="cls.seq_relationship",
)
