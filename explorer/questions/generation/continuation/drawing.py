"""A text out of a masked model: its masks are drawn by Gibbs sampling."""

from typing import Any

from explorer.api.question import BidirectionalPredictor, Context, Encoded, UserMistake
from explorer.document import MASK_LITERAL
from explorer.hf.generate.gibbs import DrawnMask, gibbs
from explorer.hf.generate.looks import StepDistribution, look
from explorer.hf.generate.texts import masks_filled, no_text
from explorer.hf.generate.warping import Sampling
from explorer.questions.generation.continuation.options import Strategy
from explorer.questions.generation.continuation.question import (
    ContinuationRequest,
    ContinuationResult,
)
from explorer.questions.generation.continuation.tokens import token_of
from explorer.text import N_


def draw_masks(
    model: Any, request: ContinuationRequest, sampling: Sampling, context: Context
) -> ContinuationResult:
    """Draw the text's masks, or where there are none as many behind it as tokens are wanted.

    Raises:
        UserMistake: Beams are asked for, or there is no room for a mask.
    """
    predictor = model.port(BidirectionalPredictor)
    if request.strategy is Strategy.BEAM:
        raise UserMistake(
            N_("A masked model writes in no order, so that there are no beams."),
            N_("Choose another strategy."),
        )
    encoded: Encoded = model.encode(request.text, None, request.masks)
    text, before = request.text, ""
    if not encoded.mask_positions:
        before = request.text.rstrip()
        text = before + f" {MASK_LITERAL}" * request.max_new_tokens
        encoded = model.encode(text)
    count = len(encoded.mask_positions)
    if not count:
        raise UserMistake(
            N_("The text fills the model: there is no room for new tokens."), N_("Shorten it.")
        )
    latest: dict[int, DrawnMask] = {}
    looked: dict[int, tuple[DrawnMask, StepDistribution]] = {}
    stood: dict[int, set[int]] = {}
    texts: list[str] = []

    def filled() -> tuple[dict[int, str], str]:
        pieces = {mask: one.id for mask, one in latest.items()}
        parts, whole = masks_filled(model.tokenizer, text, encoded, pieces)
        return parts, whole.removeprefix(before)

    def seen(mask: int) -> StepDistribution:
        """What its latest piece was chosen from, looked at where somebody sees it."""
        one = latest[mask]
        if mask not in looked or looked[mask][0] is not one:
            looked[mask] = one, look(one.warped, request.alternatives, one.id)
        return looked[mask][1]

    def result() -> ContinuationResult:
        parts, whole = filled()
        tokens = tuple(
            token_of(
                model,
                one.id,
                parts[mask],
                seen(mask),
                position=encoded.mask_positions[mask],
                drawn=len(stood[mask]),
            )
            for mask, one in sorted(latest.items())
        )
        return ContinuationResult(
            model=model.stamp,
            strategy=request.strategy,
            gibbs=True,
            prompt=encoded.tokens,
            apart=False,
            text=whole,
            tokens=tokens,
            ended=False,
            texts=tuple(texts),
            notes=encoded.notes,
            left_out=encoded.left_out,
        )

    drawn = gibbs(
        predictor,
        encoded,
        request.rounds,
        context,
        sampling=sampling,
        seed=request.seed,
        greedy=request.strategy is Strategy.GREEDY,
        barred=no_text(model.tokenizer),
    )
    for number, one in enumerate(drawn, start=1):
        latest[one.mask] = one
        stood.setdefault(one.mask, set()).add(one.id)
        if number % count == 0:
            texts.append(filled()[1])
        context.show(result)
    return result()
