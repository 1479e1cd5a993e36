"""A text whose second word is cut, as pages of masking draw it."""

from explorer.api.question import ModelStamp, Token
from explorer.document import Document

STAMP = ModelStamp("m", "bert", "0" * 32, "cpu", "float32")
TEXT = "the cats sat"
DOCUMENT = Document(TEXT)
TOKENS = (
    Token("[CLS]", 2, 0, 0, special=True),
    Token("the", 10, 0, 3, special=False),
    Token("cat", 11, 4, 7, special=False),
    Token("##s", 12, 7, 8, special=False, joined=True),
    Token("sat", 13, 9, 12, special=False),
    Token("[SEP]", 3, 12, 12, special=True),
)
