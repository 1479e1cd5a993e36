"""Several spans filled together by T5's decoder, which writes them one after the other."""

from dataclasses import dataclass

from explorer.api import Context, LoadedModel, Prediction, Unavailable, UserMistake
from explorer.hf.cancelling import cancellable
from explorer.hf.filling_jointly import full_order
from explorer.operations.fill_jointly import (
    Filling,
    FillJointly,
    FillJointlyResult,
    Method,
    Step,
    check,
)
from explorer.operations.fill_mask import check_masked

from .encoding import spans_of
from .filling import barred_pieces, ends_of, prediction_of_span
from .search import Found, Question, Span, best_spans

NOTE = (
    "T5 writes its spans from left to right, each after those before it, and never sees them all "
    "masked at once: so there is nothing to set beside the joint probability."
)


@dataclass(frozen=True)
class Written:
    """Spans written so far.

    Attributes:
        pieces: What the decoder has written, sentinels included.
        spans: One a sentinel.
        ranks: Of each span among those the search found at its sentinel.
    """

    pieces: tuple[int, ...]
    spans: tuple[Span, ...] = ()
    ranks: tuple[int, ...] = ()

    @property
    def total(self) -> float:
        """The joint log-probability, in nats."""
        return sum(span.log_probability for span in self.spans)


def run(model: LoadedModel, request: FillJointly, context: Context) -> FillJointlyResult:
    """Keep the most probable spans at every sentinel and go on with each of them.

    The joint probability is the product of the spans' probabilities, each given the text and the
    spans written before it, as `fill_mask` has them.

    Raises:
        Unavailable: The checkpoint has no decoder.
        UserMistake: The text is empty, nothing is masked, or another order is asked for.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    if not any(head.name == "spans" and head.present for head in model.heads):
        raise Unavailable(model.unavailable.get("fill_jointly", "This checkpoint has no decoder."))
    check(request)
    context.check()
    spans = spans_of(model, request.text, request.pair, request.masks)
    encoded = spans.encoded
    check_masked(encoded)
    count = len(encoded.mask_positions)
    order = full_order(request, count)
    if request.method not in (Method.BEAM, Method.LEFT_TO_RIGHT) or list(order) != sorted(order):
        raise UserMistake(
            "T5's decoder writes the spans in the order of the text.",
            "Choose left to right, or beam search in the order of the text.",
        )
    width = request.width if request.method is Method.BEAM else 1
    looked: dict[tuple[int, ...], Found] = {}
    start = model.config.decoder_start_token_id
    opened = [Written((model.tokenizer.pad_token_id if start is None else start,))]
    with torch.inference_mode(), cancellable(context):
        states = model.encoder(**encoded.inputs)
        barred = barred_pieces(model)
        for number, position in enumerate(encoded.mask_positions):
            context.progress("filling masks", float(number), float(count))
            longer = []
            for one in opened:
                prefix = (*one.pieces, encoded.tokens[position].id)
                question = Question(model.module, states, prefix, ends_of(model, number), barred)
                found = best_spans(question, max(width, request.top_k), context)
                looked[prefix] = found
                longer += [
                    Written((*prefix, *span.ids), (*one.spans, span), (*one.ranks, rank))
                    for rank, span in enumerate(found.spans[:width], start=1)
                ]
            opened = sorted(longer, key=lambda one: -one.total)[:width]
    best = opened[0]
    steps = []
    prefix = best.pieces[:1]
    for number, span in enumerate(best.spans):
        prefix = (*prefix, encoded.tokens[encoded.mask_positions[number]].id)
        found = looked[prefix]
        shown = tuple(
            prediction_of_span(model, one, rank)
            for rank, one in enumerate(found.spans[: request.top_k], start=1)
        )
        steps.append(Step(number, shown, found.entropy, None, None, None))
        prefix = (*prefix, *span.ids)
    return FillJointlyResult(
        model=model.stamp,
        tokens=encoded.tokens,
        method=request.method,
        order=order,
        gaps=tuple((number,) for number in range(count)),
        alone=(),
        independent=None,
        fillings=tuple(_filling(model, one) for one in opened[: request.top_k]),
        steps=tuple(steps),
        left_out=encoded.left_out,
        note=NOTE,
    )


def _filling(model: LoadedModel, written: Written) -> Filling:
    chosen: tuple[Prediction, ...] = tuple(
        prediction_of_span(model, span, rank)
        for span, rank in zip(written.spans, written.ranks, strict=True)
    )
    return Filling(tuple(one.word for one in chosen), chosen, (), written.total, None)
