"""Tries every port of a model once, beside transformers' own forward, and keeps what agrees."""

from contextlib import suppress
from typing import Any

from explorer.api.family import (
    AnswerWriter,
    BidirectionalPredictor,
    Component,
    Context,
    Direction,
    Embeddings,
    LayerReadout,
    LoadedModel,
    Mask,
    NextTokens,
    PairClassifier,
    Patches,
    Predictor,
    Query,
    SpanExtractor,
    StatePlace,
    TokenClassifier,
)
from explorer.hf import PROOFS, SAMPLE, Proofs, take_away
from explorer.text import N_, Phrase

from .configs import has_two_vocabularies
from .streams import named_as_known

WORD = (4, 7)
CLOSE = {"float32": 1e-5, "bfloat16": 5e-2, "float16": 1e-2}
"""How far a probability may be from that of the plain forward, by the type of the numbers."""


def keep_proved(model: LoadedModel) -> None:
    """Take away each port that can't be proved, and say why."""
    proofs: Proofs = (
        ((Predictor, BidirectionalPredictor, LayerReadout, Patches), _predicts),
        ((NextTokens, AnswerWriter), _goes_on),
        ((LayerReadout,), _reads_out),
        ((Patches,), _puts_back),
        ((PairClassifier,), _classifies),
        ((TokenClassifier,), _labels_tokens),
        ((SpanExtractor,), _finds_answers),
        ((Embeddings,), _reads_vectors),
        *PROOFS,
    )
    take_away(model, proofs)


def _predicts(model: LoadedModel) -> str:
    """The port's distributions against the softmax of the class's own logits."""
    import torch

    port = model.ports[Predictor]
    before = 0
    masks: tuple[Mask, ...] = ()
    if port.direction is Direction.BOTH:
        if model.tokenizer.mask_token is None:
            return N_("This model's tokenizer has no mask token.")
        masks = (Mask(*WORD),)
    else:
        before = 1
    encoded = model.encode(SAMPLE, None, masks)
    places = range(before, len(encoded.tokens))
    if not places:
        return N_("Its tokenizer makes no tokens of English, so that nothing could be tried.")
    with torch.inference_mode():
        logits = model.module(**encoded.inputs).logits[0].float()
    expected = logits.softmax(-1)
    one, *_ = port.log_probabilities([Query(encoded, (places[-1],))], Context())
    every, *_ = port.log_probabilities([Query(encoded, tuple(places))], Context())
    for given, asked in ((one, places[-1:]), (every, places)):
        far = (given.exp() - expected[[place - before for place in asked]]).abs().max()
        if not float(far) <= CLOSE.get(model.dtype, 1e-2):
            return N_("What its head predicts alone is not what transformers' own forward does.")
    return ""


def _goes_on(model: LoadedModel) -> str:
    """The logits behind a text that grows against those of the class's own forward.

    Where they are others with keys and values that were kept, everything is read anew each time.
    """
    import torch

    port, encoded = model.ports[NextTokens], model.encode(SAMPLE)
    if port.apart and has_two_vocabularies(model.config.to_dict()):
        return N_("Its decoder writes with other pieces than its encoder reads.")
    opening = port.writing(encoded).opening
    ids = opening.ids
    more = [one.id for one in opening.tokens if not one.special][-2:]
    read = {"input_ids": torch.tensor([[*ids, *more]], device=model.device)}
    if port.apart:
        read = {**encoded.inputs, "decoder_input_ids": read["input_ids"]}
    with torch.inference_mode():
        logits = model.module(**read).logits[0, len(ids) - 1 :]
    expected = logits.float().softmax(-1)
    for keeps in (True, False):
        port.goes_on = keeps
        with suppress(AttributeError, IndexError, KeyError, TypeError, ValueError, RuntimeError):
            writing = port.writing(encoded)
            rows = [writing.logits([more[:count]], Context()) for count in range(len(more) + 1)]
            far = (torch.cat(rows).softmax(-1) - expected).abs().max()
            if float(far) <= CLOSE.get(model.dtype, 1e-2):
                return ""
    if port.apart:
        return N_(
            "What its decoder writes token by token is not what transformers' own forward gives of "
            "the whole text."
        )
    return N_("What its head predicts alone is not what transformers' own forward does.")


def _classifies(model: LoadedModel) -> str:
    port = model.ports[PairClassifier]
    found = port.logits(model.encode(SAMPLE), Context())
    if found.shape != (len(port.labels),):
        return Phrase(
            N_("Its config names {number} classes, and its head gives others."),
            number=len(port.labels),
        )
    return ""


def _labels_tokens(model: LoadedModel) -> str:
    port, encoded = model.ports[TokenClassifier], model.encode(SAMPLE)
    if port.logits(encoded, Context()).shape != (len(encoded.tokens), len(port.labels)):
        return N_("Its head gives no score a class for every token.")
    return ""


def _finds_answers(model: LoadedModel) -> str:
    encoded = model.encode(SAMPLE, SAMPLE)
    found = model.ports[SpanExtractor].logits(encoded, Context())
    if any(one.shape != (len(encoded.tokens),) for one in (found.starts, found.ends)):
        return N_("Its head gives no score of start and end for every token.")
    return ""


def _reads_vectors(model: LoadedModel) -> str:
    """What it answers for its own pieces' vectors against what it answers for the pieces."""
    import torch

    port = model.ports[Embeddings]
    encoded = model.encode(SAMPLE)
    query = Query(encoded, (len(encoded.tokens) - 2,))
    for kind in port.answered:
        if kind not in model.ports:
            return model.refused.get(kind, "") or N_("Its head's answers could not be proved.")
        own_vectors = port.vectors(port.pieces(kind, query))
        given = port.answers(kind, query, own_vectors[None], Context())[0]
        if kind is Predictor:
            own = model.ports[kind].log_probabilities([query], Context())[0]
        else:
            own = model.ports[kind].logits(encoded, Context())
        if kind is SpanExtractor:
            own = torch.stack([own.starts, own.ends])
        if kind is TokenClassifier:
            own = own[list(query.asked)]
        if not float((given.softmax(-1) - own.softmax(-1)).abs().max()) <= CLOSE[model.dtype]:
            return N_("It does not read its pieces from one table of vectors.")
    return ""


def _reads_out(model: LoadedModel) -> str:
    """What the head reads in the last layer's states against the prediction itself."""
    port, readout = model.ports[Predictor], model.ports[LayerReadout]
    encoded = model.encode(SAMPLE)
    query = Query(encoded, (len(encoded.tokens) - 2,))
    states = readout.states([query], Context())[0]
    found = readout.log_probabilities(states[-1]).exp()
    own = port.log_probabilities([query], Context())[0].exp()
    if float(abs(found - own).max()) > CLOSE[model.dtype]:
        return N_("What its head reads in its last layer's states is not its prediction.")
    return ""


def _puts_back(model: LoadedModel) -> str:
    """The other text's prediction with all of a row of its states, and its own with none.

    What attention and the feed-forward part add must be all that a layer adds, unless the layers
    are known: else only the stream between the layers is put back.
    """
    port = model.ports[Patches]
    encoded = model.encode(SAMPLE)
    place, ids = len(encoded.tokens) - 2, [token.id for token in encoded.tokens]
    other = next((one for one in ids if one != ids[1]), None)
    if place < 2 or other is None:
        return N_("Its tokenizer makes too few tokens of English, so that nothing could be tried.")
    hidden = {} if port_reads_left(model) else {place: None}
    into = Query(encoded, (place,), hidden)
    source = Query(encoded, (place,), {**hidden, 1: other})
    runs = port.between(into, source, Context())
    (stream,) = [one for one in port.stacks() if one.component is Component.RESIDUAL]
    rows = [(StatePlace(stream.component, stream.kind, n),) for n in range(len(stream.rows))]
    given = runs.log_probabilities([(), *rows]).exp()
    for row, expected in zip(given, [runs.into, *[runs.source] * len(rows)], strict=True):
        if float((row - expected.exp()).abs().max()) > CLOSE[model.dtype]:
            return N_("Its layers pass on more than one state a token.")
    if not named_as_known(model.module) and not adds_up(runs, stream.kind):
        model.ports[Patches] = port.only(Component.RESIDUAL)
    return ""


def port_reads_left(model: LoadedModel) -> bool:
    """Whether it predicts a token from those before it."""
    return bool(model.ports[Predictor].direction is Direction.CAUSAL)


def adds_up(runs: Any, kind: str) -> bool:
    """Whether the stream behind each layer is that before it and what its parts added."""
    import torch

    stream = runs.states(Component.RESIDUAL, kind)
    added = [runs.states(one, kind) for one in (Component.ATTENTION, Component.FEED_FORWARD)]
    if any(len(one) != len(stream) - 1 for one in added):
        return False
    parts = zip(stream[:-1], stream[1:], *added, strict=True)
    return all(torch.allclose(before + a + b, behind, atol=1e-4) for before, behind, a, b in parts)
