"""What would the model predict if it ended at each of its layers?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api import (
    BESIDE,
    MODEL,
    Cell,
    Choice,
    Detail,
    Entry,
    LayerReadout,
    LeftOut,
    Listing,
    ModelStamp,
    Operation,
    Places,
    Predictor,
    ReadsEntities,
    Table,
    Token,
    WordList,
    a_text,
    computed,
    spaces_stay_visible,
    stated,
)
from explorer.api.question.asks import PREDICTIONS, asked, at_most
from explorer.api.question.layers import LayersFrom0
from explorer.document import Document, Mask
from explorer.questions.layers import grid as lens
from explorer.questions.layers.grid import LensGrid
from explorer.questions.masking.exact_answers.question import exactly
from explorer.text import N_

MOST_WORDS = 8
"""Words that are followed at once: more curves can't be told apart."""

PROBABILITY, ENTROPY, DIVERGENCE, RANK = "probability", "entropy", "divergence", "rank"
SHOW = Choice(
    N_("Colour"),
    PROBABILITY,
    redraws=True,
    entries=(
        Entry(PROBABILITY, N_("Probability"), N_("Of the word in the cell")),
        Entry(ENTROPY, N_("Entropy"), N_("Of the layer's distribution, in nats")),
        Entry(
            DIVERGENCE,
            N_("KL to the last layer"),
            N_("KL(last layer ‖ this layer), in nats: 0 where both predict the same"),
        ),
        Entry(
            RANK,
            N_("Rank of the last word"),
            N_("Where the last layer's top word stands in this layer; 1 is the top"),
        ),
    ),
    key="logit_lens.show",
)
WORDS = WordList(
    N_("Words to follow"),
    (),
    tip=N_(
        "Follow these words through the layers, with commas between them. Empty: the likeliest of "
        "the last layer."
    ),
    placeholder=N_("Words to follow: soup, bread …"),
    most=MOST_WORDS,
    key="logit_lens.words",
)
AT = Places(N_("Place"), (), redraws=True, in_bar=False, count=1, key="logit_lens.at")
"""The position whose curves are shown; none for the first mask, or the last place."""


@dataclass(frozen=True)
class LogitLensRequest(ReadsEntities):
    """Ask what the head reads in every layer.

    Attributes:
        text: The sentence; a literal [MASK] in it counts as a mask.
        pair: The second sentence, or None.
        masks: Masked ranges of characters.
        words: Followed through the layers; eight at most.
        top_k: Predictions of each layer at each place.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    words: tuple[str, ...] = asked(WORDS)
    top_k: int = asked(PREDICTIONS, 5, made=at_most(5))


@dataclass(frozen=True)
class LogitLensResult:
    """Predictions of every layer.

    Attributes:
        model: Whose layers.
        tokens: The input as the model saw it.
        grid: The numbers.
        missing: Words that were to be followed and are no single piece of the vocabulary.
        left_out: What did not fit, or None.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    grid: LensGrid
    missing: tuple[str, ...] = ()
    left_out: LeftOut | None = None


def table(result: LogitLensResult) -> Table:
    """One row a layer, a place and a prediction."""
    return lens.table(result.grid, result.tokens)


def derived(result: LogitLensResult) -> Mapping[str, Any]:
    """Layers, and predictions by layer and position."""
    return lens.derived(result.grid, result.tokens)


def column_of(result: LogitLensResult, place: int | None = None) -> int:
    """The column of a place; of the first mask, or the last column, where there is none."""
    masked = (number for number, token in enumerate(result.tokens) if token.masked)
    for position in (place, *masked):
        column = None if position is None else result.grid.column(position)
        if column is not None:
            return column
    return len(result.grid.places) - 1


COLUMN_TITLES = {
    "position": N_("position"),
    "word": N_("word"),
    "probability": N_("probability"),
    "from_layer": N_("from which layer"),
    "divergence_before_last": N_("KL one layer before"),
    "agreement_before_last": N_("agreement one layer before"),
}
"""What the columns of the summary are called on screen; in files they keep their names."""


def summary(result: LogitLensResult) -> Mapping[str, Cell]:
    """At the first mask, or the last place: what is predicted, and from which layer on."""
    grid, column = result.grid, column_of(result)
    (best, *_rest) = grid.best(len(grid.layers) - 1, column)
    before = max(0, len(grid.layers) - 2)
    return {
        "position": grid.places[column],
        "word": best.word,
        "probability": best.probability,
        "from_layer": grid.layers[lens.settled(grid, column)],
        "divergence_before_last": float(grid.divergences[before].mean()),
        "agreement_before_last": lens.agreement(grid)[before],
    }


WORDS_KNOWN = 50
"""Of the exact answer: hardly any place of the small world has more that may stand there."""


def exact_words(result: Any, document: Document) -> Sequence[Detail]:
    """The exact answers with every word that may be followed, and not the likeliest alone."""
    return (exactly(document, result.model, top_k=WORDS_KNOWN),)


LAYERS_FROM_0 = LayersFrom0(
    lists=("layers",), value="layer", words=r" is the (?:top|first) word from layer (\w+) on\.$"
)
"""An upgrade of what both lenses stored."""

OPERATION = Operation(
    name="logit_lens",
    title=N_("Logit lens"),
    question=N_("What would the model predict if it ended at each of its layers?"),
    listing=Listing(N_("Layers"), 64, "layers-search", "Alt+Shift+9"),
    found_by=("early exit", "prediction layer by layer", "층별 예측"),
    request=LogitLensRequest,
    result=LogitLensResult,
    run=computed(__name__),
    table=table,
    summary=summary,
    column_titles=COLUMN_TITLES,
    derived=derived,
    headline=stated(__name__),
    beside=exact_words,
    roles={MODEL: (Predictor, LayerReadout)},
    options=(SHOW, WORDS, BESIDE, AT),
    conditions=(a_text(N_("Type a sentence to see what each layer would predict.")),),
    upgrades=(spaces_stay_visible, LAYERS_FROM_0),
)
