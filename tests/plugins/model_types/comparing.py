"""How far what a model answers is from transformers' own forward of the module that was saved."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from explorer.api.family import (
    Attentions,
    BidirectionalPredictor,
    CausalLM,
    Context,
    HiddenStates,
    LoadedModel,
    Predictor,
    UserMistake,
)
from explorer.document import Mask
from explorer.questions.masking.masked_tokens.question import MaskedTokensRequest
from tests.hf import tiny

TEXT = "the cat sat on the mat"
WORD = Mask(8, 11)
EVERY_PIECE = 10**6
WRITTEN = 3
"""Pieces that a decoder beside an encoder has written."""


def distances(model: LoadedModel, module: Any, folder: Path) -> Iterator[float]:
    """The largest differences, one for each kind of number that a model has.

    Args:
        model: As the program opened it.
        module: Of transformers, as it was saved.
        folder: Where it was saved.
    """
    if Predictor in model.ports:
        yield from _probabilities(model, module)
    if CausalLM in model.ports:
        yield _going_on(model, module)
    if HiddenStates in model.ports:
        yield _states(model, module)
    if Attentions in model.ports:
        eager = type(module).from_pretrained(folder, attn_implementation="eager").eval()
        yield _attention(model, eager)


def _run(module: Any, ids: list[int], **options: Any) -> Any:
    with torch.inference_mode():
        return module(input_ids=torch.tensor([ids]), **options)


def _probabilities(model: LoadedModel, module: Any) -> Iterator[float]:
    """Of every piece in the place of a hidden word."""
    try:
        answer = tiny.ask(model, MaskedTokensRequest(TEXT, masks=(WORD,), top_k=EVERY_PIECE))
    except UserMistake:
        return
    ids = [token.id for token in answer.tokens]
    left = BidirectionalPredictor not in model.ports
    for mask in answer.masks:
        read = ids[: mask.position] if left else ids
        row = _run(module, read).logits[0, -1 if left else mask.position].double().softmax(-1)
        given = np.full(len(row), np.nan)
        for one in mask.predictions:
            given[one.id] = one.probability
        yield float(np.nanmax(np.abs(given - row.numpy())))


def _going_on(model: LoadedModel, module: Any) -> float:
    """Of every piece behind a text, or behind what a second stack has written."""
    port, encoded = model.ports[CausalLM], model.encode(TEXT)
    writing = port.writing(encoded)
    more = [one.id for one in encoded.tokens if not one.special][:WRITTEN]
    rows = torch.cat([writing.logits([more[:count]], Context()) for count in range(WRITTEN)])
    begun = [*writing.opening.ids, *more[: WRITTEN - 1]]
    if port.apart:
        read = [one.id for one in encoded.tokens]
        own = _run(module, read, decoder_input_ids=torch.tensor([begun])).logits[0]
    else:
        own = _run(module, begun).logits[0]
    expected = own[-WRITTEN:].float().softmax(-1)
    return float((rows.float().softmax(-1) - expected).abs().max())


def _states(model: LoadedModel, module: Any) -> float:
    """Of every layer, by the size of the largest state."""
    encoded = model.encode(TEXT)
    given = model.ports[HiddenStates].states([encoded], Context())[0].float()
    ids = [one.id for one in encoded.tokens]
    reader = module.get_encoder() if module.config.is_encoder_decoder else module.base_model
    told = _run(reader, ids, output_hidden_states=True).hidden_states
    own = torch.cat(list(told)).float()
    if own.shape != given.shape:
        raise AssertionError(f"{len(given)} rows of states, and transformers gives {len(own)}")
    return float((given - own).abs().max() / own.abs().max().clamp(min=1))


def _attention(model: LoadedModel, eager: Any) -> float:
    """A share of attention, of all layers and heads."""
    encoded = model.encode(TEXT)
    found = model.ports[Attentions].capture(encoded, Context())
    first = next(iter(found.values()))
    ids = [one.id for one in encoded.tokens]
    reader = eager.get_encoder() if eager.config.is_encoder_decoder else eager
    _run(reader, ids)  # BigBird's first run changes how it attends
    own = _run(reader, ids, output_attentions=True).attentions
    if len(own) != first.layers:
        raise AssertionError(
            f"{first.layers} layers of attention, and transformers gives {len(own)}"
        )
    pairs = zip(first.weights, own, strict=True)
    return max(float(np.abs(weights - one[0].numpy()).max()) for weights, one in pairs)
