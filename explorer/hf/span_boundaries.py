"""A span-boundary head's predictions beside a masked-LM head's: `SpanBoundary`'s answer."""

import math
from typing import Any

from explorer.api import Context, LoadedModel, MachineFault
from explorer.hf.cancelling import cancellable
from explorer.hf.encoding import Encoded
from explorer.hf.filling_jointly import entropy
from explorer.hf.joint_search import rank_of
from explorer.hf.masked import prediction_of
from explorer.hf.word_alignment import word_as_shown
from explorer.operations.span_boundary import (
    BoundaryWord,
    Span,
    SpanBoundaryResult,
    SpanToken,
)


def predict(
    model: LoadedModel, head: Any, encoded: Encoded, top_k: int, context: Context
) -> SpanBoundaryResult:
    """Run the encoder once and both heads at every span.

    Raises:
        MachineFault: The logits are not numbers.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    longest = int(head.position_embeddings.num_embeddings)
    embeddings = model.module.get_input_embeddings().weight
    spans = []
    with torch.inference_mode(), cancellable(context):
        states = model.encoder(**encoded.inputs)[0]
        for left, right in spans_of(encoded):
            if right - left - 1 > longest:
                problem = (
                    f"This span has {right - left - 1} tokens; the head tells {longest} places "
                    "apart."
                )
                spans.append(Span(left, right, (), problem))
                continue
            positions = list(range(left + 1, right))
            count = len(positions)
            places = torch.arange(count, device=states.device)
            logits = head(
                states[left].expand(count, -1), states[right].expand(count, -1), places, embeddings
            )
            rows = _logs(model, logits)
            plain = None
            if model.masked_lm_head is not None:
                plain = _logs(model, model.masked_lm_head(states[positions]))
            tokens = tuple(
                _token(model, encoded, position, place, rows[place], plain, top_k)
                for place, position in enumerate(positions)
            )
            spans.append(Span(left, right, tokens))
    return SpanBoundaryResult(model.stamp, encoded.tokens, tuple(spans), longest, encoded.left_out)


def spans_of(encoded: Encoded) -> list[tuple[int, int]]:
    """Positions before and behind every run of masked tokens.

    A text's first and last token are always special, so both are there.
    """
    masked = set(encoded.mask_positions)
    found = []
    for position in encoded.mask_positions:
        if position - 1 not in masked:
            end = position
            while end in masked:
                end += 1
            found.append((position - 1, end))
    return found


def _logs(model: LoadedModel, logits: Any) -> Any:
    """Log-probabilities, float32.

    Raises:
        MachineFault: They are not numbers.
    """
    import torch

    logs = torch.log_softmax(logits.float(), dim=-1)
    if bool(torch.isnan(logs).any()):
        raise MachineFault(
            f"The model's numbers overflow in {model.stamp.dtype}.", "Load it as float32."
        )
    return logs


def _token(
    model: LoadedModel,
    encoded: Encoded,
    position: int,
    place: int,
    row: Any,
    plain: Any,
    top_k: int,
) -> SpanToken:
    beside = plain[place] if plain is not None else None
    original = encoded.tokens[position].original
    ids: list[int] = row.topk(min(top_k, len(row))).indices.tolist()
    if beside is not None:
        ids += beside.topk(min(top_k, len(beside))).indices.tolist()
    if original is not None:
        ids.append(original)
    words = []
    for piece in dict.fromkeys(ids):
        value = math.exp(float(row[piece]))
        shown = prediction_of(model, piece, value, rank_of(row, row[piece]))
        words.append(
            BoundaryWord(
                token=shown.token,
                id=piece,
                word=word_as_shown(model.tokenizer, shown.token),
                boundary=value,
                boundary_rank=shown.rank,
                masked_lm=None if beside is None else math.exp(float(beside[piece])),
                masked_lm_rank=None if beside is None else rank_of(beside, beside[piece]),
                is_original=piece == original,
            )
        )
    words.sort(key=lambda one: -max(one.boundary, one.masked_lm or 0.0))
    return SpanToken(
        position=position,
        place=place + 1,
        words=tuple(words),
        boundary_entropy=entropy(row),
        masked_lm_entropy=None if beside is None else entropy(beside),
    )
