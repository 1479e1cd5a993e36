"""Training tokenizers, and cutting a text with each."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from explorer.api.question import Context, MachineFault, ModelStamp, UserMistake, check_text
from explorer.hf.kept import kept
from explorer.hf.text.words import words_of
from explorer.questions.tokenizers.side_by_side.compute import cutting
from explorer.questions.tokenizers.side_by_side.question import SideBySideResult
from explorer.questions.tokenizers.train_tokenizer.options import NAMES, STAGES, Algorithm, Case
from explorer.questions.tokenizers.train_tokenizer.question import (
    RefusedAlgorithm,
    TrainTokenizerRequest,
    TrainTokenizerResult,
)
from explorer.questions.tokenizers.train_tokenizer.trainer.apart import messages
from explorer.questions.tokenizers.train_tokenizer.trainer.folder import (
    tokenizer_config,
    tokenizer_json,
)
from explorer.questions.tokenizers.train_tokenizer.trainer.kept import (
    TrainingOutcome,
    WantedTokenizer,
    find,
    keep,
)
from explorer.questions.tokenizers.train_tokenizer.trainer.texts import digest_of
from explorer.questions.tokenizers.train_tokenizer.trainer.trained import (
    TrainedVocabulary,
    TrainingText,
)
from explorer.serialise import from_json
from explorer.text import N_, Phrase
from explorer.text.printable import without_surrogates

Outcomes = Mapping[Algorithm, TrainingOutcome]


def run(_model: Any, request: TrainTokenizerRequest, context: Context) -> TrainTokenizerResult:
    """Train what was not trained yet, and cut the text.

    Raises:
        UserMistake: The text is empty, no algorithm is chosen, or the file can't be read.
        MachineFault: Training failed.
        Cancelled: The run was cancelled.
    """
    check_text(request.text)
    if not request.algorithms:
        raise UserMistake(N_("No algorithm is chosen."), N_("Choose one or more."))
    source = source_of(request, context)
    wanted = wanted_by(request, source.digest)
    found = {one: find(what, context.cache) for one, what in wanted.items()}
    outcomes = {one: outcome for one, outcome in found.items() if outcome is not None}
    missing = {one: what for one, what in wanted.items() if one not in outcomes}
    is_kept = True
    for algorithm, outcome in trained(request, missing, context) if request.train else ():
        is_kept = keep(missing[algorithm], outcome, context.cache) and is_kept
        outcomes[algorithm] = outcome
        context.show(partial(_result, request, source, dict(outcomes), is_kept=True))
    return _result(request, source, outcomes, is_kept=is_kept)


def source_of(request: TrainTokenizerRequest, context: Context) -> TrainingText:
    """The text, of which nothing is counted yet.

    Raises:
        UserMistake: The file can't be read.
    """
    digest, is_cut = digest_of(request.path, request.world, context.check)
    return TrainingText(Path(request.path).name if request.path else "", digest, 0, 0, 0, is_cut)


def wanted_by(request: TrainTokenizerRequest, digest: str) -> Mapping[Algorithm, WantedTokenizer]:
    """What is to be trained on a text."""
    return {
        one: WantedTokenizer(digest, one, request.vocabulary, _is_small(one, request.case))
        for one in Algorithm
        if one in request.algorithms
    }


def _is_small(algorithm: Algorithm, case: Case) -> bool:
    """Whether capital letters are made small."""
    return algorithm is not Algorithm.BYTES if case is Case.FAMILY else case is Case.LOWER


def trained(
    request: TrainTokenizerRequest, missing: Mapping[Algorithm, WantedTokenizer], context: Context
) -> Iterator[tuple[Algorithm, TrainingOutcome]]:
    """Train those that are missing, and give what comes of each as soon as it is done.

    Raises:
        MachineFault: Training failed.
        Cancelled: The run was cancelled.
    """
    if not missing:
        return
    asked = {
        "path": request.path,
        "world": request.world.value,
        "vocabulary": request.vocabulary,
        "algorithms": {one.value: what.lowercase for one, what in missing.items()},
    }
    source = source_of(request, context)
    context.progress(N_("reading the text"), 0.0, 0.0)
    for said in messages(asked, context):
        if "lines" in said:
            counts = (said["lines"], said["held_out"], said["characters"])
            source = TrainingText(source.name, source.digest, *counts, source.is_cut)
            continue
        algorithm = Algorithm(said["stage"])
        if "failed" in said:
            raise MachineFault(
                N_("The tokenizers library could not train {algorithm} on this text ({why})."),
                N_("Choose another text, or leave this algorithm out."),
                algorithm=Phrase(NAMES[algorithm]),
                why=said["failed"],
            )
        if "done" in said:
            context.progress(STAGES[algorithm], said["done"], said["total"])
        elif "trained" in said:
            yield algorithm, TrainingOutcome(source, from_json(TrainedVocabulary, said["trained"]))
        else:
            yield algorithm, TrainingOutcome(source, None, said["letters"], said["least"])


def _result(
    request: TrainTokenizerRequest, source: TrainingText, outcomes: Outcomes, *, is_kept: bool
) -> TrainTokenizerResult:
    order = [one for one in Algorithm if one in outcomes]
    every = [outcomes[one].trained for one in order]
    found = tuple(one for one in every if one is not None)
    text = without_surrogates(request.text)
    fingerprint = blake2b(
        repr((source.digest, request.vocabulary, request.case.value)).encode(), digest_size=16
    ).hexdigest()
    stamp = ModelStamp(source.name or "small-world", "", fingerprint, "meta", "")
    return TrainTokenizerResult(
        stamp,
        text,
        outcomes[order[0]].source if order else source,
        found,
        tuple(one for one in Algorithm if one in request.algorithms and one not in outcomes),
        tuple(
            RefusedAlgorithm(one, _why(outcomes[one]))
            for one in order
            if outcomes[one].trained is None
        ),
        _cut(text, found, stamp) if found else None,
        is_kept,
    )


def _why(outcome: TrainingOutcome) -> Phrase:
    return Phrase(
        N_(
            "{letters} letters or bytes and its special tokens need {least} pieces at least: "
            "choose a larger vocabulary."
        ),
        letters=outcome.letters,
        least=outcome.least,
    )


def _cut(text: str, every: tuple[TrainedVocabulary, ...], stamp: ModelStamp) -> SideBySideResult:
    """The text as each cuts it."""
    words = words_of(text)
    cuttings = tuple(
        cutting(_tokenizer(_files(one)), one.algorithm.value, NAMES[one.algorithm], text, words)
        for one in every
    )
    return SideBySideResult(stamp, text, cuttings, np.eye(len(cuttings), dtype=np.float32))


def _files(one: TrainedVocabulary) -> tuple[str, str]:
    return json.dumps(tokenizer_json(one)), json.dumps(tokenizer_config(one))


def _tokenizer(files: tuple[str, str]) -> Any:
    """The tokenizer that a folder with these files gives."""
    return kept("tokenizer of trained files", lambda: _built(files), asked=files)


def _built(files: tuple[str, str]) -> Any:
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    content, config = files
    roles = {key: value for key, value in json.loads(config).items() if key.endswith("_token")}
    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(content), **roles)
