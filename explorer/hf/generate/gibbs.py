"""Text out of a masked model: its masks are drawn again and again, each given all others.

Wang and Cho 2019, "BERT has a mouth, and it must speak". A masked model is no language model: the
distributions that it gives for each token after all others need not belong to one distribution of
texts, and what is drawn depends on the order and on how often it is gone round.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from explorer.api.family import BidirectionalPredictor, Context, Encoded, Query
from explorer.hf.generate.loop import GREEDY
from explorer.hf.generate.warping import Sampling, Warped, draw, warped
from explorer.text import N_, Phrase


@dataclass(frozen=True)
class DrawnMask:
    """One mask, drawn once.

    Attributes:
        mask: Which, in the order of the text.
        round: How often all masks were gone round before.
        id: The piece.
        before: The piece that stood there; None for a mask.
        warped: What it was chosen from.
    """

    mask: int
    round: int
    id: int
    before: int | None
    warped: Warped


def gibbs(
    predictor: BidirectionalPredictor,
    encoded: Encoded,
    rounds: int,
    context: Context,
    *,
    sampling: Sampling = GREEDY,
    seed: int = 0,
    greedy: bool = False,
    barred: tuple[int, ...] = (),
) -> Iterator[DrawnMask]:
    """Draw every mask in each of some rounds; a mask that was not drawn yet is still one.

    Args:
        predictor: Who predicts.
        encoded: The text and its masks.
        rounds: How often all masks are drawn; each round in an order of its own.
        context: For progress, and for a cancel between tokens.
        sampling: What a token is drawn from.
        seed: Of the order and of all draws.
        greedy: The most probable piece is taken and none is drawn; the order is still the seed's.
        barred: Pieces that can't be drawn.
    """
    import numpy as np

    places, warpers = encoded.mask_positions, sampling.warpers()
    pieces: dict[int, int] = {}
    done, total = 0, rounds * len(places)
    for number in range(rounds):
        for mask in np.random.default_rng((seed, number)).permutation(len(places)).tolist():
            context.check()
            stage = Phrase(N_("drawing token {number} of {most}"), number=done + 1, most=total)
            context.progress(stage, float(done), float(total))
            context.give_way()
            place = places[mask]
            others = {at: piece for at, piece in pieces.items() if at != place}
            query = Query(encoded, (place,), {**others, place: None})
            row = predictor.log_probabilities([query], context)[0][0]
            one = warped(row, warpers, barred)
            chosen = draw(one, None if greedy else (seed, number, mask))
            before = pieces.get(place)
            pieces[place] = chosen
            done += 1
            yield DrawnMask(mask, number, chosen, before, one)
