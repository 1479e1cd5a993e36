"""A word is followed through a tokenizer, by what its files say."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from explorer.api.question import Context, Unavailable, UserMistake, check_text
from explorer.hf.kept import kept
from explorer.hf.text.alone import algorithm_of, cut_alone, is_byte_level
from explorer.hf.text.shelved import shelf_of, stamp_alone, tokenizer_of
from explorer.hf.text.vocabularies.pieces import end_of_words
from explorer.hf.text.words import words_of
from explorer.questions.tokenizers.casting import FIRST
from explorer.questions.tokenizers.merge_steps import walks
from explorer.questions.tokenizers.merge_steps.question import (
    LONGEST,
    MergeStepsRequest,
    MergeStepsResult,
    SegmentationMethod,
    WordPart,
    spans,
)
from explorer.text import N_
from explorer.text.printable import without_surrogates

METHODS = {
    "WordPiece": SegmentationMethod.LONGEST,
    "Unigram": SegmentationMethod.LATTICE,
    "BPE": SegmentationMethod.MERGES,
}


def run(model: Any, request: MergeStepsRequest, context: Context) -> MergeStepsResult:
    """Follow a word of the text.

    Raises:
        UserMistake: The text is empty, or the word is too long.
        Unavailable: The tokenizer finds its pieces in no way that is known here.
        CheckpointFault: The tokenizer can't be read.
    """
    check_text(request.text)
    shelf = shelf_of(context)
    name = request.tokenizer or (model.stamp.id if model is not None else FIRST)
    known = shelf.known(name)
    context.check()
    tokenizer = tokenizer_of(known)
    context.check()
    text = without_surrogates(request.text)
    words = _words(text)
    word = request.word or _first_cut(tokenizer, words)
    if len(word) > LONGEST:
        raise UserMistake(
            N_("A word of {count} characters is too long to be followed; {most} are the most."),
            N_("Choose another word."),
            count=len(word),
            most=LONGEST,
        )
    # In the text a space stands before it, which some vocabularies count to the word.
    spaced = word if text.lstrip().startswith(word) else f" {word}"
    cut = cut_alone(tokenizer, spaced)
    pieces = tuple(cut.kinds[number].text for number in cut.which)
    method, parts = _walked(tokenizer, known.files.tokenizer_folder, spaced)
    walked = tuple(piece for part in parts for piece in part.pieces)
    stamp = stamp_alone(known, tokenizer)
    return MergeStepsResult(
        model=model.stamp if model is not None and model.stamp.id == stamp.id else stamp,
        tokenizer=known.checkpoint.id,
        title=known.checkpoint.title,
        algorithm=algorithm_of(tokenizer),
        method=method,
        word=word,
        words=tuple(dict.fromkeys(words)),
        parts=parts,
        pieces=pieces,
        agrees=walked == pieces,
    )


def _words(text: str) -> list[str]:
    """The words of a text, signs included."""
    found: dict[int, str] = {}
    for character, number in zip(text, words_of(text), strict=True):
        if number >= 0:
            found[int(number)] = found.get(int(number), "") + character
    return list(found.values())


def _first_cut(tokenizer: Any, words: Sequence[str]) -> str:
    """The first word that becomes several pieces; the first one where none does."""
    several = (one for one in words if len(cut_alone(tokenizer, f" {one}").which) > 1)
    return next(several, words[0])


def _walked(
    tokenizer: Any, folder: Path, word: str
) -> tuple[SegmentationMethod, tuple[WordPart, ...]]:
    backend = tokenizer.backend_tokenizer
    kind = "BPE" if algorithm_of(tokenizer) == "BPE" else type(backend.model).__name__
    method = METHODS.get(kind)
    if method is None:
        raise Unavailable(
            N_("How a tokenizer of the kind {kind} finds its pieces can't be followed."), kind=kind
        )
    if type(backend.model).__name__ == "WordLevel":
        # XLM's words are cut by its own code, from merges in a file of their own.
        merges = _read_merges(folder / "merges.txt")
        return method, (_merged(tokenizer, word.strip(), _ranks(merges)),)
    model = _model_of(tokenizer)
    normal = backend.normalizer.normalize_str(word) if backend.normalizer else word
    cutter = backend.pre_tokenizer
    parts = [part for part, _ in cutter.pre_tokenize_str(normal)] if cutter else [normal]
    if method is SegmentationMethod.LONGEST:
        return method, tuple(_longest(tokenizer, model, part) for part in parts)
    if method is SegmentationMethod.LATTICE:
        return method, tuple(_likeliest(model, part) for part in parts)
    return method, tuple(_merged(tokenizer, part, model["ranks"]) for part in parts)


def _model_of(tokenizer: Any) -> dict[str, Any]:
    """What a tokenizer's file says of its pieces, and the ranks of its merges.

    The last one's is kept, for the next word that is followed is cut by the same as a rule.
    """
    return kept("model of a tokenizer", lambda: _written(tokenizer), of=tokenizer, most=1)


def _written(tokenizer: Any) -> dict[str, Any]:
    model: dict[str, Any] = json.loads(tokenizer.backend_tokenizer.to_str())["model"]
    if "merges" in model:
        model["ranks"] = _ranks(
            [pair if isinstance(pair, list) else pair.split(" ") for pair in model["merges"]]
        )
    return model


def _ranks(merges: Sequence[Sequence[str]]) -> dict[tuple[str, str], int]:
    return {(pair[0], pair[1]): rank for rank, pair in enumerate(merges)}


def _read_merges(path: Path) -> list[tuple[str, ...]]:
    """Pairs of a merges.txt in their order; a line may have a count behind them."""
    lines = path.read_text("utf-8").splitlines()
    return [tuple(line.split(" ")[:2]) for line in lines if " " in line and line[:2] != "#v"]


def _merged(tokenizer: Any, part: str, ranks: Mapping[tuple[str, str], int]) -> WordPart:
    letters = [*part[:-1], part[-1] + end_of_words(tokenizer)]
    steps = tuple(walks.merges(letters, ranks))
    vocabulary = tokenizer.get_vocab()
    found = ["".join(letters[start:end]) for start, end in spans(steps[-1].ends)]
    unknown = "" if is_byte_level(tokenizer) else str(tokenizer.unk_token)
    return WordPart(
        tuple(letters), steps, tuple(one if one in vocabulary else unknown for one in found)
    )


def _longest(tokenizer: Any, model: dict[str, Any], part: str) -> WordPart:
    prefix, vocabulary = model["continuing_subword_prefix"], model["vocab"]

    def written(piece: str, continues: bool) -> str:
        return f"{prefix}{piece}" if continues else piece

    steps = tuple(
        walks.longest_first(
            part,
            lambda piece, continues: written(piece, continues) in vocabulary,
            model["max_input_chars_per_word"],
        )
    )
    last = steps[-1]
    pieces = tuple(written(part[a:b], a > 0) for a, b in spans(last.ends))
    return WordPart(tuple(part), steps, pieces if last.found else (str(tokenizer.unk_token),))


def _likeliest(model: dict[str, Any], part: str) -> WordPart:
    scores = dict(model["vocab"])
    names = [piece for piece, _ in model["vocab"]]
    unknown = names[model["unk_id"]]
    # Special pieces are no part of any text.
    least = min(scores.values())
    steps, paths = walks.lattice(part, scores, least - walks.UNKNOWN_PENALTY)
    pieces: list[str] = []
    for start, end in spans(paths[0].ends):
        piece = part[start:end]
        own = piece if piece in scores else unknown
        if own != unknown or pieces[-1:] != [unknown]:  # unknown letters in a row are one piece
            pieces.append(own)
    return WordPart(tuple(part), steps, tuple(pieces), paths)
