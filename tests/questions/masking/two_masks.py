"""A sentence with two masks, and words for them, written by hand."""

from explorer.api.question import ModelStamp, Prediction, Token
from explorer.document import Document

STAMP = ModelStamp("bert-mini", "bert", "0" * 32, "cpu", "float32")
DOCUMENT = Document("It is [MASK] [MASK].", top_k=10)
TOKENS = (
    Token("[CLS]", 2, 0, 0, special=True),
    Token("it", 10, 0, 2, special=False),
    Token("is", 11, 3, 5, special=False),
    Token("[MASK]", 4, 6, 12, special=False, masked=True),
    Token("[MASK]", 4, 13, 19, special=False, masked=True),
    Token(".", 12, 19, 20, special=False),
    Token("[SEP]", 3, 20, 20, special=True),
)


def piece(word, probability, rank=1, token=None, glue=""):
    return Prediction(token or word, sum(map(ord, word)), probability, word, rank, glue=glue)
