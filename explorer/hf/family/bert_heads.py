"""The heads that BERT and the families built like it share, by the names of their tensors."""

from explorer.api.family import PairClassifier
from explorer.hf.family.offering import FILLS
from explorer.hf.family.specs import MASKED_LM, HeadSpec
from explorer.text import N_

BERT_MASKED_LM = HeadSpec(
    name=MASKED_LM,
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
"""BERT's head for masked tokens: dense, GELU, layer norm, and the word embeddings as its matrix
(Devlin et al. 2019, section 3.1, task 1)."""

BERT_NEXT_SENTENCE = HeadSpec(
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
"""BERT's two classes of a pair, from its pooled first token (Devlin et al. 2019, section 3.1,
task 2)."""
