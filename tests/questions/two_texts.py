"""Two texts with a mask each and all kinds of tokens, written by hand."""

from explorer.api.question import LeftOut, ModelStamp, Token
from explorer.document import Document, Mask

STAMP = ModelStamp("bert-mini", "bert", "0123456789abcdef0123456789abcdef", "cpu", "float32")
DOCUMENT = Document("The soup was hot and שלום.", "She smiled.", (Mask(4, 8), Mask(4, 10, 1)))
LEFT_OUT = LeftOut(tokens=41, limit=12, part=1, start=10, masks=2)
TOKENS = (
    Token("[CLS]", 2, 0, 0, special=True),
    Token("the", 10, 0, 3, special=False),
    Token("[MASK]", 4, 4, 8, special=False, masked=True, original=77),
    Token("was", 11, 9, 12, special=False),
    Token("ho", 12, 13, 15, special=False),
    Token("##t", 13, 15, 16, special=False, joined=True),
    Token("and", 14, 17, 20, special=False),
    Token("[UNK]", 1, 21, 25, special=False, unknown=True),
    Token(".", 15, 25, 26, special=False),
    Token("[SEP]", 3, 26, 26, special=True),
    Token("she", 16, 0, 3, special=False, part=1),
    Token("[MASK]", 4, 4, 10, special=False, part=1, masked=True, original=78),
    Token(".", 15, 10, 11, special=False, part=1),
    Token("[SEP]", 3, 11, 11, special=True, part=1),
)
