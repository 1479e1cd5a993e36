"""The answer: each model's scores, and its attention from one text to the other."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.api.question import (
    SECOND,
    Attentions,
    Context,
    Encoded,
    LoadedModel,
    MachineFault,
    Unavailable,
    UserMistake,
    check_text,
)
from explorer.hf.predict.heads.classes import class_logits
from explorer.questions.pairs.sentence_pair.question import (
    PairJudgement,
    SentencePairRequest,
    SentencePairResult,
    places_of,
)
from explorer.questions.pairs.sentence_pair.wording import Judges
from explorer.text import N_, Phrase


def run(model: Any, request: SentencePairRequest, context: Context) -> SentencePairResult:
    """Ask one model, or two.

    Raises:
        Unavailable: A model has no such head.
        UserMistake: There is no text, or no second one where two are judged.
        MachineFault: The scores are not numbers.
        Cancelled: The run was cancelled.
    """
    return _answer(model, request, context, looks=True)


def run_many(
    model: Any, requests: Sequence[SentencePairRequest], context: Context
) -> tuple[SentencePairResult | Exception, ...]:
    """The same for many pairs, without the attention: nobody looks at so many."""
    found: list[SentencePairResult | Exception] = []
    for request in requests:
        try:
            found.append(_answer(model, request, context, looks=False))
        except (UserMistake, MachineFault) as error:
            found.append(error)
    return tuple(found)


def _answer(
    model: Any, request: SentencePairRequest, context: Context, *, looks: bool
) -> SentencePairResult:
    check_text(request.text)
    other: LoadedModel | None = context.models.get(SECOND)
    judgements = tuple(
        _judged(one, request, context, looks=looks) for one in (model, other) if one is not None
    )
    notes = []
    kinds = {one.judges for one in judgements}
    if len(kinds) > 1:
        notes.append(
            Phrase(N_("The two models were trained for different things: both may be right."))
        )
    expected = None
    if request.expected:
        expected = _class_of(request.expected, judgements[0].labels)
    return SentencePairResult(model.stamp, judgements, tuple(notes), expected)


def _class_of(name: str, labels: Sequence[str]) -> int:
    """The number of a class by its name, or by the number itself.

    Raises:
        UserMistake: There is none of this name.
    """
    folded = [label.casefold() for label in labels]
    if name.casefold() in folded:
        return folded.index(name.casefold())
    if name.isdecimal() and int(name) < len(labels):
        return int(name)
    raise UserMistake(
        N_("There is no class “{name}”."),
        N_("Its name is one of these, or its number from 0: {labels}."),
        name=name,
        labels=", ".join(labels),
    )


def _judged(
    model: LoadedModel, request: SentencePairRequest, context: Context, *, looks: bool
) -> PairJudgement:
    """One model's."""
    context.check()
    pair = (request.pair or "").strip() or None
    encoded = model.encode(request.text, request.pair if pair else None)
    labels, logits = class_logits(model, encoded, context, pair=pair is not None)
    heads = {head.name for head in model.heads if head.present}
    judges = next((one for one in Judges if one.value in heads), Judges.CLASSES)
    return PairJudgement(
        model.stamp,
        judges,
        labels,
        logits,
        encoded.tokens,
        _between(model, encoded, context) if pair and looks else None,
        encoded.left_out,
    )


def _between(model: LoadedModel, encoded: Encoded, context: Context) -> NDArray[np.float32] | None:
    """The largest weight between two tokens of different texts, either way."""
    port: Attentions | None = model.ports.get(Attentions)
    first, second = (list(places_of(encoded.tokens, part)) for part in (0, 1))
    if port is None or not first or not second:
        return None
    try:
        stacks = port.capture(encoded, context)
    except Unavailable:
        return None
    found: NDArray[np.float32] = np.zeros((len(first), len(second)), np.float32)
    for layer in next(iter(stacks.values())).weights:
        there = layer[:, first][:, :, second].max(axis=0)
        back = layer[:, second][:, :, first].max(axis=0).T
        found = np.maximum(found, np.maximum(there, back)).astype(np.float32)
    return found
