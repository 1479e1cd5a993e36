"""What tells one tokenizer from another: all that decides how it cuts text."""

import hashlib
import uuid
from typing import Any

from explorer.hf.facts import kept_with
from explorer.hf.text.vocabularies.pieces import special_pieces, vocabulary_hash

OWN_CODE = "explorer_cut_by"
"""What a tokenizer says of itself of which a part is written in Python, and can't be serialised: a
text that is another one where that part cuts otherwise."""


@kept_with
def tokenizer_fingerprint(tokenizer: Any) -> str:
    """blake2b of a tokenizer, 32 hexadecimal digits: its `vocabulary_hash`, then that of the whole.

    The whole is normaliser, pre-tokenizer, merges or scores, added tokens and what the library
    writes besides; how long texts are cut off or filled up is no part of it, for whoever encodes
    sets that. One that can't be serialised and says nothing of itself is like no other.

    Args:
        tokenizer: A fast transformers tokenizer.
    """
    said = (_written(tokenizer), *sorted(special_pieces(tokenizer)), str(tokenizer.unk_token))
    data = "\0".join(said).encode("utf-8", "surrogatepass")
    return vocabulary_hash(tokenizer) + hashlib.blake2b(data, digest_size=8).hexdigest()


def _written(tokenizer: Any) -> str:
    """All of a tokenizer as a text."""
    try:
        written: str = tokenizer.backend_tokenizer.to_str()
    except Exception:  # noqa: BLE001 - tokenizers raises a bare Exception for parts in Python
        return getattr(tokenizer, OWN_CODE, None) or uuid.uuid4().hex
    # Truncation and padding are written before all else.
    _set, mark, rest = written.partition('"added_tokens":')
    return mark + rest or written
