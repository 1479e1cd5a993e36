"""Looks at one neuron or head: its texts, its words, its label, and what it does here."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from explorer.api.question import (
    Context,
    Direction,
    EmbeddingMatrices,
    LayerReadout,
    LoadedModel,
    Neurons,
    Predictor,
    Unavailable,
    UnitKind,
    UserMistake,
)
from explorer.api.question.parts.predictions.changes import PredictionChanges
from explorer.hf.kept import kept
from explorer.hf.predict.predictions import prediction_of
from explorer.questions.attention.before_and_after import before_and_after
from explorer.questions.layers.neurons.layer_read import LayerRead, read_layer
from explorer.questions.layers.neurons.question import (
    BEST,
    ActiveText,
    LabelFound,
    NeuronsRequest,
    NeuronsResult,
    UnitWord,
)
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from explorer.text import N_

STRONGEST = 8
"""Texts that are shown."""
WORDS = 10
"""Pieces of the vocabulary on each side."""
ROWS_AT_ONCE = 8192
"""Of an embedding matrix."""

NO_READER = N_("A head looks for tokens and not for words: see the page of queries and keys.")
GATED = N_(
    "The neurons of this model are products of two numbers, so that no single vector says what one "
    "looks for."
)
OTHER_WIDTH = N_(
    "The vectors of pieces are of another width here, so that they can't be compared with it."
)
OTHER_STACK = N_("The head of this model reads its decoder, and this is written in its encoder.")
INSIDE = N_("What is written here lies in a bottleneck, which the model's own head does not read.")


def run(model: Any, request: NeuronsRequest, context: Context) -> NeuronsResult:
    """Look at a unit in many texts, and at what it does in the one that is typed.

    Raises:
        Unavailable: This model's neurons, or its heads, can't be told apart.
        UserMistake: There is no such unit, or there are no texts.
        Cancelled: The run was cancelled.
    """
    port, kind = model.port(Neurons), UnitKind(request.unit)
    sizes = port.sizes.get(kind)
    if sizes is None:
        raise Unavailable(
            N_("This model's neurons can't be told apart.")
            if kind is UnitKind.NEURON
            else N_("This model's attention heads can't be told apart.")
        )
    if request.layer >= len(sizes):
        raise UserMistake(
            N_("There is no layer {layer}: this model has {layers}, counted from 0."),
            N_("Choose one that is there."),
            layer=request.layer,
            layers=len(sizes),
        )
    if request.number >= sizes[request.layer]:
        raise UserMistake(
            N_("There is no neuron or head {number} in layer {layer}: it has {count}."),
            N_("Choose one that is there."),
            number=request.number,
            layer=request.layer,
            count=sizes[request.layer],
        )
    whole = replace(request, text="", pair=None, masks=(), number=BEST)
    read = kept(
        "units of a layer",
        partial(read_layer, model, request, context),
        of=(model, Path(request.path)) if request.path and Path(request.path).exists() else model,
        asked=whole,
        most=4,
    )
    number = _chosen(read, request.number)
    strongest = _strongest(model, request, read, number, context)
    reads, reads_why = _reads(model, request, number, context)
    writes, writes_why = _writes(model, request, number, strongest, context)
    off, twice = (_changes(model, request, number, factor, context) for factor in (0.0, 2.0))
    own, best = _labels(read, number)
    return NeuronsResult(
        model.stamp,
        request.unit,
        request.layer,
        number,
        sizes[request.layer],
        len(read.texts),
        len(read.activations),
        read.cut,
        strongest,
        reads,
        writes,
        reads_why,
        writes_why,
        own,
        best,
        off,
        twice,
        Path(request.path).name,
        read.is_short,
    )


def _chosen(read: LayerRead, number: int) -> int:
    """The unit that is asked for; else the one that finds a label best, or is most active."""
    if number != BEST:
        return number
    if read.scored is not None:
        return int(read.scored.scores.max(axis=0).argmax())
    return int(read.peaks.max(axis=0).argmax())


def _labels(read: LayerRead, number: int) -> tuple[LabelFound | None, tuple[LabelFound, ...]]:
    """The label that a unit finds best, and the best unit for each label."""
    if read.scored is None:
        return None, ()
    scores = read.scored.scores
    own = read.found(number, int(scores[:, number].argmax()))
    best = tuple(read.found(int(row.argmax()), label) for label, row in enumerate(scores))
    return own, best


def _strongest(
    model: LoadedModel, request: NeuronsRequest, read: LayerRead, number: int, context: Context
) -> tuple[ActiveText, ...]:
    """The texts with the largest activations, each token with its own."""
    order = np.argsort(-read.peaks[:, number], kind="stable")[:STRONGEST]
    texts = [read.texts[at] for at in order]
    encoded = [model.encode(text) for text in texts]
    kind = UnitKind(request.unit)
    active = model.port(Neurons).activations(encoded, kind, request.layer, context)
    found = []
    for text, its, every in zip(texts, encoded, active, strict=True):
        values = every[:, number].cpu().numpy().astype(np.float32)
        plain = [n for n, token in enumerate(its.tokens) if not token.special]
        place = max(plain or range(len(values)), key=lambda n, own=values: float(own[n]))
        values.setflags(write=False)
        found.append(ActiveText(text, its.tokens, values, place))
    return tuple(found)


def _reads(
    model: LoadedModel, request: NeuronsRequest, number: int, context: Context
) -> tuple[tuple[UnitWord, ...], str]:
    """Pieces whose vectors have the largest products with what a neuron looks for; else why not."""
    import torch

    if request.unit == UnitKind.HEAD:
        return (), NO_READER
    wanted = model.port(Neurons).read(request.layer, number)
    if wanted is None:
        return (), GATED
    table = model.ports.get(EmbeddingMatrices)
    # Where vectors of pieces are widened, or a part lies in a bottleneck, both are of other spaces.
    if table is None or {table.shape("input")[1], table.states_width} != {len(wanted)}:
        return (), OTHER_WIDTH
    rows = min(table.shape("input")[0], len(model.tokenizer))
    products = []
    for start in range(0, rows, ROWS_AT_ONCE):
        context.check()
        some = torch.from_numpy(table.rows("input", start, min(rows, start + ROWS_AT_ONCE)))
        products.append(some @ wanted.cpu())
    return _words(model, torch.cat(products)), ""


def _writes(
    model: LoadedModel,
    request: NeuronsRequest,
    number: int,
    strongest: tuple[ActiveText, ...],
    context: Context,
) -> tuple[tuple[UnitWord, ...], str]:
    """Pieces that the model's own head reads in what a unit writes; else why it reads none.

    Of a head it is what it adds where it is most active.
    """
    readout = model.ports.get(LayerReadout)
    if readout is None:
        return (), model.refused.get(LayerReadout, "")
    if model.port(Predictor).direction is Direction.SPANS:
        return (), OTHER_STACK
    port = model.port(Neurons)
    if request.unit == UnitKind.HEAD:
        first = strongest[0]
        vector = port.added(model.encode(first.text), request.layer, number, context)[
            first.position
        ]
    else:
        vector = port.written(request.layer, number)
    if len(vector) != _stream_width(model):
        return (), INSIDE
    rows = readout.log_probabilities(vector[None])[0, : len(model.tokenizer)]
    return _words(model, rows.exp()), ""


def _stream_width(model: LoadedModel) -> int:
    table = model.ports.get(EmbeddingMatrices)
    return int(table.states_width) if table is not None else int(model.module.config.hidden_size)


def _words(model: LoadedModel, values: Any) -> tuple[UnitWord, ...]:
    """The pieces with the largest numbers, without those that only the model puts into a text."""
    values = values.clone()
    values[[one for one in model.tokenizer.all_special_ids if one < len(values)]] = -float("inf")
    top = values.topk(min(WORDS, len(values)))
    return tuple(
        UnitWord(rank, prediction_of(model, piece, 0.0, rank).word, value)
        for rank, (piece, value) in enumerate(
            zip(top.indices.tolist(), top.values.tolist(), strict=True), start=1
        )
    )


def _changes(
    model: LoadedModel, request: NeuronsRequest, number: int, factor: float, context: Context
) -> PredictionChanges | None:
    """What is predicted at the masks of the typed text, as it is and with the unit scaled."""
    if Predictor not in model.ports or not request.text.strip():
        return None
    if not model.encode(request.text, request.pair, request.masks).mask_positions:
        return None
    asked = MaskedTokensRequest(request.text, request.pair, request.masks, 5)
    scaled = partial(
        model.port(Neurons).scaled, UnitKind(request.unit), request.layer, number, factor
    )
    return before_and_after(model, asked, scaled, context)
