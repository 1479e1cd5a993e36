"""What every layer says through its tuned lens, and how well the lens reads other texts."""

from collections.abc import Iterator

import numpy as np

from explorer.api.question import (
    Choices,
    Curve,
    Curves,
    LayerPredictions,
    Manner,
    OneChoice,
    Panel,
    Runs,
    Said,
    Width,
    over_layers,
    sets,
)
from explorer.questions.layers.tuned_lens.question import (
    FILE,
    LensTraining,
    TunedLensRequest,
    TunedLensResult,
)
from explorer.text import N_, NN_, Phrase

MASKED = N_("The maps were trained at masked positions: what they say of others is a guess.")
NOT_YET = N_(
    "There is no tuned lens of this model yet. To train one takes half a minute for a miniature, "
    "and much longer for a large model. It is kept for all texts."
)
ON_WORLD = N_(
    "It is trained on texts of the small world. For a model that knows more of the world, choose a "
    "file of sentences with “Train on…” first."
)


def parts(
    result: TunedLensResult, request: TunedLensRequest | None = None
) -> Iterator[Said | LayerPredictions | Curves | Choices]:
    """The grid of words, the curves of one place, and how well the lens reads other texts."""
    grid, training = result.grid, result.training
    if grid is None or training is None:
        yield from _to_be_trained("" if request is None else request.sentences)
    else:
        if not result.is_kept:
            kept = N_("The lens could not be kept: the next text trains it again.")
            yield Said(kept, Manner.WARNING)
        remark = MASKED if training.is_masked else ""
        yield LayerPredictions(result.tokens, grid, result.missing, remark)
        yield from _how_well(grid.layers, training)
    back = sets(FILE, "", N_("train on the small world"))
    yield Choices((OneChoice(N_("Use the small world's texts"), back, key="world", undoes=True),))


def _to_be_trained(sentences: str) -> Iterator[Said | Choices]:
    """What it takes, and the button."""
    yield Said(NOT_YET, Manner.PLAIN)
    name = sentences.replace("\\", "/").rpartition("/")[2]
    on_file = Phrase(N_("It is trained on the sentences of “{name}”."), name=name)
    yield Said(on_file if sentences else ON_WORLD)
    yield Choices(
        (OneChoice(N_("Train"), Runs(), key="run"),), begun=N_("The lens is being trained …")
    )


def trained_said(training: LensTraining) -> Phrase:
    """On what it was trained and measured."""
    on_file = NN_(
        "Trained on {count} sentence of “{name}”", "Trained on {count} sentences of “{name}”"
    )
    on_world = NN_(
        "Trained on {count} text of the small world", "Trained on {count} texts of the small world"
    )
    source = {"name": training.source} if training.source else {}
    return Phrase(
        N_(
            "{texts}, {steps} steps of {batch} positions; measured at {places} positions of other "
            "texts."
        ),
        texts=Phrase(on_file if training.source else on_world, count=training.texts, **source),
        steps=training.steps,
        batch=training.batch,
        places=training.held_out,
    )


def _how_well(layers: tuple[str, ...], training: LensTraining) -> Iterator[Said | Curves]:
    """Both lenses on texts that neither was trained on."""

    def both(tuned: tuple[float, ...], logit: tuple[float, ...]) -> tuple[Curve, Curve]:
        return (
            Curve(N_("tuned lens"), np.array(tuned)),
            Curve(N_("logit lens"), np.array(logit), "bar_second", "dash"),
        )

    title = N_("How well it reads texts it was not trained on")
    yield Said(trained_said(training), Manner.EXPLANATION, title=title, near=True)
    panels = (
        Panel(
            "divergence",
            N_("Distance from the last layer"),
            both(training.tuned, training.logit),
            N_("KL(last layer ‖ lens), the mean over the positions, in nats."),
            unit=N_("nats"),
        ),
        Panel(
            "agreement",
            N_("Same top word as the last layer"),
            both(training.tuned_agreement, training.logit_agreement),
            N_(
                "The share of positions at which the lens and the last layer have the same top "
                "word."
            ),
            high=1.0,
            unit=N_("share of positions"),
        ),
    )
    yield Curves(over_layers(layers), panels, Width.MEDIUM)
