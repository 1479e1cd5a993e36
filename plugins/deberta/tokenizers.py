"""Makes transformers' DeBERTa tokenizers cut text as the authors' do.

transformers 5 builds these tokenizers anew from the vocabulary and loses three things on the way:
v1 puts two [SEP] between two texts, a typed [MASK] leaves the space before it as a token of its
own, and v2 and v3 do not normalise characters as their SentencePiece model says (so a
non-breaking space or a ligature becomes [UNK]). What is put right here is what the files say.
"""

from pathlib import Path
from typing import Any

SPM = "spm.model"
JSON = "tokenizer.json"


def as_the_authors_cut(tokenizer: Any, folder: Path) -> None:
    """Change a loaded tokenizer; one that is wholly described by its tokenizer.json is left alone.

    Args:
        tokenizer: A fast transformers tokenizer.
        folder: The checkpoint's.
    """
    kind = type(tokenizer).__name__
    if kind not in {"DebertaTokenizer", "DebertaV2Tokenizer"}:
        return
    from tokenizers import AddedToken, processors

    backend = tokenizer.backend_tokenizer
    start, end, mask = tokenizer.cls_token, tokenizer.sep_token, tokenizer.mask_token
    backend.post_processor = processors.TemplateProcessing(
        single=f"{start}:0 $A:0 {end}:0",
        pair=f"{start}:0 $A:0 {end}:0 $B:1 {end}:1",
        special_tokens=[(start, tokenizer.cls_token_id), (end, tokenizer.sep_token_id)],
    )
    # A mask stands for a whole piece, and pieces begin with the space before them.
    backend.add_special_tokens([AddedToken(mask, lstrip=True, normalized=False, special=True)])
    if kind == "DebertaV2Tokenizer":
        _normalise_as_sentencepiece(tokenizer, folder)


def _normalise_as_sentencepiece(tokenizer: Any, folder: Path) -> None:
    from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers

    backend = tokenizer.backend_tokenizer
    if (folder / SPM).is_file():
        table = _character_map(folder / SPM)
        if table:
            steps: list[Any] = [normalizers.Lowercase()] if tokenizer.do_lower_case else []
            steps += [
                normalizers.Precompiled(table),
                normalizers.Replace(Regex(" {2,}"), " "),
                normalizers.Strip(left=False, right=True),
            ]
            backend.normalizer = normalizers.Sequence(steps)
    elif (folder / JSON).is_file():
        backend.normalizer = Tokenizer.from_file(str(folder / JSON)).normalizer
    # "first": what follows a mask without a space ("[MASK].") gets none put before it.
    metaspace = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="first")
    if tokenizer.split_by_punct:
        punctuation = pre_tokenizers.Punctuation(behavior="isolated")
        backend.pre_tokenizer = pre_tokenizers.Sequence([punctuation, metaspace])
    else:
        backend.pre_tokenizer = metaspace


def _character_map(path: Path) -> bytes:
    """The table by which a SentencePiece model normalises characters; empty where it has none."""
    from sentencepiece import sentencepiece_model_pb2

    model = sentencepiece_model_pb2.ModelProto()
    model.ParseFromString(path.read_bytes())
    return bytes(model.normalizer_spec.precompiled_charsmap)
