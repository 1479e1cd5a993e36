"""Every token of a text hidden in turn: probabilities, in as few passes as memory allows.

A pass reads a batch of copies of the input, each with other tokens masked, and runs the head only
where something is read. Copies of texts of the same length share a pass, so nothing is padded.
"""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api import Context, LoadedModel, MachineFault, Token, Unavailable, UserMistake
from explorer.hf.batch_size import Batches
from explorer.hf.cancelling import cancellable
from explorer.hf.encoding import Encoded, encode
from explorer.hf.joint import READS_LEFT
from explorer.hf.last_layer import read_at
from explorer.hf.left import LEFT, Left, encode_left
from explorer.hf.masked import BLOCK, HEAD_STATES, begins_unspaced, prediction_of
from explorer.operations.sweep import (
    Method,
    Surprise,
    Sweep,
    SweepResult,
    check,
    word_numbers,
)


@dataclass(frozen=True)
class Copy:
    """One copy of an input.

    Attributes:
        source: Which input.
        masked: Positions that are masked in it.
        read: Positions whose probabilities are read.
    """

    source: int
    masked: tuple[int, ...]
    read: tuple[int, ...]


def sweep_all(
    model: LoadedModel, requests: Sequence[Sweep], context: Context
) -> tuple[SweepResult | Exception, ...]:
    """Answer requests; an error that a request met stands in its place.

    Raises:
        MachineFault: There is not enough memory even for one copy, or the logits are no numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    answers: list[SweepResult | Exception] = []
    inputs: dict[int, Encoded] = {}
    from_left = READS_LEFT in model.extras
    for number, request in enumerate(requests):
        try:
            inputs[number] = _input(model, request)
            answers.append(UserMistake(""))
        except UserMistake as error:
            answers.append(error)
    if from_left:
        found = {
            number: _left(model, encoded, requests[number].top_k, context)
            for number, encoded in inputs.items()
        }
        passes = Counter(found.keys())
    else:
        copies = [
            copy
            for number, encoded in inputs.items()
            for copy in copies_of(number, encoded.tokens, requests[number].method)
        ]
        passes = Counter(copy.source for copy in copies)
        top_k = max((requests[n].top_k for n in inputs), default=1)
        found = _masked(model, inputs, copies, top_k, context)
    for number, encoded in inputs.items():
        method = Method.LEFT_TO_RIGHT if from_left else requests[number].method
        answers[number] = _result(model, encoded, method, found[number], passes[number])
    return tuple(answers)


def _input(model: LoadedModel, request: Sweep) -> Encoded:
    check(request)
    left: Left | None = model.extras.get(LEFT)
    if READS_LEFT in model.extras:
        who = model.extras[READS_LEFT]
        if request.pair:
            raise UserMistake(
                f"{who} reads one text.", "Put both into one text, or take the second away."
            )
        if left is not None:
            encoded = encode_left(left, model, request.text, None, (), begin=True)
        else:
            encoded = encode(model, request.text)
        if any(token.masked for token in encoded.tokens):
            raise UserMistake(
                f"{who} gives the probability of a whole text, and this one has a gap.",
                "Put a word in the place of [MASK].",
            )
    else:
        if model.tokenizer.mask_token_id is None:
            raise Unavailable("This model's tokenizer has no mask token.")
        encoded = encode(model, request.text, request.pair)
    asked = asked_about(encoded.tokens)
    if not asked or (READS_LEFT in model.extras and asked == [0]):
        raise UserMistake("There is no token to ask about.", "Type words that the model knows.")
    return encoded


def asked_about(tokens: Sequence[Token]) -> list[int]:
    """Positions of the text's own tokens that the vocabulary knows."""
    return [
        i
        for i, token in enumerate(tokens)
        if not (token.special or token.masked or token.unknown or token.reserved)
    ]


def copies_of(source: int, tokens: Sequence[Token], method: Method) -> Iterator[Copy]:
    """The copies of one input that a method needs, in the order of what is read."""
    asked = asked_about(tokens)
    if method is Method.ORIGINAL:
        yield from (Copy(source, (i,), (i,)) for i in asked)
        return
    words = word_numbers(tokens)
    together: defaultdict[int, list[int]] = defaultdict(list)
    for i in asked:
        together[words[i]].append(i)
    for pieces in together.values():
        if method is Method.WHOLE_WORD:
            yield Copy(source, tuple(pieces), tuple(pieces))
        else:
            yield from (Copy(source, tuple(pieces[n:]), (i,)) for n, i in enumerate(pieces))


def _masked(
    model: LoadedModel,
    inputs: dict[int, Encoded],
    copies: Sequence[Copy],
    top_k: int,
    context: Context,
) -> dict[int, list[Surprise]]:
    """Surprises of each input, in order."""
    import torch

    found: dict[int, list[Surprise]] = {number: [] for number in inputs}
    by_length: defaultdict[tuple[int, tuple[str, ...]], list[Copy]] = defaultdict(list)
    for copy in copies:
        encoded = inputs[copy.source]
        by_length[len(encoded.tokens), tuple(encoded.inputs)].append(copy)
    done, total = 0, len(copies)
    with torch.inference_mode(), cancellable(context):
        for (length, _), same in by_length.items():
            batches = Batches(model, length)
            for start, stop in batches.over(len(same)):
                context.progress("masking every token", float(done), float(total))
                batch = same[start:stop]
                with batches.measured(stop - start):
                    for copy, surprises in _pass(model, inputs, batch, top_k, context):
                        found[copy.source].extend(surprises)
                done += 0 if batches.failed else len(batch)
    for surprises in found.values():
        surprises.sort(key=lambda one: one.position)
    return found


def _pass(
    model: LoadedModel,
    inputs: dict[int, Encoded],
    batch: Sequence[Copy],
    top_k: int,
    context: Context,
) -> list[tuple[Copy, list[Surprise]]]:
    """Read one batch of copies."""
    import torch

    first = inputs[batch[0].source].inputs
    stacked = {name: torch.cat([inputs[c.source].inputs[name] for c in batch]) for name in first}
    rows = [row for row, copy in enumerate(batch) for _ in copy.masked]
    places = [place for copy in batch for place in copy.masked]
    stacked["input_ids"][rows, places] = model.tokenizer.mask_token_id
    states_of = model.extras.get(HEAD_STATES, model.encoder)
    rows = [row for row, copy in enumerate(batch) for _ in copy.read]
    places = [place for copy in batch for place in copy.read]
    if all(len(copy.read) == 1 for copy in batch):
        with read_at(model, places) as is_alone:
            states = states_of(**stacked)
        read = states[:, 0] if is_alone else states[rows, places]
    else:
        read = states_of(**stacked)[rows, places]
    sources = [inputs[copy.source].tokens for copy in batch for _ in copy.read]
    flat = surprises_of(model, read, sources, places, top_k, context)
    return [(copy, list(itertools.islice(flat, len(copy.read)))) for copy in batch]


def surprises_of(
    model: LoadedModel,
    states: Any,
    sources: Sequence[Sequence[Token]],
    places: Sequence[int],
    top_k: int,
    context: Context,
) -> Iterator[Surprise]:
    """Probabilities of the tokens that stand at some places, each in its own input.

    Args:
        model: Whose head reads the states.
        states: Tensor (places x hidden).
        sources: The tokens of each place's input.
        places: Positions in them.
        top_k: Predictions kept for each.
        context: Asked whether to go on.

    Raises:
        MachineFault: The logits are not numbers.
    """
    import torch

    head = model.masked_lm_head
    assert head is not None
    width = int(getattr(model.config, "vocab_size", 0)) or 1
    size = max(1, BLOCK // width)
    for start in range(0, len(places), size):
        context.check()
        some = places[start : start + size]
        tokens = [source[place] for source, place in zip(sources[start:], some, strict=False)]
        logs = torch.log_softmax(head(states[start : start + size]).float(), dim=-1)
        ids = torch.tensor([token.id for token in tokens], device=logs.device)
        own = logs.gather(1, ids[:, None])
        ranks = ((logs > own).sum(dim=1) + 1).tolist()
        best, numbers = torch.topk(logs, min(top_k, logs.shape[-1]), dim=-1)
        if bool(torch.isnan(own).any()):
            raise MachineFault(
                f"The model's numbers overflow in {model.stamp.dtype}.", "Load it as float32."
            )
        columns = zip(
            some, own[:, 0].tolist(), ranks, numbers.tolist(), best.exp().tolist(), strict=True
        )
        for row, (place, log, rank, pieces, chances) in enumerate(columns):
            unspaced = begins_unspaced(sources[start + row], place)
            shown = tuple(
                prediction_of(model, piece, chance, n, unspaced=unspaced)
                for n, (piece, chance) in enumerate(zip(pieces, chances, strict=True), start=1)
            )
            yield Surprise(place, log, rank, shown)


def _left(model: LoadedModel, encoded: Encoded, top_k: int, context: Context) -> list[Surprise]:
    """Every token from all before it, in one pass; the very first has nothing before it."""
    import torch

    places = [place for place in asked_about(encoded.tokens) if place > 0]
    with torch.inference_mode(), cancellable(context):
        states = model.encoder(**encoded.inputs)[0]
        before = states[[place - 1 for place in places]]
        sources = [encoded.tokens] * len(places)
        return list(surprises_of(model, before, sources, places, top_k, context))


def _result(
    model: LoadedModel,
    encoded: Encoded,
    method: Method,
    surprises: Sequence[Surprise],
    passes: int,
) -> SweepResult:
    total = math.fsum(one.log_probability for one in surprises)
    return SweepResult(
        model=model.stamp,
        tokens=encoded.tokens,
        method=method,
        surprises=tuple(surprises),
        log_likelihood=total,
        perplexity=math.exp(min(-total / len(surprises), 700.0)),
        passes=passes,
        left_out=encoded.left_out,
        note=_note(model, encoded.tokens, method),
    )


def _note(model: LoadedModel, tokens: Sequence[Token], method: Method) -> str:
    notes = []
    unknown = sum(token.unknown and not token.special for token in tokens)
    if unknown:
        notes.append(
            f"{unknown} token{' is' if unknown == 1 else 's are'} unknown to the vocabulary and "
            "not counted."
        )
    if any(token.masked for token in tokens):
        notes.append("A typed [MASK] stays masked and is not counted.")
    if method is Method.LEFT_TO_RIGHT and not tokens[0].special:
        who = model.extras[READS_LEFT]
        notes.append(f"The first token is not counted: {who} has nothing before it to go by.")
    return " ".join(notes)
