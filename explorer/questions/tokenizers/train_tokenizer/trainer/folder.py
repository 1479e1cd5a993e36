"""A trained tokenizer as the files that transformers, and this program, open; standard library.

The tokenizer that cuts the text on the page is made from the same tokenizer.json, so that what is
saved is what was shown.
"""

import contextlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from explorer.questions.tokenizers.train_tokenizer.options import Algorithm
from explorer.questions.tokenizers.train_tokenizer.trainer.trained import TrainedVocabulary

CONTINUES = "##"
ENDS = "</w>"
SPACE = "▁"
LONGEST_WORD = 100
"""Characters of a word beyond which WordPiece finds no pieces, as in BERT."""


@dataclass(frozen=True)
class SpecialTokenStyle:
    """How a family writes its special tokens.

    Attributes:
        family: transformers' name of the family whose tokenizer is of this kind.
        special: The special tokens, in the order of their numbers.
        roles: What each is for, as tokenizer_config.json has it.
        first: What stands before a text; "" for nothing.
        last: What stands behind it.
    """

    family: str
    special: tuple[str, ...]
    roles: Mapping[str, str]
    first: str = ""
    last: str = ""


MANNERS: Mapping[Algorithm, SpecialTokenStyle] = {
    Algorithm.WORDPIECE: SpecialTokenStyle(
        "bert",
        ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
        {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"},
        "[CLS]",
        "[SEP]",
    ),
    Algorithm.BYTES: SpecialTokenStyle(
        "roberta",
        ("<s>", "<pad>", "</s>", "<unk>", "<mask>"),
        {
            "bos": "<s>",
            "cls": "<s>",
            "pad": "<pad>",
            "eos": "</s>",
            "sep": "</s>",
            "unk": "<unk>",
            "mask": "<mask>",
        },
        "<s>",
        "</s>",
    ),
    Algorithm.CHARACTERS: SpecialTokenStyle("openai-gpt", ("<unk>",), {"unk": "<unk>"}),
    Algorithm.UNIGRAM: SpecialTokenStyle(
        "albert",
        ("<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"),
        {
            "pad": "<pad>",
            "unk": "<unk>",
            "cls": "[CLS]",
            "bos": "[CLS]",
            "sep": "[SEP]",
            "eos": "[SEP]",
            "mask": "[MASK]",
        },
        "[CLS]",
        "[SEP]",
    ),
}
"""As BERT, RoBERTa, GPT-1 and ALBERT have them."""
FAMILIES = ("bert-miniature", "roberta-miniature", "gpt1-miniature", "albert-miniature")
"""The bundled checkpoints whose tokenizers are of these kinds."""


def normalizer(algorithm: Algorithm, *, lowercase: bool) -> dict[str, Any] | None:
    """How a text is prepared, as tokenizer.json says it."""
    if algorithm in (Algorithm.WORDPIECE, Algorithm.CHARACTERS):
        return {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": lowercase,
        }
    small: list[dict[str, Any]] = [{"type": "Lowercase"}] if lowercase else []
    if algorithm is Algorithm.BYTES:
        return small[0] if small else None
    spaces = {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}
    return {"type": "Sequence", "normalizers": [{"type": "NFKC"}, *small, spaces]}


def pre_tokenizer(algorithm: Algorithm) -> dict[str, Any]:
    """Where a text is cut before pieces are looked for."""
    if algorithm is Algorithm.BYTES:
        return _bytes(add_prefix_space=False)
    if algorithm is Algorithm.UNIGRAM:
        return _spaces()
    return {"type": "BertPreTokenizer"}


def tokenizer_json(one: TrainedVocabulary) -> dict[str, Any]:
    """All of a tokenizer, as the tokenizers library writes it."""
    manner = MANNERS[one.algorithm]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": number,
                "content": token,
                "single_word": False,
                # A piece brings its own space: "the [MASK]" is read as "the[MASK]".
                "lstrip": token == manner.roles.get("mask")
                and one.algorithm in (Algorithm.BYTES, Algorithm.UNIGRAM),
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for number, token in enumerate(manner.special)
        ],
        "normalizer": normalizer(one.algorithm, lowercase=one.lowercase),
        "pre_tokenizer": pre_tokenizer(one.algorithm),
        "post_processor": _around(manner),
        "decoder": _decoder(one.algorithm),
        "model": _model(one, manner),
    }


def tokenizer_config(one: TrainedVocabulary) -> dict[str, Any]:
    """What transformers reads beside it."""
    manner = MANNERS[one.algorithm]
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": 512,
        **{f"{role}_token": token for role, token in manner.roles.items()},
    }


def config(one: TrainedVocabulary) -> dict[str, Any]:
    """A model's config that says no more than whose kind of tokenizer it is, and how large."""
    return {"model_type": MANNERS[one.algorithm].family, "vocab_size": len(one.pieces)}


def _model(one: TrainedVocabulary, manner: SpecialTokenStyle) -> dict[str, Any]:
    if one.algorithm is Algorithm.UNIGRAM:
        return {
            "type": "Unigram",
            "unk_id": manner.special.index(manner.roles["unk"]),
            "vocab": [[*pair] for pair in zip(one.pieces, one.scores.tolist(), strict=True)],
            "byte_fallback": False,
        }
    vocabulary = {piece: number for number, piece in enumerate(one.pieces)}
    if one.algorithm is Algorithm.WORDPIECE:
        return {
            "type": "WordPiece",
            "unk_token": manner.roles["unk"],
            "continuing_subword_prefix": CONTINUES,
            "max_input_chars_per_word": LONGEST_WORD,
            "vocab": vocabulary,
        }
    of_bytes = one.algorithm is Algorithm.BYTES
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": None if of_bytes else manner.roles["unk"],
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None if of_bytes else ENDS,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": vocabulary,
        "merges": [[one.pieces[left], one.pieces[right]] for left, right, _ in one.merges],
    }


def _around(manner: SpecialTokenStyle) -> dict[str, Any] | None:
    """What stands around one text and around two."""
    if not manner.first:
        return None
    ids = {token: manner.special.index(token) for token in (manner.first, manner.last)}

    def token(name: str, kind: int) -> dict[str, Any]:
        return {"SpecialToken": {"id": name, "type_id": kind}}

    def text(name: str, kind: int) -> dict[str, Any]:
        return {"Sequence": {"id": name, "type_id": kind}}

    single = [token(manner.first, 0), text("A", 0), token(manner.last, 0)]
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [*single, text("B", 1), token(manner.last, 1)],
        "special_tokens": {
            name: {"id": name, "ids": [number], "tokens": [name]} for name, number in ids.items()
        },
    }


def _decoder(algorithm: Algorithm) -> dict[str, Any]:
    if algorithm is Algorithm.WORDPIECE:
        return {"type": "WordPiece", "prefix": CONTINUES, "cleanup": True}
    if algorithm is Algorithm.BYTES:
        return _bytes(add_prefix_space=True)
    if algorithm is Algorithm.UNIGRAM:
        return _spaces()
    return {"type": "BPEDecoder", "suffix": ENDS}


def _bytes(*, add_prefix_space: bool) -> dict[str, Any]:
    return {
        "type": "ByteLevel",
        "add_prefix_space": add_prefix_space,
        "trim_offsets": True,
        "use_regex": True,
    }


def _spaces() -> dict[str, Any]:
    return {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": "always", "split": True}


def write_folder(one: TrainedVocabulary, folder: Path) -> None:
    """Write the three files, all or none.

    Raises:
        OSError: They can't be written.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        for name, content in (
            ("tokenizer.json", tokenizer_json(one)),
            ("tokenizer_config.json", tokenizer_config(one)),
            ("config.json", config(one)),
        ):
            text = json.dumps(content, ensure_ascii=False, indent=2)
            (part / name).write_text(text, "utf-8")
        part.chmod(0o755)
        if folder.is_dir():
            folder.rmdir()
        part.rename(folder)
    except OSError:
        with contextlib.suppress(OSError):
            shutil.rmtree(part)
        raise
