"""A unigram vocabulary as the file ``spiece.model`` that ALBERT and T5 were published with.

A SentencePiece model (Kudo and Richardson 2018) is a protocol-buffer message: pieces with their
log-probabilities, what kind each is, and how a text is made ready. Here a text is made ready as
the tokenizer of the miniature does: runs of spaces become one, a space is put before the first
word, and letters stay as they are (ALBERT's small letters are made before SentencePiece reads).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

FILE: Final = "spiece.model"
UNKNOWN: Final = "<unk>"


def unigram_pieces(tokenizer: Any) -> list[tuple[str, float]]:
    """Pieces and log-probabilities of a transformers tokenizer, in the order of their numbers.

    Raises:
        ValueError: the tokenizer is not a unigram model.
    """
    model = json.loads(tokenizer.backend_tokenizer.to_str())["model"]
    if model["type"] != "Unigram":
        raise ValueError(f"The tokenizer is a {model['type']}. Give a Unigram one.")
    return [(piece, float(score)) for piece, score in model["vocab"]]


def write_sentencepiece(
    pieces: Sequence[tuple[str, float]], special: Sequence[str], folder: Path
) -> None:
    """Write ``spiece.model`` to a folder.

    Args:
        pieces: pieces with log-probabilities; a piece's place is its number.
        special: those that are no text, ``<unk>`` among them.
        folder: where to write.
    """
    from sentencepiece import sentencepiece_model_pb2 as messages

    model = messages.ModelProto()
    kinds = messages.ModelProto.SentencePiece
    for piece, score in pieces:
        kind = kinds.NORMAL if piece not in special else kinds.CONTROL
        model.pieces.add(piece=piece, score=score, type=kinds.UNKNOWN if piece == UNKNOWN else kind)
    numbers = {piece: number for number, (piece, _) in enumerate(pieces)}
    trainer = model.trainer_spec
    trainer.model_type = messages.TrainerSpec.UNIGRAM
    trainer.vocab_size = len(pieces)
    trainer.unk_id = numbers[UNKNOWN]
    trainer.pad_id = numbers["<pad>"]
    trainer.bos_id = numbers.get("[CLS]", -1)
    trainer.eos_id = numbers.get("[SEP]", numbers.get("</s>", -1))
    trainer.bos_piece, trainer.eos_piece = "[CLS]", "[SEP]" if "[SEP]" in numbers else "</s>"
    normalizer = model.normalizer_spec
    normalizer.name = "identity"
    normalizer.add_dummy_prefix = True
    normalizer.remove_extra_whitespaces = True
    normalizer.escape_whitespaces = True
    (folder / FILE).write_bytes(model.SerializeToString(deterministic=True))
