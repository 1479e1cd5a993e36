"""Several spans filled together by a decoder that writes them one after the other."""

from dataclasses import dataclass

from explorer.api.question import (
    Context,
    Encoded,
    LoadedModel,
    SpanCandidate,
    SpanPredictor,
    SpansFound,
    UserMistake,
)
from explorer.hf.predict.span_fillings import prediction_of_span
from explorer.questions.masking.joint_decoding.question import (
    DecodingMethod,
    Filling,
    FillingStep,
    JointDecodingRequest,
    JointDecodingResult,
)
from explorer.text import N_, Phrase, _

NOTE = N_(
    "{who} writes its spans from left to right, each after those before it, and "
    "never sees them all masked at once: so there is nothing to compare with the "
    "joint probability."
)


@dataclass(frozen=True)
class WrittenSpans:
    """Spans written so far, one a mask.

    Attributes:
        spans: In the order of the text.
        ranks: Of each span among those the search found at its mask.
    """

    spans: tuple[SpanCandidate, ...] = ()
    ranks: tuple[int, ...] = ()

    @property
    def total(self) -> float:
        """The joint log-probability, in nats."""
        return sum(span.log_probability for span in self.spans)

    @property
    def ids(self) -> tuple[tuple[int, ...], ...]:
        """The pieces of each span."""
        return tuple(span.ids for span in self.spans)


def fill_spans_jointly(
    model: LoadedModel,
    encoded: Encoded,
    request: JointDecodingRequest,
    order: tuple[int, ...],
    context: Context,
) -> JointDecodingResult:
    """Keep the most probable spans at every mask and go on with each of them.

    The joint probability is the product of the spans' probabilities, each given the text and the
    spans written before it.

    Raises:
        UserMistake: Another order than that of the text is asked for.
    """
    predictor = model.port(SpanPredictor)
    count = len(encoded.mask_positions)
    if request.method not in (DecodingMethod.BEAM, DecodingMethod.LEFT_TO_RIGHT) or list(
        order
    ) != sorted(order):
        raise UserMistake(
            N_("{who}'s decoder writes the spans in the order of the text."),
            N_("Choose left to right, or beam search in the order of the text."),
            who=predictor.who,
        )
    width = request.width if request.method is DecodingMethod.BEAM else 1
    looked: dict[tuple[tuple[int, ...], ...], SpansFound] = {}
    opened = [WrittenSpans()]
    for number in range(count):
        context.progress(_("filling masks"), float(number), float(count))
        longer = []
        for one in opened:
            found = predictor.best_spans(encoded, one.ids, max(width, request.top_k), context)
            looked[one.ids] = found
            longer += [
                WrittenSpans((*one.spans, span), (*one.ranks, rank))
                for rank, span in enumerate(found.spans[:width], start=1)
            ]
        opened = sorted(longer, key=lambda one: -one.total)[:width]
    best = opened[0]
    steps = []
    for number in range(count):
        found = looked[best.ids[:number]]
        shown = tuple(
            prediction_of_span(model, one, rank)
            for rank, one in enumerate(found.spans[: request.top_k], start=1)
        )
        steps.append(FillingStep(number, shown, found.entropy, None, None, None))
    return JointDecodingResult(
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
        note=Phrase(NOTE, who=predictor.who),
    )


def _filling(model: LoadedModel, written: WrittenSpans) -> Filling:
    chosen = tuple(
        prediction_of_span(model, span, rank)
        for span, rank in zip(written.spans, written.ranks, strict=True)
    )
    return Filling(tuple(one.word for one in chosen), chosen, (), written.total, None)
