"""What would the model predict if it ended at each of its layers?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.api.question import (
    BESIDE,
    MODEL,
    PREDICTIONS,
    Detail,
    LayerPredictions,
    LayerReadout,
    LayersFrom0,
    LeftOut,
    LensGrid,
    Listing,
    ModelStamp,
    Predictor,
    Question,
    ReadsEntities,
    Token,
    Topic,
    WordList,
    a_text,
    asked,
    at_most,
    spaces_stay_visible,
)
from explorer.document import Document, Mask
from explorer.exact_answers.asking import exactly
from explorer.text import N_

MOST_WORDS = 8
"""Words that are followed at once: more curves can't be told apart."""

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


def parts(result: LogitLensResult) -> tuple[LayerPredictions]:
    """What every layer predicts."""
    return (LayerPredictions(result.tokens, result.grid, result.missing),)


def derived(result: LogitLensResult) -> Mapping[str, Any]:
    """Layers, and predictions by layer and position."""
    (predictions,) = parts(result)
    return predictions.by_layer()


WORDS_KNOWN = 50
"""Of the exact answer: hardly any place of the small world has more that may stand there."""


def exact_words(result: Any, document: Document) -> Sequence[Detail]:
    """The exact answers with every word that may be followed, and not the likeliest alone."""
    return (exactly(document, result.model, top_k=WORDS_KNOWN),)


LAYERS_FROM_0 = LayersFrom0(
    lists=("layers",), value="layer", words=r" is the (?:top|first) word from layer (\w+) on\.$"
)
"""An upgrade of what both lenses stored."""

QUESTION = Question(
    name="logit_lens",
    title=N_("Logit lens"),
    asks=N_("What would the model predict if it ended at each of its layers?"),
    about=N_(
        "Each row reads one layer's states with the model's own output head, as if the model ended "
        "there. The head was trained on the last layer only: what it reads further down is a lower "
        "bound of what those states hold."
    ),
    listing=Listing(Topic.LOOK_INSIDE, 7, "layers-search", "Alt+Shift+9", in_overview=1),
    found_by=("early exit", "prediction layer by layer", "층별 예측"),
    request=LogitLensRequest,
    result=LogitLensResult,
    parts=parts,
    derived=derived,
    beside=exact_words,
    roles={MODEL: (Predictor, LayerReadout)},
    options=(WORDS, BESIDE),
    conditions=(a_text(N_("Type a sentence to see what each layer would predict.")),),
    upgrades=(spaces_stay_visible, LAYERS_FROM_0),
)
