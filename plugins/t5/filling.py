"""What T5 puts in the place of each masked span."""

import math
from typing import Any

from explorer.api import Context, LoadedModel, Prediction, Unavailable
from explorer.hf.cancelling import cancellable
from explorer.operations.fill_mask import (
    FillMask,
    FillMaskResult,
    MaskPredictions,
    check,
    check_masked,
)

from .encoding import SENTINEL, Spans, spans_of
from .search import Question, Span, best_spans, log_probability


def run(model: LoadedModel, request: FillMask, context: Context) -> FillMaskResult:
    """Fill every sentinel with the most probable spans.

    The encoder reads the text with a sentinel for every masked run. The decoder then writes
    <extra_id_0>, a span, <extra_id_1>, a span, and so on (Raffel et al. 2020, section 3.1.4). A
    span's probability is exactly that of the decoder writing these pieces after its sentinel and
    then ending the span: the product of the probability of each piece, each softmax over the
    whole vocabulary given the text and all pieces before it, times the probability that the next
    sentinel or the end of the text (</s>) follows. So no two spans share probability, and all
    spans together have at most one. A later sentinel is filled after the most probable span of
    each earlier one. The entropy is that of the first piece. A span's rank is among the spans
    that the search found; no empty span is shown, and none longer than the search looks for.

    Raises:
        Unavailable: The checkpoint has no decoder.
        UserMistake: The text is empty, nothing is masked, or there are more spans than sentinels.
        Cancelled: The run was cancelled; checked before every layer.
    """
    import torch

    if not any(head.name == "spans" and head.present for head in model.heads):
        raise Unavailable(model.unavailable.get("fill_mask", "This checkpoint has no decoder."))
    check(request)
    context.check()
    spans = spans_of(model, request.text, request.pair, request.masks)
    encoded = spans.encoded
    check_masked(encoded)
    answers: list[MaskPredictions] = []
    with torch.inference_mode(), cancellable(context):
        states = model.encoder(**encoded.inputs)
        start = model.config.decoder_start_token_id
        written: tuple[int, ...] = (model.tokenizer.pad_token_id if start is None else start,)
        barred = barred_pieces(model)
        for number, position in enumerate(encoded.mask_positions):
            question = Question(
                module=model.module,
                states=states,
                prefix=(*written, encoded.tokens[position].id),
                ends=ends_of(model, number),
                barred=barred,
            )
            answer, best = _answer(model, question, spans, number, request.top_k, context)
            answers.append(answer)
            written = (*question.prefix, *best.ids)
    note = "T5 fills a masked range with a span of any length; a probability is of the whole span."
    if len(answers) > 1:
        note += " Each span is predicted after the best span for every mask before it."
    return FillMaskResult(model.stamp, encoded.tokens, tuple(answers), encoded.left_out, note)


def _answer(
    model: LoadedModel,
    question: Question,
    spans: Spans,
    number: int,
    top_k: int,
    context: Context,
) -> tuple[MaskPredictions, Span]:
    found = best_spans(question, top_k, context)
    shown = tuple(
        prediction_of_span(model, span, rank)
        for rank, span in enumerate(found.spans[:top_k], start=1)
    )
    ids = spans.originals[number]
    original: Prediction | None = None
    if ids is not None:
        original = next((one for one in shown if one.ids == ids), None)
        if original is None:
            span = Span(ids, log_probability(question, ids))
            better = sum(one.log_probability > span.log_probability for one in found.spans)
            original = prediction_of_span(model, span, max(better, len(shown)) + 1)
    position = spans.encoded.mask_positions[number]
    return MaskPredictions(position, shown, original, found.entropy), found.spans[0]


def prediction_of_span(model: LoadedModel, span: Span, rank: int) -> Prediction:
    """A span as a prediction."""
    pieces = [
        piece if piece is not None else f"<{number}>"
        for number, piece in zip(
            span.ids, model.tokenizer.convert_ids_to_tokens(list(span.ids)), strict=True
        )
    ]
    word = str(model.tokenizer.decode(list(span.ids))).strip()
    return Prediction(
        token="".join(pieces),
        id=span.ids[0],
        probability=math.exp(span.log_probability),
        word=word or "".join(pieces),
        rank=rank,
        ids=span.ids,
    )


def ends_of(model: LoadedModel, number: int) -> tuple[int, ...]:
    """What may follow a span: the next sentinel, where there is one, or the end."""
    ends = [model.tokenizer.eos_token_id]
    following = model.tokenizer.get_vocab().get(f"<extra_id_{number + 1}>")
    return tuple(ends if following is None else [following, *ends])


def barred_pieces(model: LoadedModel) -> tuple[int, ...]:
    """Sentinels, padding, and rows of the embedding that no piece uses."""
    vocabulary: dict[str, int] = model.tokenizer.get_vocab()
    rows = int(model.config.vocab_size)
    none: Any = {n for piece, n in vocabulary.items() if SENTINEL.fullmatch(piece) and n < rows}
    unused = set(range(rows)) - set(vocabulary.values())
    return tuple(sorted(none | unused | {model.tokenizer.pad_token_id}))
