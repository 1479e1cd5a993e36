"""What does each layer know about the answer, read through a map that was trained for it?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from explorer.api.question import (
    BESIDE,
    MODEL,
    PREDICTIONS,
    LayerPredictions,
    LayerReadout,
    LeftOut,
    LensGrid,
    Listing,
    ModelStamp,
    Predictor,
    Question,
    QuotesEntities,
    Switch,
    Token,
    Topic,
    a_text,
    asked,
    at_most,
    made_of,
    spaces_stay_visible,
)
from explorer.document import Mask
from explorer.files_of_sentences.options import sentences_file
from explorer.questions.layers.logit_lens import question as logit_lens
from explorer.questions.layers.logit_lens.question import exact_words
from explorer.text import N_

WORDS = replace(logit_lens.WORDS, key="tuned_lens.words")
FILE = sentences_file(
    "tuned_lens.sentences",
    N_("Train on…"),
    N_("Train the lens on the sentences of a file, one on every line, not on the small world's."),
)


@dataclass(frozen=True)
class TunedLensRequest(QuotesEntities):
    """Ask what each layer's states say through the lens that was trained for this model.

    Attributes:
        text: The sentence; a literal [MASK] in it counts as a mask.
        pair: The second sentence, or None.
        masks: Masked ranges of characters.
        words: Followed through the layers; eight at most.
        top_k: Predictions of each layer at each place.
        sentences: The file of sentences that the lens is trained on; "" for texts of the small
            world.
        train: Train the lens where there is none yet; without, only tell that there is none.
    """

    text: str
    pair: str | None = None
    masks: tuple[Mask, ...] = ()
    words: tuple[str, ...] = asked(WORDS)
    top_k: int = asked(PREDICTIONS, 5, made=at_most(5))
    sentences: str = asked(FILE)
    train: bool = asked(
        Switch(N_("Train"), True, N_("Train a lens where there is none; without, only look.")),
        is_held=False,
    )


@dataclass(frozen=True)
class LensTraining:
    """How a lens was trained, and how well it reads texts that it was not trained on.

    Attributes:
        source: Name of the file of sentences; "" for the small world.
        texts: That it was trained on.
        places: In these, whose states it was trained on.
        is_masked: These were masked; of a model that reads from the left they are all.
        steps: Of the optimiser, for each layer.
        batch: Places of a step.
        losses: KL(last layer || lens) in nats, mean over the layers, of each step.
        held_out: Places of other texts, on which the following was measured.
        tuned: KL(last layer || tuned lens) of every row, in nats; 0 for the last.
        logit: KL(last layer || logit lens) likewise.
        tuned_agreement: Share of the places where the tuned lens has the last layer's first word.
        logit_agreement: Share of them where the logit lens has it.
    """

    source: str
    texts: int
    places: int
    is_masked: bool
    steps: int
    batch: int
    losses: tuple[float, ...]
    held_out: int
    tuned: tuple[float, ...]
    logit: tuple[float, ...]
    tuned_agreement: tuple[float, ...]
    logit_agreement: tuple[float, ...]


@dataclass(frozen=True)
class TunedLensResult:
    """Predictions of every layer through its own map.

    Attributes:
        model: Whose layers.
        tokens: The input as the model saw it.
        grid: The numbers; None where no lens is trained yet.
        training: How the lens was trained; None where none is.
        missing: Words that were to be followed and are no single piece of the vocabulary.
        left_out: What did not fit, or None.
        is_kept: The lens is in a file; else the next question has to train it again.
    """

    model: ModelStamp
    tokens: tuple[Token, ...]
    grid: LensGrid | None
    training: LensTraining | None = None
    missing: tuple[str, ...] = ()
    left_out: LeftOut | None = None
    is_kept: bool = True


def derived(result: TunedLensResult) -> Mapping[str, Any]:
    """Layers, and predictions by layer and position."""
    if result.grid is None:
        return {"layers": (), "cells": ()}
    return LayerPredictions(result.tokens, result.grid, result.missing).by_layer()


def only_look(request: TunedLensRequest) -> TunedLensRequest:
    """Read through the lens that there is; train none."""
    return replace(request, train=False)


QUESTION = Question(
    name="tuned_lens",
    title=N_("Tuned lens"),
    asks=N_("What does each layer know about the answer, read through a map trained for it?"),
    listing=Listing(Topic.LOOK_INSIDE, 8, "layers-edit", "Alt+Shift+0", tab_of="logit_lens"),
    found_by=("affine translator", "튜닝 렌즈"),
    about=N_(
        "Each row reads one layer's states with the model's own output head, after a "
        "linear map that was trained to predict from that layer what the last one "
        "says. It reads those states better than the logit lens."
    ),
    request=TunedLensRequest,
    result=TunedLensResult,
    parts=made_of(__name__, LayerPredictions),
    derived=derived,
    beside=exact_words,
    is_provisional=lambda result: result.grid is None,
    roles={MODEL: (Predictor, LayerReadout)},
    cheap_variant=only_look,
    options=(WORDS, BESIDE, FILE),
    conditions=(a_text(N_("Type a sentence to see what each layer knows of it.")),),
    upgrades=(spaces_stay_visible, logit_lens.LAYERS_FROM_0),
)
