"""Every layer's states through its own map, and then through the model's own head."""

from typing import Any

from explorer.api.question import (
    Context,
    LayerReadout,
    LoadedModel,
    Predictor,
    check_text,
    check_top_k,
)
from explorer.hf.predict.masked_text import refuse_pair
from explorer.questions.layers.reading import read_layers
from explorer.questions.layers.tuned_lens import kept
from explorer.questions.layers.tuned_lens.lens import Lens
from explorer.questions.layers.tuned_lens.question import TunedLensRequest, TunedLensResult
from explorer.questions.layers.tuned_lens.texts import texts_of
from explorer.questions.layers.tuned_lens.training import train


def run(model: Any, request: TunedLensRequest, context: Context) -> TunedLensResult:
    """Read every layer through the model's tuned lens; train it first where there is none.

    Raises:
        UserMistake: The text is empty, there is a second one for a model that reads one, or a
            causal model's first token is masked; the file of sentences can't be read, or has too
            few.
        MachineFault: The logits are not numbers, or the file of a lens is damaged.
        Cancelled: The run was cancelled.
    """
    check_text(request.text)
    check_top_k(request.top_k)
    refuse_pair(model.port(Predictor), request.pair)
    context.check()
    encoded = model.encode(request.text, request.pair, request.masks)
    lens, is_kept = lens_of(model, request, context)
    if lens is None:
        return TunedLensResult(model.stamp, encoded.tokens, None, left_out=encoded.left_out)
    grid, missing = read_layers(
        model, encoded, request.words, request.top_k, context, lens.on(model.device).through
    )
    return TunedLensResult(
        model.stamp, encoded.tokens, grid, lens.training, missing, encoded.left_out, is_kept
    )


def lens_of(
    model: LoadedModel, request: TunedLensRequest, context: Context
) -> tuple[Lens | None, bool]:
    """The lens that there is or that is trained now, and whether it lies in a file."""
    model.port(LayerReadout)
    stamp = model.stamp
    lens = kept.find(stamp, request.sentences, context.cache)
    if lens is not None or not request.train:
        return lens, True
    lens = train(model, texts_of(request.sentences), context)
    return lens, kept.keep(lens, stamp, request.sentences, context.cache)
